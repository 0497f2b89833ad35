package dev.sluice.simulator.provider;

import java.time.Duration;

/**
 * When a service throws an account out, for good: if more than a share of its requests of late was
 * throttled. Judged at every request, because what was served drops out of the window, too.
 *
 * @param share of the requests in the window, 0 to 1; above it follows suspension, so 1 never does
 * @param window how far back requests count; positive
 * @param least throttled requests in the window below which nobody is suspended; 1 or more
 */
public record Suspension(double share, Duration window, int least) {
  /** Nobody is thrown out. */
  public static final Suspension NEVER = new Suspension(1, Duration.ofMinutes(1), 1);

  /** More than a tenth of the requests of the last minute, if 10 or more were throttled. */
  public static final Suspension USUAL = new Suspension(0.1, Duration.ofMinutes(1), 10);

  public Suspension {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share is " + share + ", but must be 0 to 1 (throttled requests that are forgiven)");
    }
    if (!window.isPositive()) {
      throw new IllegalArgumentException(
          "window is " + window + ", but must be positive (how far back requests count)");
    }
    if (least < 1) {
      throw new IllegalArgumentException(
          "least is "
              + least
              + ", but must be 1 or more (throttled requests that make a judgement)");
    }
  }
}
