package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.RecordKey;

/** What became of one record. Every record of a job has exactly one. Immutable. */
public sealed interface RecordOutcome {

  /** The record's place in the input, from 0. */
  long index();

  /** Which row it is. */
  RecordKey key();

  /** It is in the table (or out of it, if it was to be deleted). */
  record Done(long index, RecordKey key) implements RecordOutcome {}

  /** The service does not take it, for a reason of its own; sending it again changes nothing. */
  record Rejected(long index, RecordKey key, Fault fault) implements RecordOutcome {}

  /**
   * The job ended before it was known to be in: try again in another job.
   *
   * @param maybeDone whether it was sent, and nobody knows what came of it
   */
  record Deferred(long index, RecordKey key, boolean maybeDone) implements RecordOutcome {}
}
