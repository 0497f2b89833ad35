package dev.sluice.dataverse.fault;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
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

  /** This user may not do that. */
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

  /** The database took too long and rolled back: fewer records at once may pass. */
  record SqlTimeout(String code, String message) implements Fault {}

  /** The database chose this as a deadlock's victim and rolled back. */
  record Deadlock(String code, String message) implements Fault {}

  /** The first parallel bulk messages on a table raced to prepare it; rolled back. */
  record TablePreparation(String code, String message) implements Fault {}

  /** The request was too large to be read. */
  record TooLarge(String code, String message) implements Fault {}

  /** The table or the service does not know this message. */
  record Unsupported(String code, String message) implements Fault {}

  /** A gateway answered, or nobody: the work may have been done. */
  record UnknownOutcome(String code, String message) implements Fault {}
}
