package dev.sluice.control.pacing;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * How an {@link AdaptivePacer} searches for a provider's rate. Rates are permits per second.
 *
 * <p>Immutable; a value out of its range cannot be built: {@link IllegalArgumentException} names
 * the option, the value, the range and what the option means. Usually made by a {@link #builder()}.
 *
 * @param floor the rate below which the pace never falls; 1 a day to 1000. Default 1 per 5 min
 * @param ceiling the rate above which the pace never rises, at least {@code floor}, at most a
 *     million; empty (the default) leaves that to the provider
 * @param coldStart the rate before anything is known, brought between floor and ceiling; above 0,
 *     at most 1000. Default 1
 * @param increase the share by which a second of sustained success raises the rate; above 0, at
 *     most 1000. Default 0.1
 * @param throttleFactor the share of the rate that a throttle leaves; 0.1 to 0.99. Default 0.7
 * @param slowDownFactor the share of the rate that a slow-down leaves; 0.1 to 1, which turns it
 *     off. Default 0.85
 * @param slowDownRatio a median latency this many times the usual one is a slow-down; 1.05 to 100.
 *     Default 1.6
 * @param slowDownWindow how many answers a median is taken over; 3 to 1000. Default 20
 * @param slowDownMemory within which time a lasting latency becomes the usual one; 1 s to 7 days.
 *     Default 5 min
 * @param burst how many requests idle time may save up; 1 to 1000. Default 1
 * @param maxInFlight how many requests may be in flight; 1 to 10,000. Default 16. Where answers
 *     take {@code t} seconds, no more than {@code maxInFlight / t} a second can be sent, whatever
 *     the pace
 * @param warmStartMaxAge the age at which a proven rate counts for nothing; until then it counts
 *     less from day to day. 0 to 365 days. Default 7 days
 */
public record PacerOptions(
    double floor,
    OptionalDouble ceiling,
    double coldStart,
    double increase,
    double throttleFactor,
    double slowDownFactor,
    double slowDownRatio,
    int slowDownWindow,
    Duration slowDownMemory,
    int burst,
    int maxInFlight,
    Duration warmStartMaxAge) {

  private static final double LOWEST_FLOOR = 1.0 / Duration.ofDays(1).toSeconds();
  private static final double HIGHEST_CEILING = 1e6;

  /** Every default. */
  public static final PacerOptions DEFAULTS = builder().build();

  public PacerOptions {
    between("floor", floor, LOWEST_FLOOR, 1000, "the rate below which the pace never falls");
    if (ceiling.isPresent()) {
      between(
          "ceiling",
          ceiling.getAsDouble(),
          floor,
          HIGHEST_CEILING,
          "the rate above which the pace never rises; from the floor upwards");
    }
    aboveZero("coldStart", coldStart, 1000, "the rate before anything is known");
    aboveZero(
        "increase",
        increase,
        1000,
        "the share by which a second of sustained success raises the rate");
    between(
        "throttleFactor",
        throttleFactor,
        0.1,
        0.99,
        "the share of the rate that a throttle leaves");
    between(
        "slowDownFactor", slowDownFactor, 0.1, 1, "the share of the rate that a slow-down leaves");
    between(
        "slowDownRatio",
        slowDownRatio,
        1.05,
        100,
        "a median latency this many times the usual one is a slow-down");
    between("slowDownWindow", slowDownWindow, 3, 1000, "how many answers a median is taken over");
    between(
        "slowDownMemory",
        slowDownMemory,
        Duration.ofSeconds(1),
        Duration.ofDays(7),
        "within which time a lasting latency becomes the usual one");
    between("burst", burst, 1, 1000, "how many requests idle time may save up");
    between("maxInFlight", maxInFlight, 1, 10_000, "how many requests may be in flight");
    between(
        "warmStartMaxAge",
        warmStartMaxAge,
        Duration.ZERO,
        Duration.ofDays(365),
        "the age at which a proven rate counts for nothing");
  }

  /** Starts from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A rate brought between floor and ceiling. */
  double within(double rate) {
    return Math.clamp(rate, floor, ceiling.orElse(HIGHEST_CEILING));
  }

  /** Written so that NaN, which compares false with everything, is refused. */
  private static void between(
      String option, double value, double least, double most, String meaning) {
    if (!(value >= least && value <= most)) {
      throw refused(option, value, "lie between " + least + " and " + most, meaning);
    }
  }

  private static void between(String option, int value, int least, int most, String meaning) {
    if (value < least || value > most) {
      throw refused(option, value, "lie between " + least + " and " + most, meaning);
    }
  }

  private static void between(
      String option, Duration value, Duration least, Duration most, String meaning) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw refused(option, value, "lie between " + least + " and " + most, meaning);
    }
  }

  private static void aboveZero(String option, double value, double most, String meaning) {
    if (!(value > 0 && value <= most)) {
      throw refused(option, value, "be above 0 and at most " + most, meaning);
    }
  }

  private static IllegalArgumentException refused(
      String option, Object value, String range, String meaning) {
    return new IllegalArgumentException(
        "pacing." + option + " is " + value + ", but must " + range + " (" + meaning + ")");
  }

  /** Collects options; each is named and ranged as in {@link PacerOptions}. Not thread-safe. */
  public static final class Builder {
    private double floor = 1.0 / 300;
    private OptionalDouble ceiling = OptionalDouble.empty();
    private double coldStart = 1;
    private double increase = 0.1;
    private double throttleFactor = 0.7;
    private double slowDownFactor = 0.85;
    private double slowDownRatio = 1.6;
    private int slowDownWindow = 20;
    private Duration slowDownMemory = Duration.ofMinutes(5);
    private int burst = 1;
    private int maxInFlight = 16;
    private Duration warmStartMaxAge = Duration.ofDays(7);

    private Builder() {}

    /** The rate below which the pace never falls; 1 a day to 1000 a second. */
    public Builder floor(double permitsPerSecond) {
      floor = permitsPerSecond;
      return this;
    }

    /** The rate above which the pace never rises; from the floor to a million. */
    public Builder ceiling(double permitsPerSecond) {
      ceiling = OptionalDouble.of(permitsPerSecond);
      return this;
    }

    /** The rate before anything is known; above 0, at most 1000. */
    public Builder coldStart(double permitsPerSecond) {
      coldStart = permitsPerSecond;
      return this;
    }

    /** The share by which a second of sustained success raises the rate; above 0, at most 1000. */
    public Builder increase(double shareEachSecond) {
      increase = shareEachSecond;
      return this;
    }

    /** The share of the rate that a throttle leaves; 0.1 to 0.99. */
    public Builder throttleFactor(double share) {
      throttleFactor = share;
      return this;
    }

    /** The share of the rate that a slow-down leaves; 0.1 to 1, which turns it off. */
    public Builder slowDownFactor(double share) {
      slowDownFactor = share;
      return this;
    }

    /** A median latency this many times the usual one is a slow-down; 1.05 to 100. */
    public Builder slowDownRatio(double ratio) {
      slowDownRatio = ratio;
      return this;
    }

    /** How many answers a median is taken over; 3 to 1000. */
    public Builder slowDownWindow(int answers) {
      slowDownWindow = answers;
      return this;
    }

    /** Within which time a lasting latency becomes the usual one; 1 s to 7 days. */
    public Builder slowDownMemory(Duration memory) {
      slowDownMemory = memory;
      return this;
    }

    /** How many requests idle time may save up; 1 to 1000. */
    public Builder burst(int requests) {
      burst = requests;
      return this;
    }

    /** How many requests may be in flight, so that slow answers do not pile up; 1 to 10,000. */
    public Builder maxInFlight(int requests) {
      maxInFlight = requests;
      return this;
    }

    /** The age at which a proven rate counts for nothing; 0 to 365 days. */
    public Builder warmStartMaxAge(Duration age) {
      warmStartMaxAge = age;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public PacerOptions build() {
      return new PacerOptions(
          floor,
          ceiling,
          coldStart,
          increase,
          throttleFactor,
          slowDownFactor,
          slowDownRatio,
          slowDownWindow,
          slowDownMemory,
          burst,
          maxInFlight,
          warmStartMaxAge);
    }
  }
}
