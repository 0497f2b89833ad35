package dev.sluice.dataverse.bulk;

/**
 * Hears what becomes of a job's records. Called by one thread at a time, in the order in which
 * records settle, which is not the order of the input. It should be quick: the job waits for it.
 */
@FunctionalInterface
public interface BulkListener {
  /** Hears nothing. */
  BulkListener NOBODY = outcome -> {};

  /** A record has its outcome. */
  void settled(RecordOutcome outcome);
}
