package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.webapi.Plan;
import java.time.Duration;

/**
 * How long the environment takes for a request when nothing else runs.
 *
 * @param light for who am I and metadata
 * @param read for reading, one row or a page
 * @param write for changing one row
 * @param bulk for a bulk message, whatever its rows
 * @param row for each row of a bulk message, on top
 */
public record ServiceTimes(
    Duration light, Duration read, Duration write, Duration bulk, Duration row) {
  /** About what has been seen of a small environment. */
  public static final ServiceTimes TYPICAL =
      new ServiceTimes(
          Duration.ofMillis(5),
          Duration.ofMillis(30),
          Duration.ofMillis(50),
          Duration.ofMillis(60),
          Duration.ofMillis(4));

  /** No time at all. */
  public static final ServiceTimes NONE =
      new ServiceTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

  public ServiceTimes {
    notNegative("light", light);
    notNegative("read", read);
    notNegative("write", write);
    notNegative("bulk", bulk);
    notNegative("row", row);
  }

  private static void notNegative(String name, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(
          name + " is " + value + ", but must not be negative (time that a request takes)");
    }
  }

  /** All of them so many times as long; zero for none. */
  public ServiceTimes times(double factor) {
    if (!(factor >= 0 && factor <= 1_000_000)) {
      throw new IllegalArgumentException(
          "factor is " + factor + ", but must be 0 to 1,000,000 (of the time that requests take)");
    }
    return new ServiceTimes(
        scaled(light, factor),
        scaled(read, factor),
        scaled(write, factor),
        scaled(bulk, factor),
        scaled(row, factor));
  }

  private static Duration scaled(Duration duration, double factor) {
    return Duration.ofNanos(Math.round(duration.toNanos() * factor));
  }

  /** Nanoseconds that a plan takes: a batch as long as all its parts. */
  long of(Plan plan) {
    return switch (plan.operation().kind()) {
      case LIGHT -> light.toNanos();
      case READ -> read.toNanos();
      case WRITE -> write.toNanos();
      case BULK -> bulk.toNanos() + plan.rows() * row.toNanos();
      case BATCH -> light.toNanos() + plan.parts().stream().mapToLong(this::of).sum();
    };
  }
}
