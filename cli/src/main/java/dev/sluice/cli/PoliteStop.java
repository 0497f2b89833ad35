package dev.sluice.cli;

import dev.sluice.gate.time.Termination;
import java.io.PrintWriter;
import java.time.Duration;

/** How work ends that somebody stops with Ctrl-C, or an operator with a signal. */
final class PoliteStop {
  /** How long what is under way may take to finish. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** How long the end may be told and written down afterwards. */
  private static final Duration CLEAN_UP = Duration.ofSeconds(5);

  private PoliteStop() {}

  /** Work that can be asked to end. */
  interface Stoppable {
    void cancel(Duration grace) throws InterruptedException;
  }

  /**
   * Watches over work until the answer is closed. Whoever stops it is told at once that they were
   * heard, since the work itself may take a while to end.
   */
  static Termination watch(Stoppable work, PrintWriter err) {
    return Termination.watch(
        () -> {
          // A line that is written over stays as it is.
          err.printf(
              "%sstopping: what is under way may finish within %d s%n",
              LiveLine.onTerminal() ? System.lineSeparator() : "", GRACE.toSeconds());
          err.flush();
          cancel(work);
        },
        GRACE.plus(CLEAN_UP));
  }

  private static void cancel(Stoppable work) {
    try {
      work.cancel(GRACE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
