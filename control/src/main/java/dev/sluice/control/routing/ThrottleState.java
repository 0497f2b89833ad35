package dev.sluice.control.routing;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;

/**
 * That a connection was throttled, in wall-clock time, for people: decisions are taken on the
 * monotonic clock. Immutable.
 *
 * @param connection which one
 * @param throttledAt when the throttle was recorded
 * @param expiresAt when the hold ends, the buffer for clock skew included
 * @param retryAfter the wait that the service asked for, as it was told; positive
 */
public record ThrottleState(
    String connection, Instant throttledAt, Instant expiresAt, Duration retryAfter) {
  public ThrottleState {
    requireNonNull(connection, "connection");
    requireNonNull(throttledAt, "throttledAt");
    requireNonNull(expiresAt, "expiresAt");
    if (!retryAfter.isPositive()) {
      throw new IllegalArgumentException(
          "retryAfter is " + retryAfter + ", but a throttle state has a positive one");
    }
  }
}
