package dev.sluice.control.circuit;

import java.time.Duration;

/**
 * When a circuit opens, for how long, and what closes it again. Immutable; an invalid one cannot be
 * built.
 *
 * @param enabled whether the circuit ever opens; the other options are checked all the same
 * @param failureRate the share of failures among the latest calls at which the circuit opens; above
 *     0, up to 1. All attempts of a call count once
 * @param ringSize how many of the latest calls are looked at; 1 to 10,000
 * @param minimumCalls how many of them there must be before that share may open the circuit, so
 *     that a cold start cannot open it; 1 to {@code ringSize}
 * @param failuresInRow how many calls that fail with no success between open the circuit, whatever
 *     the share; 0 to 10,000, and 0 leaves it to the share
 * @param openFor how long an open circuit lets nothing through; above 0, up to 7 days
 * @param probes how many requests a half-open circuit lets through to decide; 1 to 100
 */
public record CircuitOptions(
    boolean enabled,
    double failureRate,
    int ringSize,
    int minimumCalls,
    int failuresInRow,
    Duration openFor,
    int probes) {
  private static final int MOST_IN_RING = 10_000;
  private static final int MOST_PROBES = 100;
  private static final Duration LONGEST_OPEN = Duration.ofDays(7);

  /** Half of the last 20 calls, or 8 in a row, open it for 60 s; 1 probe. */
  public static final CircuitOptions DEFAULTS =
      new CircuitOptions(true, 0.5, 20, 20, 8, Duration.ofSeconds(60), 1);

  public CircuitOptions {
    check(
        failureRate > 0 && failureRate <= 1, // false for NaN
        "failureRate",
        failureRate,
        "be above 0 and at most 1",
        "the share of failures among the latest calls at which the circuit opens");
    check(
        ringSize >= 1 && ringSize <= MOST_IN_RING,
        "ringSize",
        ringSize,
        "lie between 1 and " + MOST_IN_RING,
        "how many of the latest calls are looked at");
    check(
        minimumCalls >= 1 && minimumCalls <= ringSize,
        "minimumCalls",
        minimumCalls,
        "lie between 1 and ringSize, which is " + ringSize,
        "how many calls there must be before their share may open the circuit");
    check(
        failuresInRow >= 0 && failuresInRow <= MOST_IN_RING,
        "failuresInRow",
        failuresInRow,
        "lie between 0 and " + MOST_IN_RING,
        "how many calls that fail in a row open the circuit; 0 for any number");
    check(
        openFor.isPositive() && openFor.compareTo(LONGEST_OPEN) <= 0,
        "openFor",
        openFor,
        "be above 0 and at most " + LONGEST_OPEN,
        "how long an open circuit lets nothing through");
    check(
        probes >= 1 && probes <= MOST_PROBES,
        "probes",
        probes,
        "lie between 1 and " + MOST_PROBES,
        "how many requests a half-open circuit lets through to decide");
  }

  /** A circuit that never opens. */
  public static CircuitOptions off() {
    return new CircuitOptions(
        false,
        DEFAULTS.failureRate,
        DEFAULTS.ringSize,
        DEFAULTS.minimumCalls,
        DEFAULTS.failuresInRow,
        DEFAULTS.openFor,
        DEFAULTS.probes);
  }

  /** These options with another failure rate. */
  public CircuitOptions withFailureRate(double rate) {
    return new CircuitOptions(
        enabled, rate, ringSize, minimumCalls, failuresInRow, openFor, probes);
  }

  /** These options with another ring; its two sizes belong together, so they change together. */
  public CircuitOptions withRing(int size, int minimum) {
    return new CircuitOptions(enabled, failureRate, size, minimum, failuresInRow, openFor, probes);
  }

  /** These options with another number of failures in a row; 0 leaves it to the share. */
  public CircuitOptions withFailuresInRow(int calls) {
    return new CircuitOptions(enabled, failureRate, ringSize, minimumCalls, calls, openFor, probes);
  }

  /** These options with another time to stay open. */
  public CircuitOptions withOpenFor(Duration duration) {
    return new CircuitOptions(
        enabled, failureRate, ringSize, minimumCalls, failuresInRow, duration, probes);
  }

  /** These options with another number of probes. */
  public CircuitOptions withProbes(int number) {
    return new CircuitOptions(
        enabled, failureRate, ringSize, minimumCalls, failuresInRow, openFor, number);
  }

  private static void check(
      boolean valid, String option, Object value, String range, String meaning) {
    if (!valid) {
      throw new IllegalArgumentException(
          "circuit." + option + " is " + value + ", but must " + range + " (" + meaning + ")");
    }
  }
}
