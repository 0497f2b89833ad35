package dev.sluice.dataverse.fault;

import dev.sluice.control.signal.Signal.Facet;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an error code means, whatever the status beside it. */
enum Meaning {
  TOO_MANY_REQUESTS(0x80072322),
  TOO_MUCH_TIME(0x80072321),
  TOO_MANY_AT_ONCE(0x80072326),
  THROTTLED_SOMEHOW,
  BUSY(
      // Pressure on databases, caches and workers; and an application in too many environments.
      0x8005F103,
      0x80072324,
      0x80072327,
      0x80072330,
      0x80072323,
      0x80072329,
      0x8004A001,
      0x80048564,
      0x80048559,
      0x80081116,
      // Somebody imports, publishes or upgrades.
      0x80071151,
      0x80048543,
      0x80048553,
      0x80048554,
      0x80044358,
      // Queries that are slowed down.
      0x80048544,
      0x80048644,
      0x80048744,
      0x80048745,
      0x80050544,
      // A plug-in that chose 503, 429 or 408 for its answer.
      0x80048D03,
      0x80048D04,
      0x80048D07),
  AUTHENTICATION(0x8004A100, 0x8004A101, 0x8004A102, 0x8004A103, 0x8004A105, 0x8005F101),
  PRIVILEGE(
      0x80040220,
      0x80048306,
      0x80048405,
      0x80095FFC,
      // Users that are disabled, without licence, without roles, or strangers.
      0x80040225,
      0x8004D24B,
      0x80042F09,
      0x80072560,
      // The environment takes nothing from anybody: disabled, or out of storage.
      0x8004A104,
      0x80072325),
  NOT_FOUND(0x80040217, 0x80060891),
  DUPLICATE_ID(0x80040237),
  DUPLICATE_KEY(0x80060892, 0x80073002),
  VALIDATION(
      // Keys, versions, and what still lies in the recycle bin.
      0x80043239,
      0x80040333,
      0x80060882,
      0x80060883,
      0x8006088D,
      0x80060889,
      0x80060890,
      0x8006088F,
      // Values.
      0x80044331,
      0x80073001,
      0x8004431A,
      0x8004432F,
      0x80044330,
      0x80040239,
      0x80040278,
      0x80040200,
      0x80048408,
      0x80040203,
      0x80040353,
      0x80048D43,
      0x80048D19,
      // Addresses and queries, those that never end among them.
      0x80060888,
      0x8006088A,
      0x80041102,
      0x80041103,
      0x8004112A,
      0x80041129,
      0x8004430A,
      0x8004E023,
      0x80044352,
      0x80072491,
      0x80048573,
      0x80048574,
      0x80048575,
      0x80049544,
      0x80049545,
      // Plug-ins that refuse, whatever status they chose, and relations that forbid a delete.
      0x80040265,
      0x80048D02,
      0x80048D05,
      0x80048D06,
      0x80048D08,
      0x80048D09,
      0x80048D0A,
      0x80048D0B,
      0x80048D0C,
      0x80040227),
  SQL_TIMEOUT(0x80044151, 0x80044171, 0x80044172, 0x80044173, 0x80081111),
  DEADLOCK(0x80040255, 0x80040251, 0x80048105, 0x80072031, 0x80098019),
  TABLE_PREPARATION,
  TOO_LARGE(0x8004418A),
  UNSUPPORTED(0x80040219, 0x80048D2D, 0x80072535),
  UNKNOWN_OUTCOME(0x80073000),
  NOT_DATAVERSE;

  /** SQL errors whose number, in the message, says what happened. */
  static final int GENERIC_SQL = 0x80044150;

  /** What the service says when it does not know either; so does a plug-in. */
  static final int UNEXPECTED = 0x80040216;

  static final int UNEXPECTED_IN_PLUG_IN = 0x80040224;

  private static final Map<Integer, Meaning> BY_CODE = new HashMap<>();

  static {
    for (Meaning meaning : values()) {
      for (int code : meaning.codes) {
        BY_CODE.put(code, meaning);
      }
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // never written after construction
  private final int[] codes;

  Meaning(int... codes) {
    this.codes = codes;
  }

  /** The meaning of a code; null if it is not known. */
  static @Nullable Meaning of(int code) {
    return BY_CODE.get(code);
  }

  Fault fault(Optional<Duration> wait, String code, String message) {
    return switch (this) {
      case TOO_MANY_REQUESTS -> new Fault.ServiceProtection(Facet.REQUESTS, wait, code, message);
      case TOO_MUCH_TIME -> new Fault.ServiceProtection(Facet.EXECUTION_TIME, wait, code, message);
      case TOO_MANY_AT_ONCE -> new Fault.ServiceProtection(Facet.CONCURRENCY, wait, code, message);
      case THROTTLED_SOMEHOW -> new Fault.ServiceProtection(Facet.UNKNOWN, wait, code, message);
      case BUSY -> new Fault.Busy(wait, code, message);
      case AUTHENTICATION -> new Fault.Authentication(code, message);
      case PRIVILEGE -> new Fault.Privilege(code, message);
      case NOT_FOUND -> new Fault.NotFound(code, message);
      case DUPLICATE_ID -> new Fault.Duplicate(true, code, message);
      case DUPLICATE_KEY -> new Fault.Duplicate(false, code, message);
      case VALIDATION -> new Fault.Validation(code, message);
      case SQL_TIMEOUT -> new Fault.SqlTimeout(code, message);
      case DEADLOCK -> new Fault.Deadlock(code, message);
      case TABLE_PREPARATION -> new Fault.TablePreparation(code, message);
      case TOO_LARGE -> new Fault.TooLarge(code, message);
      case UNSUPPORTED -> new Fault.Unsupported(code, message);
      case UNKNOWN_OUTCOME -> new Fault.UnknownOutcome(code, message);
      case NOT_DATAVERSE -> new Fault.NotDataverse(code, message);
    };
  }

  /** Whether the service asks to stay away. */
  boolean throttles() {
    return switch (this) {
      case TOO_MANY_REQUESTS, TOO_MUCH_TIME, TOO_MANY_AT_ONCE, THROTTLED_SOMEHOW, BUSY -> true;
      default -> false;
    };
  }
}
