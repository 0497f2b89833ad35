package dev.sluice.control.learning;

import java.time.Duration;

/**
 * What a run has learned about a provider.
 *
 * @param rate requests per second that were granted; positive and finite
 * @param cap how many requests at once were granted, if that is what limits; 0 if it is not
 * @param sure how far to trust it: 1 if it was granted for a while without a refusal, 0 not at all
 */
public record Profile(double rate, int cap, double sure) {
  /** The trust in a profile halves in this time. */
  private static final Duration HALF_LIFE = Duration.ofDays(1);

  public Profile {
    if (!(rate > 0 && rate < Double.POSITIVE_INFINITY)) { // false for NaN
      throw new IllegalArgumentException(
          "rate is " + rate + ", but must be positive and finite (requests per second)");
    }
    if (cap < 0) {
      throw new IllegalArgumentException(
          "cap is " + cap + ", but must be 0 or more (requests at once; 0 for no such limit)");
    }
    if (!(sure >= 0 && sure <= 1)) {
      throw new IllegalArgumentException(
          "sure is " + sure + ", but must lie between 0 and 1 (how far to trust it)");
    }
  }

  /** The same so much later: trusted the less, the older it is. */
  public Profile aged(Duration age) {
    double days = Math.max(0, age.toMillis()) / (double) HALF_LIFE.toMillis();
    return new Profile(rate, cap, sure * StrictMath.pow(0.5, days));
  }
}
