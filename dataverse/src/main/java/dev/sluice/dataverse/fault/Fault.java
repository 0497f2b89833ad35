package dev.sluice.dataverse.fault;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an error answer of Dataverse means. Read from the error code first, because statuses are
 * shared by very different errors. Immutable.
 */
public sealed interface Fault {

  /** The service's own code, such as {@code 0x80040237}; empty if it gave none. */
  String code();

  /** The service's own words; may quote what was sent, so it is for whoever owns the data. */
  String message();

  /** A stable name for statistics, reject files and logs. */
  default String wireName() {
    return switch (this) {
      case ServiceProtection protection -> "service_protection";
      case Busy busy -> "busy";
      case Authentication authentication -> "authentication";
      case Privilege privilege -> "privilege";
      case NotFound notFound -> "not_found";
      case Duplicate duplicate -> "duplicate";
      case Validation validation -> "validation";
      case SqlTimeout timeout -> "sql_timeout";
      case Deadlock deadlock -> "deadlock";
      case TablePreparation preparation -> "table_preparation";
      case TooLarge large -> "too_large";
      case Unsupported unsupported -> "unsupported";
      case UnknownOutcome unknown -> "unknown_outcome";
      case NotDataverse foreign -> "not_dataverse";
    };
  }

  /** What it says to the gate, without the quota hints that its answer may have carried. */
  default Signal signal() {
    return switch (this) {
      case ServiceProtection protection ->
          new Signal.Throttled(
              protection.retryAfter(), protection.facet(), protection.code(), List.of());
      case Busy busy ->
          new Signal.Throttled(busy.retryAfter(), Signal.Facet.UNKNOWN, busy.code(), List.of());
      case Authentication authentication -> Signal.rejected(Signal.Rejected.Kind.UNAUTHORIZED);
      case Privilege privilege -> Signal.rejected(Signal.Rejected.Kind.FORBIDDEN);
      case NotFound notFound -> Signal.rejected(Signal.Rejected.Kind.NOT_FOUND);
      case Duplicate duplicate -> Signal.rejected(Signal.Rejected.Kind.INVALID);
      case Validation validation -> Signal.rejected(Signal.Rejected.Kind.INVALID);
      case SqlTimeout timeout -> Signal.answered(Signal.Answered.Kind.SQL_TIMEOUT);
      case Deadlock deadlock -> Signal.answered(Signal.Answered.Kind.DEADLOCK);
      case TablePreparation preparation -> Signal.answered(Signal.Answered.Kind.TABLE_PREPARATION);
      case TooLarge large -> Signal.answered(Signal.Answered.Kind.TOO_LARGE);
      case Unsupported unsupported -> Signal.rejected(Signal.Rejected.Kind.INVALID);
      case UnknownOutcome unknown -> Signal.transientFailure(Signal.Transient.Kind.UNKNOWN_OUTCOME);
      case NotDataverse foreign -> Signal.transientFailure(Signal.Transient.Kind.UNKNOWN_OUTCOME);
    };
  }

  /** Refused before any work by one of the three service protection limits. */
  record ServiceProtection(
      Signal.Facet facet, Optional<Duration> retryAfter, String code, String message)
      implements Fault {
    public ServiceProtection {
      requireNonNull(facet, "facet");
      requireNonNull(retryAfter, "retryAfter");
    }
  }

  /** The service says that it is too busy, outside service protection; nothing was done. */
  record Busy(Optional<Duration> retryAfter, String code, String message) implements Fault {}

  /** The token was refused: a new one may help, once. */
  record Authentication(String code, String message) implements Fault {}

  /**
   * This user may not do that, or nobody may now: the environment is disabled, or out of storage.
   */
  record Privilege(String code, String message) implements Fault {}

  /** A record, or what it refers to, does not exist. */
  record NotFound(String code, String message) implements Fault {}

  /**
   * A record with that key exists.
   *
   * @param ofPrimaryKey whether the key is the primary one
   */
  record Duplicate(boolean ofPrimaryKey, String code, String message) implements Fault {}

  /** The service looked at the data and refused it; sending it again changes nothing. */
  record Validation(String code, String message) implements Fault {}

  /**
   * The database, or a plug-in, took too long, and all was rolled back: fewer records at once may
   * pass.
   */
  record SqlTimeout(String code, String message) implements Fault {}

  /**
   * The database chose this as a deadlock's victim and rolled back. So did the service if it
   * aborted the transaction, lost a worker, or found the same row in use.
   */
  record Deadlock(String code, String message) implements Fault {}

  /** The first parallel bulk messages on a table raced to prepare it; rolled back. */
  record TablePreparation(String code, String message) implements Fault {}

  /** The request was too large to be read. */
  record TooLarge(String code, String message) implements Fault {}

  /** The table or the service does not know this message. */
  record Unsupported(String code, String message) implements Fault {}

  /** A gateway answered, or nobody: the work may have been done. */
  record UnknownOutcome(String code, String message) implements Fault {}

  /**
   * An answer that Dataverse does not give, such as a proxy's page, or one that does not prove that
   * the work was done: the work may have been done, and nothing is rejected for it.
   */
  record NotDataverse(String code, String message) implements Fault {}
}
