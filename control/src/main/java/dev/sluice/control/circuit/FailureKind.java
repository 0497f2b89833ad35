package dev.sluice.control.circuit;

import dev.sluice.control.circuit.CircuitTransition.Reason;

/** What kind of answer counts against the other side's health. */
public enum FailureKind {
  /** It failed, or no answer came. */
  TRANSIENT(Reason.TRANSIENT_FAILURES),
  /** It asked to slow down without saying for how long. */
  THROTTLED(Reason.THROTTLES),
  /** Nobody said what came back. */
  UNSETTLED(Reason.UNSETTLED_PERMITS);

  private final Reason reason;

  FailureKind(Reason reason) {
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }
}
