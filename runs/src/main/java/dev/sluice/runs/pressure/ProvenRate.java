package dev.sluice.runs.pressure;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A rate that a provider has granted. Immutable.
 *
 * @param rate requests per second; positive and finite
 * @param at when a success last came at that rate
 */
public record ProvenRate(double rate, Instant at) {
  public ProvenRate {
    requireNonNull(at, "at");
    if (!(rate > 0 && rate < Double.POSITIVE_INFINITY)) { // false for NaN
      throw new IllegalArgumentException(
          "rate is " + rate + ", but must be positive and finite (requests per second)");
    }
  }
}
