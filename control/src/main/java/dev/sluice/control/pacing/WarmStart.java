package dev.sluice.control.pacing;

/**
 * A rate that was proven by success, and when: what one run learned, for the next one to start
 * with.
 *
 * @param rate permits per second, positive and finite
 * @param provenAt when a success was last seen at that rate, in the monotonic nanoseconds of the
 *     process that uses it: {@code now} less the age of a stored one
 */
public record WarmStart(double rate, long provenAt) {
  public WarmStart {
    if (!(rate > 0 && rate < Double.POSITIVE_INFINITY)) { // false for NaN
      throw new IllegalArgumentException(
          "rate is " + rate + ", but must be positive and finite (proven permits per second)");
    }
  }

  /** Whether it is no older than {@code maxAge} nanoseconds at {@code now}. */
  public boolean isFresh(long now, long maxAge) {
    return now - provenAt <= maxAge;
  }
}
