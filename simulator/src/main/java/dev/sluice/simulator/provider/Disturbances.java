package dev.sluice.simulator.provider;

import java.time.Duration;
import java.util.List;

/**
 * What goes wrong at a service for other reasons than its limit. Shares are 0 to 1.
 *
 * @param errors share of requests, drawn by chance, that end in 500, 502, 504, a reset connection
 *     or no answer at all, each as likely
 * @param broken share of objects that always answer 500
 * @param late share of objects that answer 20 s late
 * @param heavy share of objects that cost ten requests of the limit
 * @param noise the standard deviation of the logarithm of the latency; 0 for none
 * @param latencySteps when latency changes, in order of time
 * @param maintenance when every request is answered 503
 */
public record Disturbances(
    double errors,
    double broken,
    double late,
    double heavy,
    double noise,
    List<Change> latencySteps,
    List<Maintenance> maintenance) {
  /** Nothing goes wrong. */
  public static final Disturbances NONE = new Disturbances(0, 0, 0, 0, 0, List.of(), List.of());

  /** How much later a late answer comes. */
  public static final Duration LATE_BY = Duration.ofSeconds(20);

  /** How many requests of the limit a heavy object costs. */
  static final int HEAVY_COST = 10;

  public Disturbances {
    share("errors", errors);
    share("broken", broken);
    share("late", late);
    share("heavy", heavy);
    if (!(noise >= 0 && noise <= 3)) {
      throw new IllegalArgumentException(
          "noise is " + noise + ", but must be 0 to 3 (of the logarithm of the latency)");
    }
    latencySteps = List.copyOf(latencySteps);
    maintenance = List.copyOf(maintenance);
  }

  private static void share(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " is " + value + ", but must be 0 to 1 (a share)");
    }
  }

  /**
   * A time in which the service answers nothing but 503.
   *
   * @param after how long after the start it begins
   * @param length how long it lasts
   */
  public record Maintenance(Duration after, Duration length) {
    public Maintenance {
      if (after.isNegative() || !length.isPositive()) {
        throw new IllegalArgumentException(
            "maintenance after "
                + after
                + " for "
                + length
                + ": must not begin before the start,"
                + " and must last");
      }
    }
  }
}
