package dev.sluice.simulator.provider;

import java.time.Duration;

/**
 * A change of all limits, or of the latency, while the service runs.
 *
 * @param after how long after the start; not negative
 * @param factor times what the service was made with: 0.5 halves, 2 doubles; limits of 0 close it
 */
public record Change(Duration after, double factor) {
  public Change {
    if (after.isNegative()) {
      throw new IllegalArgumentException(
          "after is " + after + ", but must not be negative (when limits change)");
    }
    if (!(factor >= 0 && factor <= 1_000)) {
      throw new IllegalArgumentException(
          "factor is " + factor + ", but must be 0 to 1,000 (times the limits made with)");
    }
  }
}
