package dev.sluice.control.quota;

/**
 * How long the service takes, as a line over the number in flight: {@code a + b × n}, fitted to
 * recent answers, older ones fading. The slope is never negative: load does not make a service
 * quicker. Single-threaded; nanoseconds.
 */
final class LatencyModel {
  private static final double FADE = 0.99;

  private double weight;
  private double sumN;
  private double sumT;
  private double sumNn;
  private double sumNt;

  void answered(int inFlight, double nanos) {
    weight = weight * FADE + 1;
    sumN = sumN * FADE + inFlight;
    sumT = sumT * FADE + nanos;
    sumNn = sumNn * FADE + (double) inFlight * inFlight;
    sumNt = sumNt * FADE + inFlight * nanos;
  }

  boolean isKnown() {
    return weight >= 5;
  }

  private double slope() {
    double spread = sumNn - sumN * sumN / weight;
    // Without a spread of numbers there is no slope to be seen.
    return spread < weight ? 0 : Math.max(0, (sumNt - sumN * sumT / weight) / spread);
  }

  /** The time to be expected with so many in flight; at least a tenth of the average. */
  double at(double inFlight) {
    double mean = sumT / weight;
    return Math.max(mean / 10, mean + slope() * (inFlight - sumN / weight));
  }
}
