package dev.sluice.gate;

import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.Optional;

/**
 * Something that happened at a gate, safe to show: no routes, ids, bodies or credentials.
 * Immutable.
 */
public sealed interface GateEvent {

  /** A throttle was settled. */
  record Throttled(String lane, Signal.Facet facet, String code, Optional<Duration> retryAfter)
      implements GateEvent {}

  /** A lane sends nothing for this long from now. */
  record Held(String lane, Duration remaining, HoldCause cause) implements GateEvent {}

  /** A lane's pace changed notably; permits per second. */
  record Paced(String lane, double from, double to) implements GateEvent {}

  /**
   * Something else makes a lane slower than it could be, or nothing does any more.
   *
   * @param reason in one sentence, with figures; empty if nothing does
   */
  record Slowed(String lane, SlowedBy cause, String reason) implements GateEvent {}

  /** A lane's parallelism changed. */
  record ParallelismChanged(String lane, int from, int to) implements GateEvent {}

  /** A lane's circuit moved. */
  record CircuitMoved(String lane, CircuitTransition transition) implements GateEvent {
    CircuitMoved withRetryTokens(long tokens) {
      return new CircuitMoved(lane, transition.withRetryTokens((double) tokens));
    }
  }

  /** A lane was stopped until a person acts. */
  record LaneStopped(String lane, Signal.Stopped.Reason reason) implements GateEvent {}

  /**
   * A call is tried again.
   *
   * @param lane the lane of the attempt that failed
   * @param cause what came back: {@code throttled} or {@code transient}
   * @param attempts how many attempts the call has made
   * @param backoff the call's own wait; zero where a hold or another lane decides
   */
  record Retried(String lane, String cause, int attempts, Duration backoff) implements GateEvent {}

  /** A caller was refused. */
  record Refused(String run, Refusal refusal) implements GateEvent {}
}
