package dev.sluice.dataverse.bulk;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * How a job went: its counts add up to the records that it was given. Immutable.
 *
 * @param end how it ended
 * @param progress the counts and times at the end
 * @param failures the first rejected records; the listener heard of all
 */
public record BulkResult(
    BulkEnd end, BulkProgress progress, List<RecordOutcome.Rejected> failures) {
  public BulkResult {
    requireNonNull(end, "end");
    requireNonNull(progress, "progress");
    failures = List.copyOf(failures);
  }

  /** Whether every record is in. */
  public boolean succeeded() {
    return end instanceof BulkEnd.Completed && progress.rejected() == 0;
  }
}
