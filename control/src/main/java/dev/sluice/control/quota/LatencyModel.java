package dev.sluice.control.quota;

/**
 * How long the service takes, as a line over the number in flight: {@code a + b × n}, fitted to
 * recent answers, older ones fading. The slope is never negative: load does not make a service
 * quicker. It can be seen only while the number changes, so the best look at it is remembered, and
 * only what stands out from chance counts. Single-threaded; nanoseconds.
 */
final class LatencyModel {
  private static final double FADE = 0.99;

  /** So much less sure is a look at the slope with every answer since. */
  private static final double AGE = 1.001;

  /** Fewer answers show nothing but chance. */
  private static final double ENOUGH = 16;

  /** No look is so sure that a new one could not replace it. */
  private static final double SUREST = 0.001;

  private double weight;
  private double sumN;
  private double sumT;
  private double sumNn;
  private double sumNt;
  private double sumTt;
  private double slope; // as a share of the average, per request in flight
  private double error = Double.POSITIVE_INFINITY; // its standard error

  void answered(double inFlight, double nanos) {
    weight = weight * FADE + 1;
    sumN = sumN * FADE + inFlight;
    sumT = sumT * FADE + nanos;
    sumNn = sumNn * FADE + inFlight * inFlight;
    sumNt = sumNt * FADE + inFlight * nanos;
    sumTt = sumTt * FADE + nanos * nanos;
    error *= AGE;
    if (weight >= ENOUGH) {
      look();
    }
  }

  private void look() {
    double mean = sumT / weight;
    double spread = sumNn - sumN * sumN / weight;
    if (spread < weight || mean <= 0) {
      return; // without a spread of numbers there is no slope to be seen
    }
    double together = sumNt - sumN * mean;
    double unexplained = sumTt - sumT * mean - together * together / spread;
    double newError = Math.sqrt(Math.max(0, unexplained) / (weight - 2) / spread) / mean;
    if (newError <= error) {
      error = Math.max(SUREST, newError);
      slope = Math.max(0, together / spread / mean - newError);
    }
  }

  boolean isKnown() {
    return weight >= 5;
  }

  /** The time to be expected with so many in flight; at least a tenth of the average. */
  double at(double inFlight) {
    double mean = sumT / weight;
    return Math.max(mean / 10, mean + slope * mean * (inFlight - sumN / weight));
  }
}
