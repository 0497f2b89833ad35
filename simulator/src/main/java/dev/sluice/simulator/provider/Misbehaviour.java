package dev.sluice.simulator.provider;

/** What real services do, though it helps nobody. */
public enum Misbehaviour {
  /** Told to wait and pressing on, a client is told to wait twice as long each time, up to 1 h. */
  WAITS_ESCALATE,
  /** One refusal closes the account for 30 s, whatever the limit would allow. */
  LOCK_OUT,
  /** Retry-After is half of what it should be. */
  RETRY_AFTER_TOO_SHORT,
  /** Retry-After is a number of milliseconds. */
  RETRY_AFTER_IN_MILLISECONDS,
  /** Every throttle says Retry-After: 0. */
  RETRY_AFTER_ZERO,
  /** Throttles are 403. */
  THROTTLE_AS_403(403),
  /** Throttles are 400. */
  THROTTLE_AS_400(400),
  /** Throttles are 401. */
  THROTTLE_AS_401(401),
  /** Throttles are 200 with an error in the body. */
  THROTTLE_AS_200(200),
  /** After 1,000 admitted requests the credit is spent: 429 for ever. */
  CREDIT_RUNS_OUT,
  /** One of twenty objects is locked for a while, and answers 429. */
  OBJECT_LOCKS;

  private final int throttleStatus;

  Misbehaviour() {
    this(0);
  }

  Misbehaviour(int throttleStatus) {
    this.throttleStatus = throttleStatus;
  }

  /** The status that a throttle gets; 0 if this does not change it. */
  int throttleStatus() {
    return throttleStatus;
  }
}
