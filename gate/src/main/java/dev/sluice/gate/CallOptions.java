package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.retry.RetryOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * How a gate makes a call. Immutable.
 *
 * @param ask what is asked of the gate for each attempt
 * @param retries how often, and whether a repeat is harmless
 * @param failures what an exception of the call means; if empty, whoever makes the call knows
 *     better, or nobody knows whether the request was carried out
 * @param deadline how long the call may take from its beginning, all attempts and waits together;
 *     an attempt that was sent is not cut short
 * @param reopenings how many times the call waits for an open circuit to be tried again, as far as
 *     its run may wait so long; 0 ends it at once
 * @param route a part of the lane that a throttle may hold alone ({@link Gate#holdRoute}); empty if
 *     the call takes none
 * @param stopsUnauthorized whether a lane is stopped that does not accept credentials (401) which
 *     cannot be renewed, or were just now
 */
public record CallOptions(
    Ask ask,
    RetryOptions retries,
    Optional<Function<Exception, Signal>> failures,
    Optional<Duration> deadline,
    int reopenings,
    String route,
    boolean stopsUnauthorized) {
  static final Signal UNKNOWN_OUTCOME =
      Signal.transientFailure(Signal.Transient.Kind.UNKNOWN_OUTCOME);

  static final Function<Exception, Signal> UNKNOWN = failure -> UNKNOWN_OUTCOME;

  /** A plain call whose repeat might do harm. */
  public static final CallOptions DEFAULTS =
      new CallOptions(
          Ask.plain(), RetryOptions.DEFAULTS, Optional.empty(), Optional.empty(), 0, "", false);

  public CallOptions {
    requireNonNull(ask, "ask");
    requireNonNull(retries, "retries");
    requireNonNull(failures, "failures");
    requireNonNull(route, "route");
    if (deadline.isPresent() && !deadline.get().isPositive()) {
      throw new IllegalArgumentException(
          "deadline is " + deadline.get() + ", but must be positive (for the whole call)");
    }
    if (reopenings < 0) {
      throw new IllegalArgumentException(
          "reopenings is " + reopenings + ", but must be 0 or more (waits for an open circuit)");
    }
  }

  /** The same for a call whose repeat is harmless, as a read's is. */
  public CallOptions repeatable() {
    return withRetries(retries.whenRepeatable());
  }

  /** The same with another ask. */
  public CallOptions withAsk(Ask other) {
    return new CallOptions(
        other, retries, failures, deadline, reopenings, route, stopsUnauthorized);
  }

  /** The same with other retries. */
  public CallOptions withRetries(RetryOptions other) {
    return new CallOptions(ask, other, failures, deadline, reopenings, route, stopsUnauthorized);
  }

  /** The same with another reading of exceptions. */
  public CallOptions withFailures(Function<Exception, Signal> other) {
    return new CallOptions(
        ask, retries, Optional.of(other), deadline, reopenings, route, stopsUnauthorized);
  }

  /** The same, to be done within {@code longest} from its beginning. */
  public CallOptions withDeadline(Duration longest) {
    return new CallOptions(
        ask, retries, failures, Optional.of(longest), reopenings, route, stopsUnauthorized);
  }

  /** The same, waiting so many times for an open circuit. */
  public CallOptions withReopenings(int most) {
    return new CallOptions(ask, retries, failures, deadline, most, route, stopsUnauthorized);
  }

  /** The same on another route. */
  public CallOptions withRoute(String other) {
    return new CallOptions(ask, retries, failures, deadline, reopenings, other, stopsUnauthorized);
  }

  /** The same, stopping a lane that accepts no credentials. */
  public CallOptions stoppingUnauthorized() {
    return new CallOptions(ask, retries, failures, deadline, reopenings, route, true);
  }

  /** The same with as many waits for throttles as {@code resilience} allows. */
  public CallOptions withResilience(ResilienceOptions resilience) {
    return withRetries(
        new RetryOptions(
            resilience.maxThrottleRetries(), retries.maxAttempts(), retries.repeatable()));
  }
}
