package dev.sluice.collect.run;

import dev.sluice.control.signal.WireName;
import dev.sluice.gate.HoldCause;

/** What a request had to wait for. Stable wire names. */
public enum Wait implements WireName {
  /** The provider named the time. */
  TOLD("as the provider told"),
  /** The provider throttled and named no time. */
  HINTLESS("after throttles that named no time"),
  /** Nothing was left of a quota. */
  QUOTA("for a quota to be renewed"),
  /** Whoever comes from this machine's address was throttled. */
  ADDRESS("because this address was throttled"),
  /** Too many requests failed. */
  CIRCUIT("for the open circuit to be tried again"),
  /** A single request failed. */
  BACK_OFF("before retries"),
  /** A list request was out of attempts. */
  PAUSE("before a list was asked for again"),
  /** The pace, or as many requests under way as may be. */
  PACE("for the pace");

  private final String words;

  Wait(String words) {
    this.words = words;
  }

  /** For people: goes after "waited 5 s". */
  public String words() {
    return words;
  }

  static Wait of(HoldCause cause) {
    return switch (cause) {
      case TOLD -> TOLD;
      case HINTLESS -> HINTLESS;
      case QUOTA -> QUOTA;
      case ADDRESS -> ADDRESS;
    };
  }
}
