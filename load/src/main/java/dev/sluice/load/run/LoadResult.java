package dev.sluice.load.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.run.Outcome;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a load went. Done, rejected and deferred records are all that were read. Immutable.
 *
 * @param deferred records that were read and are still to be sent
 * @param complete whether the input was read to its end
 * @param rejects where rejected records are; empty if there are none
 * @param resumed whether it went on with the work of an earlier run
 */
public record LoadResult(
    Outcome outcome,
    LoadProgress progress,
    long deferred,
    boolean complete,
    Optional<Path> rejects,
    boolean resumed) {
  public LoadResult {
    requireNonNull(outcome, "outcome");
    requireNonNull(progress, "progress");
    requireNonNull(rejects, "rejects");
  }

  /** The same with another outcome. */
  LoadResult with(Outcome other) {
    return new LoadResult(other, progress, deferred, complete, rejects, resumed);
  }
}
