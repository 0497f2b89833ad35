package dev.sluice.dataverse.fault;

import dev.sluice.control.signal.WireName;

/** What a fault means for sending the same again. */
public enum RetryClass implements WireName {
  /**
   * Refused before any work: sent again whenever the service allows it, or in the form that it
   * takes.
   */
  REFUSED,
  /** Begun, and rolled back by the service: sent again a few times, maybe in smaller pieces. */
  ROLLED_BACK,
  /** Nobody knows whether it was done: sent again only if a repeat is harmless. */
  UNKNOWN_OUTCOME,
  /** The data is at fault: never sent again as it is. */
  DATA,
  /** Nothing that this identity sends will pass until somebody changes something. */
  ACCESS
}
