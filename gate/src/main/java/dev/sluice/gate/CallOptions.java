package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.retry.RetryOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.control.signal.Signal;
import java.util.Optional;
import java.util.function.Function;

/**
 * How a gate makes a call. Immutable.
 *
 * @param ask what is asked of the gate for each attempt
 * @param retries how often, and whether a repeat is harmless
 * @param failures what an exception of the call means; if empty, whoever makes the call knows
 *     better, or nobody knows whether the request was carried out
 */
public record CallOptions(
    Ask ask, RetryOptions retries, Optional<Function<Exception, Signal>> failures) {
  private static final Signal UNKNOWN_OUTCOME =
      Signal.transientFailure(Signal.Transient.Kind.UNKNOWN_OUTCOME);

  static final Function<Exception, Signal> UNKNOWN = failure -> UNKNOWN_OUTCOME;

  /** A plain call whose repeat might do harm. */
  public static final CallOptions DEFAULTS =
      new CallOptions(Ask.plain(), RetryOptions.DEFAULTS, Optional.empty());

  public CallOptions {
    requireNonNull(ask, "ask");
    requireNonNull(retries, "retries");
    requireNonNull(failures, "failures");
  }

  /** The same for a call whose repeat is harmless, as a read's is. */
  public CallOptions repeatable() {
    return new CallOptions(ask, retries.whenRepeatable(), failures);
  }

  /** The same with another ask. */
  public CallOptions withAsk(Ask other) {
    return new CallOptions(other, retries, failures);
  }

  /** The same with other retries. */
  public CallOptions withRetries(RetryOptions other) {
    return new CallOptions(ask, other, failures);
  }

  /** The same with another reading of exceptions. */
  public CallOptions withFailures(Function<Exception, Signal> other) {
    return new CallOptions(ask, retries, Optional.of(other));
  }

  /** The same with as many waits for throttles as {@code resilience} allows. */
  public CallOptions withResilience(ResilienceOptions resilience) {
    return withRetries(
        new RetryOptions(
            resilience.maxThrottleRetries(), retries.maxAttempts(), retries.repeatable()));
  }
}
