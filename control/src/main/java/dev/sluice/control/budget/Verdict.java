package dev.sluice.control.budget;

import dev.sluice.control.signal.WireName;

/** Whether a run may make another attempt, and which end it has reached if not. */
public enum Verdict implements WireName {
  /** It may. */
  GRANTED,
  /** All attempts of its request cap are spent. */
  REQUEST_CAP,
  /** Its time is over. */
  WALL_CLOCK;
}
