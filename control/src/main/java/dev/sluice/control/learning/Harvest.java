package dev.sluice.control.learning;

/**
 * What a provider grants. After a long closure that is what it granted between the end of the last
 * such closure and the end of this one: the quota itself, whatever kind of limiter keeps it. A
 * brief closure says little by itself; then what was granted during the last minute counts, which
 * is the quota too if as much was asked for.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class Harvest {
  private static final long LONG = 30_000_000_000L;
  private static final long MINUTE = 60_000_000_000L;

  /** A shorter time, or fewer grants, tell nothing. */
  private static final long LEAST_TIME = 10_000_000_000L;

  private static final int LEAST = 5;

  private final RecentCount recent = new RecentCount(MINUTE);
  private long recentSince;
  private long since;
  private int granted;

  Harvest(long now) {
    this.recentSince = now;
    this.since = now;
  }

  /** A request was granted that was sent at that time. */
  void granted(long sentAt, long now) {
    recent.add(now);
    granted += sentAt - since >= 0 ? 1 : 0;
  }

  /** For so long until {@code now} nothing was asked for, so that nothing could be granted. */
  void idle(long nanos, long now) {
    since += nanos;
    forget(now);
  }

  private void forget(long now) {
    recent.clear();
    recentSince = now;
  }

  /** Whether a closure lasts long enough to tell by itself what a quota is. */
  static boolean isLong(long closure) {
    return closure > LONG;
  }

  /**
   * What it granted, now that it is closed from {@code closedAt} to {@code until}.
   *
   * @return requests per second; NaN if there were too few to tell
   */
  double closed(long closedAt, long until) {
    if (isLong(until - closedAt)) {
      double rate = granted < LEAST ? Double.NaN : granted * 1e9 / (until - since);
      since = until;
      granted = 0;
      forget(until);
      return rate;
    }
    long span = Math.min(MINUTE, closedAt - recentSince);
    int count = recent.at(closedAt);
    return span < LEAST_TIME || count < LEAST ? Double.NaN : count * 1e9 / span;
  }
}
