package dev.sluice.runs.journal;

import java.io.IOException;

/**
 * A file that grows in step with a journal. It is called by one task at a time, which may be a
 * different one each time, and must be visible across them without further care of the journal's:
 * there is a lock between any two calls.
 *
 * <p>Write it without an interruptible channel: a task that is interrupted must not close it for
 * the others.
 */
@FunctionalInterface
public interface Sidecar {

  /** No file. */
  Sidecar NONE = () -> 0;

  /**
   * Makes durable what was written, before a commit that will name it.
   *
   * @return how long the durable file is: after a crash, what is behind that must be cut off
   */
  long sync() throws IOException;

  /**
   * Something to be written to the file, just before the {@link #sync} of the commit that carries
   * its rows' outcome: so neither is ever durable without the other.
   */
  @FunctionalInterface
  interface Lines {
    /** Nothing to write. */
    Lines NONE = () -> {};

    /** Writes it; called at most once. */
    void write() throws IOException;
  }
}
