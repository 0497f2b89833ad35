package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.fault.Fault;
import dev.sluice.gate.Refusal;

/** How a job ended. Immutable. */
public sealed interface BulkEnd {

  /** Every record is done or rejected. */
  record Completed() implements BulkEnd {}

  /** Somebody asked it to stop. */
  record Cancelled() implements BulkEnd {}

  /** The gate lets nothing more through: the run's own budget, a long hold, no identity left. */
  record Refused(Refusal refusal) implements BulkEnd {}

  /** The service did not answer, again and again, or something else answered in its place. */
  record Unreachable(Fault fault) implements BulkEnd {}

  /** No identity may write into this table. */
  record Forbidden(Fault fault) implements BulkEnd {}

  /** The records could not be read, or what was done not be written down. */
  record Broken(Exception cause) implements BulkEnd {}
}
