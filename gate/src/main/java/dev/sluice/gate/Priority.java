package dev.sluice.gate;

/** Who goes first among those that could be sent now. */
public enum Priority {
  /** Ordinary work: before background work. */
  STEADY,

  /**
   * Work that can wait, such as catching up: gets what is left, and at least every tenth permit.
   */
  BACKGROUND
}
