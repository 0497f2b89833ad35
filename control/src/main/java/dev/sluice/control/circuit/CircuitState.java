package dev.sluice.control.circuit;

import dev.sluice.control.signal.WireName;

/** What a circuit lets through. */
public enum CircuitState implements WireName {
  /** Everything: the other side is taken to be healthy. */
  CLOSED,
  /** Nothing: a request fails at once, without being sent. */
  OPEN,
  /** A fixed number of probes, whose answers decide; everybody else waits for them. */
  HALF_OPEN;
}
