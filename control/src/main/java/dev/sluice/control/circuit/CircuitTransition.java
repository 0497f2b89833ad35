package dev.sluice.control.circuit;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.WireName;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * The fact that a circuit changed its state: evidence for operators, and enough to {@linkplain
 * CircuitBreaker#restore restore} the circuit later. It knows nothing of routes, records, bodies or
 * credentials, so it is safe to store and to show. Immutable.
 *
 * @param previous the state before; the facts of one circuit form a chain, so it is the {@code
 *     state} of the fact before this one
 * @param state the state since
 * @param trigger what happened
 * @param reason which answers brought it about
 * @param elapsed how long the previous state lasted; never negative
 * @param requests how many requests the circuit had let through in all, a restored circuit's
 *     earlier ones included; at least 0
 * @param retryTokens what was left in the retry budget of the run that saw the change; empty if it
 *     has none, or if nobody {@linkplain #withRetryTokens said}
 */
public record CircuitTransition(
    CircuitState previous,
    CircuitState state,
    Trigger trigger,
    Reason reason,
    Duration elapsed,
    long requests,
    OptionalDouble retryTokens) {

  public CircuitTransition {
    requireNonNull(trigger, "trigger");
    requireNonNull(reason, "reason");
    check(
        requireNonNull(previous, "previous") != requireNonNull(state, "state"),
        "from a state into the same state",
        state);
    check(!elapsed.isNegative(), "elapsed", elapsed);
    check(requests >= 0, "requests", requests);
    check(
        retryTokens.isEmpty()
            || (retryTokens.getAsDouble() >= 0 && Double.isFinite(retryTokens.getAsDouble())),
        "retryTokens",
        retryTokens);
  }

  /** The same fact with what was left in the retry budget; 0 or more, and finite. */
  public CircuitTransition withRetryTokens(double left) {
    return new CircuitTransition(
        previous, state, trigger, reason, elapsed, requests, OptionalDouble.of(left));
  }

  private static void check(boolean valid, String name, Object value) {
    if (!valid) {
      throw new IllegalArgumentException("a circuit transition cannot have " + name + " " + value);
    }
  }

  /** What happened. */
  public enum Trigger implements WireName {
    /** Closed to open: too large a share of the latest calls failed. */
    FAILURE_RATE,
    /** Closed to open: too many calls failed with no success between. */
    FAILURES_IN_ROW,
    /** Open to half-open: the circuit had been open for long enough when a request came. */
    OPEN_TIME_OVER,
    /** Half-open to closed: the probes' answers were good enough. */
    PROBE_SUCCEEDED,
    /** Half-open to open: they were not. */
    PROBE_FAILED,
    /** A person closed the circuit. */
    OPERATOR;
  }

  /** Which answers brought a transition about. */
  public enum Reason implements WireName {
    /** Most of the failures were failures proper. Half-open keeps the reason of the opening. */
    TRANSIENT_FAILURES,
    /** Most of the failures were throttles that gave no wait. Half-open keeps this one, too. */
    THROTTLES,
    /** Most of the failures were permits closed unsettled. Half-open keeps this one, too. */
    UNSETTLED_PERMITS,
    /** Enough of the probes were answered by a healthy service, were it with a refusal. */
    RECOVERED,
    /** No answer: a person's decision. */
    OPERATOR;
  }
}
