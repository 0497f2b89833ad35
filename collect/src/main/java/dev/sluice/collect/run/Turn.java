package dev.sluice.collect.run;

/** Told before each attempt, when the gate has let it through. */
interface Turn {
  /**
   * The attempt is about to be made.
   *
   * @throws InterruptedException if it must not be made
   */
  void come() throws InterruptedException;

  /**
   * It will be a while until the next attempt may be made.
   *
   * @throws InterruptedException if nobody wants to wait for it
   */
  void isFarOff() throws InterruptedException;

  /**
   * Another attempt may follow the one that was made.
   *
   * @return false if nobody wants it
   */
  boolean queueAgain();

  /** For which stream it is made. */
  String stream();
}
