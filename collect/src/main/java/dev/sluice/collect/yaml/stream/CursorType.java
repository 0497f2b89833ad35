package dev.sluice.collect.yaml.stream;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** What the values of a cursor are, and so how they compare. */
enum CursorType {
  /** RFC 3339. */
  INSTANT,
  /** A day of UTC. */
  DATE,
  EPOCH_SECONDS,
  EPOCH_MILLIS,
  /** A whole number that is not negative. */
  INT,
  /** A text that sorts as it is. */
  TEXT;

  private static final DateTimeFormatter SORTABLE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final int DIGITS = 20;

  boolean isNumber() {
    return this == INT || this == EPOCH_SECONDS || this == EPOCH_MILLIS;
  }

  boolean isTime() {
    return this != INT && this != TEXT;
  }

  /**
   * A value so that its text sorts as the values do.
   *
   * @throws IllegalArgumentException if it is no value of this type
   */
  String sortable(String raw) {
    return switch (this) {
      case TEXT -> raw;
      case INT -> {
        if (!raw.matches("[0-9]{1,20}")) {
          throw new IllegalArgumentException("no whole number from 0 on");
        }
        String digits = new BigInteger(raw).toString();
        yield "0".repeat(Math.max(0, DIGITS - digits.length())) + digits;
      }
      case DATE -> date(raw).toString();
      case INSTANT, EPOCH_SECONDS, EPOCH_MILLIS -> SORTABLE.format(instant(raw));
    };
  }

  /** Compares two values. */
  int compare(String one, String other) {
    return sortable(one).compareTo(sortable(other));
  }

  /** The moment that a value stands for; for types that are times. */
  Instant instant(String raw) {
    try {
      return switch (this) {
        case INSTANT -> OffsetDateTime.parse(raw.strip()).toInstant();
        case DATE -> date(raw).atStartOfDay(ZoneOffset.UTC).toInstant();
        case EPOCH_SECONDS -> epoch(raw, 9);
        case EPOCH_MILLIS -> epoch(raw, 6);
        case INT, TEXT -> throw new IllegalArgumentException("no time");
      };
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("no time of the declared form", e);
    }
  }

  private static LocalDate date(String raw) {
    try {
      return LocalDate.parse(raw.length() > 10 ? raw.substring(0, 10) : raw);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("no date", e);
    }
  }

  private static Instant epoch(String raw, int toNanos) {
    if (!raw.strip().matches("-?[0-9]{1,18}(\\.[0-9]{1,9})?")) {
      throw new IllegalArgumentException("no number");
    }
    BigInteger nanos =
        new BigDecimal(raw.strip())
            .movePointRight(toNanos)
            .setScale(0, RoundingMode.FLOOR)
            .toBigInteger();
    BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(1_000_000_000));
    return Instant.ofEpochSecond(parts[0].longValueExact(), parts[1].longValueExact());
  }

  /** A moment as a value; for types that are times. */
  String of(Instant moment) {
    return switch (this) {
      case INSTANT -> moment.toString();
      case DATE -> LocalDate.ofInstant(moment, ZoneOffset.UTC).toString();
      case EPOCH_SECONDS -> Long.toString(moment.getEpochSecond());
      case EPOCH_MILLIS -> Long.toString(moment.toEpochMilli());
      case INT, TEXT -> throw new IllegalArgumentException("no time");
    };
  }

  /** A date or a time as configured, as a value of this type; all else as it is. */
  String converted(String configured) {
    if (!isTime()) {
      return configured;
    }
    if (configured.matches("\\d{4}-\\d\\d-\\d\\d")) {
      return this == DATE ? configured : of(DATE.instant(configured));
    }
    return configured.contains("T") && this != INSTANT
        ? of(INSTANT.instant(configured))
        : configured;
  }

  /** A value so much earlier; as it is without an overlap, or if nothing is known to be earlier. */
  String before(String raw, Optional<Duration> overlap) {
    if (overlap.isEmpty() || !isTime()) {
      return raw;
    }
    Instant moment = instant(raw).minus(overlap.get());
    return of(
        this == EPOCH_SECONDS || this == DATE ? moment.truncatedTo(ChronoUnit.SECONDS) : moment);
  }
}
