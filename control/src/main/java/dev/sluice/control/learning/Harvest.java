package dev.sluice.control.learning;

/**
 * What a provider grants between two exhaustions: the quota itself, whatever kind of limiter keeps
 * it. A cycle runs from the end of one closure to the end of the next. Cycles whose closures are
 * alike, within a factor of two, tell of the same limit and are counted together, so that a
 * minute's quota is not mixed up with a day's, nor a bucket's refill with a window's reset.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class Harvest {
  private static final double FADE = 0.5;

  private long since;
  private double granted;
  private double closure; // of the cycles counted together
  private double sumGranted;
  private double sumNanos;

  Harvest(long now) {
    this.since = now;
  }

  void granted(long sentAt) {
    if (sentAt - since >= 0) {
      granted++;
    }
  }

  /** Whether the last answer counted enough requests to be relied on. */
  boolean isSolid() {
    return sumGranted >= 20;
  }

  /**
   * A cycle ends with a closure from {@code closedAt} to {@code until}.
   *
   * @return requests per second that were granted; NaN if too few to tell
   */
  double closed(long closedAt, long until) {
    double length = Math.max(1, until - closedAt);
    boolean alike = length < 2 * closure && closure < 2 * length;
    if (!alike) {
      sumGranted = 0;
      sumNanos = 0;
    }
    closure = alike ? (closure + length) / 2 : length;
    sumGranted = FADE * sumGranted + granted;
    sumNanos = FADE * sumNanos + Math.max(1, until - since);
    since = until;
    granted = 0;
    return sumGranted < 3 ? Double.NaN : sumGranted / sumNanos * 1e9;
  }
}
