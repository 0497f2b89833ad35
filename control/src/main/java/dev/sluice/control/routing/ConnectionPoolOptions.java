package dev.sluice.control.routing;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/**
 * How a gate over many lanes chooses and waits. Immutable; an invalid one cannot be built.
 *
 * @param strategy which of the lanes that are ready is used
 * @param maxRetryAfterTolerance the longest Retry-After that is waited out, itself included, beyond
 *     which a request fails at once; 0 s to 31 days, none: any wait is waited out
 * @param acquireTimeout how long a plain call waits for a slot, waits for throttles excluded; above
 *     0, up to 24 h
 * @param throttleBuffer added once to every Retry-After, for clock skew; 0 s to 1 min
 */
public record ConnectionPoolOptions(
    Selection strategy,
    Optional<Duration> maxRetryAfterTolerance,
    Duration acquireTimeout,
    Duration throttleBuffer) {
  private static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);
  private static final Duration LONGEST_BUFFER = Duration.ofMinutes(1);

  /** Throttle-aware, no limit to tolerance, 120 s for a slot, a buffer of 1 s. */
  public static final ConnectionPoolOptions DEFAULTS =
      new ConnectionPoolOptions(
          Selection.THROTTLE_AWARE,
          Optional.empty(),
          Duration.ofMinutes(2),
          ThrottleTracker.DEFAULT_BUFFER);

  public ConnectionPoolOptions {
    requireNonNull(strategy, "strategy");
    check(
        maxRetryAfterTolerance.isEmpty()
            || within(maxRetryAfterTolerance.get(), ThrottleTracker.LONGEST_HOLD),
        "maxRetryAfterTolerance",
        maxRetryAfterTolerance.orElse(Duration.ZERO),
        "lie between 0 and " + ThrottleTracker.LONGEST_HOLD,
        "the longest wait for a throttle to end; leave it out to wait however long it takes");
    check(
        acquireTimeout.isPositive() && within(acquireTimeout, LONGEST_TIMEOUT),
        "acquireTimeout",
        acquireTimeout,
        "be above 0 and at most " + LONGEST_TIMEOUT,
        "how long a call waits for a free slot");
    throttleBuffer = checkedBuffer(throttleBuffer);
  }

  /** These options with another strategy. */
  public ConnectionPoolOptions withStrategy(Selection selection) {
    return new ConnectionPoolOptions(
        selection, maxRetryAfterTolerance, acquireTimeout, throttleBuffer);
  }

  /** These options with a limit to the waits for throttles. */
  public ConnectionPoolOptions withMaxRetryAfterTolerance(Duration longest) {
    return new ConnectionPoolOptions(
        strategy, Optional.of(longest), acquireTimeout, throttleBuffer);
  }

  /** These options with another time to wait for a slot. */
  public ConnectionPoolOptions withAcquireTimeout(Duration longest) {
    return new ConnectionPoolOptions(strategy, maxRetryAfterTolerance, longest, throttleBuffer);
  }

  /** These options with another buffer for clock skew. */
  public ConnectionPoolOptions withThrottleBuffer(Duration buffer) {
    return new ConnectionPoolOptions(strategy, maxRetryAfterTolerance, acquireTimeout, buffer);
  }

  /** The buffer, if it is one. */
  static Duration checkedBuffer(Duration buffer) {
    check(
        within(buffer, LONGEST_BUFFER),
        "throttleBuffer",
        buffer,
        "lie between 0 and " + LONGEST_BUFFER,
        "what is added to every Retry-After for clock skew");
    return buffer;
  }

  private static boolean within(Duration duration, Duration longest) {
    return !duration.isNegative() && duration.compareTo(longest) <= 0;
  }

  private static void check(
      boolean valid, String option, Object value, String range, String meaning) {
    if (!valid) {
      throw new IllegalArgumentException(
          "pool." + option + " is " + value + ", but must " + range + " (" + meaning + ")");
    }
  }
}
