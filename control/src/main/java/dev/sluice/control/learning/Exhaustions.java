package dev.sluice.control.learning;

/**
 * What a provider grants: the requests between the ends of two closures, which is the quota itself
 * whatever kind of limiter keeps it. The two closures must be alike, that is last about as long: a
 * bucket that refills within a second and a day's quota do not measure each other.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class Exhaustions {
  private static final int KEPT = 8;
  private static final long SECOND = 1_000_000_000L;

  // Fewer grants, or a shorter time, tell nothing.
  private static final int LEAST_GRANTS = 5;
  private static final long LEAST_TIME = 2 * SECOND;

  private final long start;
  private final long[] ends = new long[KEPT];
  private final long[] lengths = new long[KEPT];
  private final long[] grants = new long[KEPT];
  private int count;
  private long granted;
  private long idle;

  Exhaustions(long now) {
    this.start = now;
  }

  /** The limit let a request through, whatever became of it then. */
  void granted() {
    granted++;
  }

  /** For so long nothing was asked for, so that nothing could be granted: no work, or a pause. */
  void idle(long nanos) {
    idle += nanos;
  }

  /**
   * Requests per second that it granted since it last opened, if it is closed for so long until
   * {@code end}; NaN if that tells nothing, because it was not open for as long.
   */
  double sinceOpened(long length, long end) {
    int slot = Math.floorMod(count - 1, KEPT);
    long busy = count == 0 ? 0 : end - idle - ends[slot];
    long since = count == 0 ? 0 : granted - grants[slot];
    return since < LEAST_GRANTS || busy < Math.max(LEAST_TIME, 2 * length)
        ? Double.NaN
        : since * 1e9 / busy;
  }

  /**
   * It was closed for so long until {@code end}.
   *
   * @return requests per second that it granted since it was exhausted like this before; NaN if it
   *     was not
   */
  double closed(long length, long end) {
    long busy = end - idle;
    double rate = Double.NaN;
    for (int i = count - 1; i >= Math.max(0, count - KEPT) && Double.isNaN(rate); i--) {
      int slot = i % KEPT;
      long since = granted - grants[slot];
      if (isAlike(lengths[slot], length)
          && since >= LEAST_GRANTS
          && busy - ends[slot] >= LEAST_TIME) {
        rate = since * 1e9 / (busy - ends[slot]);
      }
    }
    int slot = count++ % KEPT;
    ends[slot] = busy;
    lengths[slot] = length;
    grants[slot] = granted;
    return rate;
  }

  /** Whether two closures last about as long: within a factor of 2, or a second. */
  private static boolean isAlike(long one, long other) {
    return one <= 2 * other + SECOND && other <= 2 * one + SECOND;
  }

  /** Requests per second that it granted from the start until then; NaN if that tells nothing. */
  double sinceStart(long end) {
    long busy = end - idle - start;
    return busy <= 0 || granted < LEAST_GRANTS ? Double.NaN : granted * 1e9 / busy;
  }
}
