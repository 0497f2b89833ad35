package dev.sluice.control.routing;

import dev.sluice.control.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Knows which connections are throttled and until when, so that requests can be routed round them.
 *
 * <p>In a gate the holds of its lanes are the only truth, and {@code Gate.throttleTracker()} is a
 * façade over them in the documents' words. One that was {@linkplain #create(Ticker) made} is for
 * code that routes by itself; no gate uses it.
 *
 * <p>A connection is held from {@link #recordThrottle} until its Retry-After, plus a buffer for
 * clock skew, has passed on the monotonic clock; the wall clock is only shown. Of several holds on
 * one connection the one that ends last is in force: a shorter Retry-After never shortens a longer
 * hold.
 *
 * <p>Thread-safe and linearizable: every call sees the effect of every call that returned before
 * it. Questions about one connection take constant time, those about all of them take time in
 * proportion to how many are throttled. Expired holds take no part in any answer, and are dropped
 * when the next throttle is recorded, or sooner. A null argument is refused with {@link
 * NullPointerException}.
 */
public interface ThrottleTracker {

  /** The buffer for clock skew if none is given. */
  Duration DEFAULT_BUFFER = Duration.ofSeconds(1);

  /**
   * No hold is longer. No service's documented wait comes near it, and a garbled header must not
   * shut a connection for good.
   */
  Duration LONGEST_HOLD = Duration.ofDays(31);

  /** A tracker with the default buffer of 1 s. */
  static ThrottleTracker create(Ticker ticker) {
    return create(ticker, DEFAULT_BUFFER);
  }

  /**
   * A tracker that has seen nothing.
   *
   * @param buffer added once to every Retry-After; 0 s to 1 min
   */
  static ThrottleTracker create(Ticker ticker, Duration buffer) {
    return new LockedThrottleTracker(ticker, buffer);
  }

  /**
   * A connection was throttled: counts the event, and holds the connection.
   *
   * @param retryAfter how long the service asked to stay away. Zero or less is no usable wait: the
   *     event counts, but nothing is held, because only the caller knows what to put in its place.
   *     More than {@link #LONGEST_HOLD} is cut to it.
   */
  void recordThrottle(String connection, Duration retryAfter);

  /** Whether a connection is held now. */
  boolean isThrottled(String connection);

  /** When a connection's hold ends by the wall clock; empty if it is not held. */
  default Optional<Instant> throttleExpiry(String connection) {
    return throttleState(connection).map(ThrottleState::expiresAt);
  }

  /** The hold on a connection; empty if there is none now. */
  Optional<ThrottleState> throttleState(String connection);

  /** Which connections are held now, as a copy. */
  Set<String> throttledConnections();

  /** How many connections are held now. */
  int throttledConnectionCount();

  /** How long until the first of the held connections is free; zero if none is held. */
  Duration shortestExpiry();

  /** How many throttles were recorded since the tracker was made, unusable waits included. */
  long totalThrottleEvents();
}
