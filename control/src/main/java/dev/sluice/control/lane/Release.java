package dev.sluice.control.lane;

/**
 * Spreads the starts after a hold, for policies that do not pace: the first {@code level} starts
 * are spaced by average duration ÷ level, so that those who waited are not released all at once.
 * After these, slots free themselves at that spacing anyway.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class Release {
  /** Stands for the average duration until a success has been seen. */
  private static final long ASSUMED_DURATION = 1_000_000_000L;

  /** A duration counts for this much at most: a wrong one must not stop the lane for years. */
  private static final long LONGEST_DURATION = 3_600_000_000_000L;

  private static final double SMOOTHING = 0.3;

  private long average = ASSUMED_DURATION;
  private boolean seen;
  private int left;
  private long spacing;
  private long next;

  /** A request succeeded after {@code measured}, which is below zero if the clock jumped back. */
  void succeeded(long measured) {
    long duration = Math.clamp(measured, 0, LONGEST_DURATION);
    average = seen ? (long) (SMOOTHING * duration + (1 - SMOOTHING) * average) : duration;
    seen = true;
  }

  /** How long successes took lately; 0 if there was none. */
  long average() {
    return seen ? average : 0;
  }

  /** The lane is held until {@code until}: the next {@code level} starts will be spaced. */
  void held(long until, int level) {
    left = level;
    spacing = average / level;
    next = until;
  }

  /** The earliest next start. */
  long notBefore(long now) {
    return left > 0 && next - now > 0 ? next : now;
  }

  /** A request starts. */
  void started(long now) {
    if (left > 0) {
      left--;
      next = now + spacing;
    }
  }
}
