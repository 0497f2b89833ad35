package dev.sluice.load.run;

import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.RunRecord;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The same input was loaded before, to its end, and nobody asked for it again; the message says
 * when, what came of it, and what to do. Nothing was sent.
 */
public final class AlreadyLoadedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient RunRecord run;
  private final transient Optional<Path> rejects;

  AlreadyLoadedException(String message, RunRecord run, Optional<Path> rejects) {
    super(message);
    this.run = run;
    this.rejects = rejects;
  }

  /** The run that finished it. */
  public RunRecord run() {
    return run;
  }

  /** How that ended. */
  public Outcome outcome() {
    return run.outcome().orElseThrow();
  }

  /** Where its rejected records are, if there were any. */
  public Optional<Path> rejects() {
    return rejects;
  }
}
