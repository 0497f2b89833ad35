package dev.sluice.control.routing;

import java.time.Duration;

/**
 * What happens after a throttle. Immutable; an invalid one cannot be built.
 *
 * @param maxThrottleRetries how many waits a request endures before it is given up; rerouting to a
 *     lane not tried since the last wait is free; 0 to 100
 * @param enableThrottleTracking whether requests are routed round throttled connections; throttles
 *     are detected and counted in any case
 * @param fallbackRetryAfter the wait where the service gave no usable one; above 0, up to 1 h
 */
public record ResilienceOptions(
    int maxThrottleRetries, boolean enableThrottleTracking, Duration fallbackRetryAfter) {
  private static final int MOST_RETRIES = 100;
  private static final Duration LONGEST_FALLBACK = Duration.ofHours(1);

  /** Three waits, tracking on, 30 s where the service gave no wait. */
  public static final ResilienceOptions DEFAULTS =
      new ResilienceOptions(3, true, Duration.ofSeconds(30));

  public ResilienceOptions {
    if (maxThrottleRetries < 0 || maxThrottleRetries > MOST_RETRIES) {
      throw new IllegalArgumentException(
          "resilience.maxThrottleRetries is "
              + maxThrottleRetries
              + ", but must lie between 0 and "
              + MOST_RETRIES
              + " (how many waits a throttled request endures before it is given up)");
    }
    if (!fallbackRetryAfter.isPositive() || fallbackRetryAfter.compareTo(LONGEST_FALLBACK) > 0) {
      throw new IllegalArgumentException(
          "resilience.fallbackRetryAfter is "
              + fallbackRetryAfter
              + ", but must be above 0 and at most "
              + LONGEST_FALLBACK
              + " (the wait after a throttle that gave no usable one)");
    }
  }

  /** These options with another number of waits. */
  public ResilienceOptions withMaxThrottleRetries(int waits) {
    return new ResilienceOptions(waits, enableThrottleTracking, fallbackRetryAfter);
  }

  /** These options with throttle tracking on or off. */
  public ResilienceOptions withEnableThrottleTracking(boolean enabled) {
    return new ResilienceOptions(maxThrottleRetries, enabled, fallbackRetryAfter);
  }

  /** These options with another fallback. */
  public ResilienceOptions withFallbackRetryAfter(Duration wait) {
    return new ResilienceOptions(maxThrottleRetries, enableThrottleTracking, wait);
  }
}
