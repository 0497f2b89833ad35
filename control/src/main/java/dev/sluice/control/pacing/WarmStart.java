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

  /**
   * How far it is to be trusted at {@code now}: 1 if it is new, falling evenly to 0 at {@code
   * maxAge} nanoseconds. One from the future counts as new.
   */
  public double trust(long now, long maxAge) {
    return maxAge == 0 ? 0 : Math.clamp(1 - (double) (now - provenAt) / maxAge, 0.0, 1.0);
  }
}
