package dev.sluice.control.learning;

import java.time.Duration;

/**
 * What a run has learned about a provider.
 *
 * @param rate requests per second that were granted for a while without a refusal; positive
 * @param closure how long the provider stays closed once it is exhausted; not negative
 */
public record Profile(double rate, Duration closure) {
  public Profile {
    if (!(rate > 0 && rate < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "rate is " + rate + ", but must be positive (requests per second)");
    }
    if (closure.isNegative()) {
      throw new IllegalArgumentException(
          "closure is "
              + closure
              + ", but must not be negative (how long the provider stays closed once exhausted)");
    }
  }
}
