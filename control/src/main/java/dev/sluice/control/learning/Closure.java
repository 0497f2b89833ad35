package dev.sluice.control.learning;

/**
 * A provider that refused without saying for how long. One request at a time finds out, after a
 * pause that grows by half with each refusal: so it is never closed for much longer than it has to.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class Closure {
  private static final long FIRST_PAUSE = 5_000_000_000L;
  private static final long LONGEST_PAUSE = 900_000_000_000L;
  private static final double GROWTH = 1.5;

  private boolean on;
  private long from;
  private long refusedAt;
  private long pause;
  private long probeAt;

  boolean isOn() {
    return on;
  }

  /** Whether the answer to a request sent at that time says if it is still closed. */
  boolean isAnsweredBy(long sentAt) {
    return on && sentAt - from > 0;
  }

  /** When it was first refused. */
  long from() {
    return from;
  }

  /** When to ask again. */
  long probeAt() {
    return probeAt;
  }

  void begin(long now) {
    on = true;
    from = now;
    pause = FIRST_PAUSE;
    refusedAt = now;
    probeAt = now + pause;
  }

  /** It is still closed, and for so long if that was told; 0 if it was not. */
  void lasts(long told, long now) {
    pause = Math.min(LONGEST_PAUSE, (long) (GROWTH * pause));
    refusedAt = now;
    probeAt = now + Math.max(pause, told);
  }

  /**
   * A request sent at that time was granted.
   *
   * @return when it may have opened: in the middle since the last refusal; earlier if the first
   *     request already found it open, since limits that are felt so briefly are mostly of seconds
   */
  long end(long sentAt) {
    on = false;
    return refusedAt + (sentAt - refusedAt) / (pause == FIRST_PAUSE ? 4 : 2);
  }
}
