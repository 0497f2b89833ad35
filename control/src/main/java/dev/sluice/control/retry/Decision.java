package dev.sluice.control.retry;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.WireName;

/** What to do with a request after an answer. Immutable. */
public sealed interface Decision {

  /** It is answered; whatever the answer said, trying again is not for this table to decide. */
  record Done() implements Decision {}

  /** Throttled, but some lane that was not tried since the last wait is free: go on at once. */
  record Reroute() implements Decision {}

  /**
   * Throttled, and no such lane is free: ask the gate again, which waits until one is, holding
   * nothing. The lanes' holds say until when, so there is no time here.
   */
  record AwaitLane() implements Decision {}

  /**
   * It failed and may pass: try again, not before this time.
   *
   * @param notBefore monotonic nanoseconds
   */
  record RetryAt(long notBefore) implements Decision {}

  /** No more attempts. */
  record GiveUp(Reason reason) implements Decision {
    public GiveUp {
      requireNonNull(reason, "reason");
    }
  }

  /** Why a request is given up. */
  enum Reason implements WireName {
    /** It has had all its waits for throttles to end: the provider's pressure. */
    THROTTLE_RETRIES,
    /** It has lost all its attempts to transient failures: the provider's pressure. */
    ATTEMPTS,
    /** The run has spent its retries: planned, and no pressure of the provider. */
    RETRY_BUDGET,
    /** It may have been carried out, and a repeat might do harm. */
    OUTCOME_UNKNOWN;
  }
}
