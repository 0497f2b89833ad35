package dev.sluice.gate;

import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.WireName;

/** Why nothing is sent for a while. Stable wire names. */
public enum HoldCause implements WireName {
  /** A throttle named the time. */
  TOLD,
  /** A throttle named none: the wait is this side's own. */
  HINTLESS,
  /** An answer said that nothing is left of a quota until then. */
  QUOTA,
  /** Whoever comes from this machine's address was throttled, on whichever lane. */
  ADDRESS;

  /** Why a lane is held since this signal was settled. */
  public static HoldCause of(Signal signal) {
    return switch (signal) {
      case Signal.Throttled throttled -> throttled.retryAfter().isPresent() ? TOLD : HINTLESS;
      case Signal.Success success -> QUOTA;
      case Signal.Answered answered -> QUOTA;
      case Signal.Rejected rejected -> QUOTA;
      case Signal.Transient failure -> QUOTA;
      case Signal.Stopped stopped -> QUOTA;
      case Signal.Cancelled cancelled -> QUOTA;
    };
  }
}
