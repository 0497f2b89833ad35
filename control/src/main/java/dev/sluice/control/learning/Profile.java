package dev.sluice.control.learning;

/**
 * What a run has learned about a provider.
 *
 * @param rate requests per second that were granted for a while without a refusal; positive
 * @param inFlight how many at once the provider was seen to take; at least 1
 */
public record Profile(double rate, int inFlight) {
  public Profile {
    if (!(rate > 0 && rate < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "rate is " + rate + ", but must be positive (requests per second)");
    }
    if (inFlight < 1) {
      throw new IllegalArgumentException(
          "inFlight is " + inFlight + ", but must be 1 or more (requests at once)");
    }
  }
}
