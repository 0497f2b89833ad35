package dev.sluice.bench;

/** What a limiter under measurement is set up to answer, each time it is asked. */
public enum Outcome {
  /** Its limit is so far away that no measurement reaches it. */
  GRANTED,
  /** Its limit is spent, and stays so for as long as any measurement lasts. */
  REFUSED;

  /**
   * The answer, if it is the expected one: a figure for grants must not contain refusals.
   *
   * @throws IllegalStateException if it is the other one, which ends the measurement
   */
  boolean confirmed(boolean granted) {
    if (granted != (this == GRANTED)) {
      throw new IllegalStateException(
          "set up to be always " + this + ", but was " + (granted ? GRANTED : REFUSED));
    }
    return granted;
  }
}
