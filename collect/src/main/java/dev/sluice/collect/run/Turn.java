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
   * The next attempt has to wait: whoever cancels the run may wake it.
   *
   * @throws InterruptedException if nobody wants to wait for it
   */
  void queue() throws InterruptedException;

  /**
   * Another attempt may follow the one that was made.
   *
   * @return false if nobody wants it
   */
  boolean queueAgain();

  /** For which stream it is made. */
  String stream();
}
