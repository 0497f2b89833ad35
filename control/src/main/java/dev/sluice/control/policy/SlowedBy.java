package dev.sluice.control.policy;

import dev.sluice.control.signal.WireName;

/** What makes a lane slower than it could be. Stable wire names. */
public enum SlowedBy implements WireName {
  /** Nothing: it sends as fast as work comes. */
  NOTHING,
  /** It has not met a limit yet, and goes faster while requests succeed. */
  START,
  /** The provider refused, or was unavailable, at a higher rate. */
  REFUSALS,
  /** Answers take longer than usual. */
  SLOW_ANSWERS,
  /** What the provider tells of its quota. */
  TOLD_LIMIT,
  /** A rate that was declared. */
  DECLARED_LIMIT,
  /** The provider refuses without saying for how long: single requests find out. */
  PROBING,
  /** A time before which nothing is sent. */
  HOLD,
  /** The service fails: the circuit is open, or one request finds out. */
  CIRCUIT,
  /** A terminal answer: a person has to act. */
  STOP
}
