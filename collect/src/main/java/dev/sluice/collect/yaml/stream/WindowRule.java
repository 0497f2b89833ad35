package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Condition;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAmount;
import java.util.Locale;
import java.util.Optional;

/**
 * Windows of time in which a stream is read. Immutable.
 *
 * @param by the member that says into which window a record falls
 * @param length of a window
 * @param steadyLength the same for steady work
 * @param from where a request says its beginning
 * @param to where a request says its end
 * @param inclusive whether the end that is asked for is read, too
 * @param step the smallest difference between two times, and the smallest window
 * @param settle how long a window may still change, and is read again
 * @param shrinkWhen when a window is too large
 */
record WindowRule(
    String by,
    TemporalAmount length,
    TemporalAmount steadyLength,
    Spot from,
    Spot to,
    boolean inclusive,
    Duration step,
    Format format,
    Duration settle,
    Optional<Condition> shrinkWhen) {

  /** The end of a window, halved as often as it was found to be too large; at least a step on. */
  Instant end(Instant begin, boolean steady, int shrink) {
    Duration whole = Duration.between(begin, plus(begin, steady ? steadyLength : length));
    Duration part = whole.dividedBy(1L << Math.min(shrink, 40));
    return begin.plus(steps(part));
  }

  /** Whether a window that was halved so often is still longer than a step. */
  boolean canShrink(boolean steady, int shrink) {
    return end(Instant.EPOCH, steady, shrink).isAfter(Instant.EPOCH.plus(step));
  }

  /** The beginning of the window that ends there. */
  Instant begin(Instant end, int shrink) {
    Duration whole = Duration.between(minus(end, length), end);
    return end.minus(steps(whole.dividedBy(1L << Math.min(shrink, 40))));
  }

  /** Rounded up to whole steps, at least one. */
  private Duration steps(Duration part) {
    long count = Math.max(1, part.dividedBy(step));
    return step.multipliedBy(part.minus(step.multipliedBy(count)).isPositive() ? count + 1 : count);
  }

  /** The last whole step at or before a time. */
  Instant floor(Instant time) {
    long nanos = step.toNanos();
    long since = Math.floorMod(ChronoUnit.MILLIS.between(Instant.EPOCH, time) * 1_000_000, nanos);
    return time.truncatedTo(ChronoUnit.MILLIS).minusNanos(since);
  }

  /** A window's end as it is asked for. */
  String asked(Instant end) {
    return format.write(inclusive ? end.minus(step) : end);
  }

  private static Instant plus(Instant time, TemporalAmount amount) {
    return ZonedDateTime.ofInstant(time, ZoneOffset.UTC).plus(amount).toInstant();
  }

  private static Instant minus(Instant time, TemporalAmount amount) {
    return ZonedDateTime.ofInstant(time, ZoneOffset.UTC).minus(amount).toInstant();
  }

  /** How times are written. */
  enum Format {
    /** A day of UTC. */
    DATE,
    /** {@code 2024-05-02T09:00:00Z}. */
    INSTANT,
    /** {@code 2024-05-02T09:00:00+00:00}. */
    ISO_OFFSET,
    EPOCH_SECONDS,
    EPOCH_MILLIS;

    private static final DateTimeFormatter OFFSET =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    String write(Instant time) {
      return switch (this) {
        case DATE -> LocalDate.ofInstant(time, ZoneOffset.UTC).toString();
        case INSTANT -> time.toString();
        case ISO_OFFSET -> OFFSET.format(time);
        case EPOCH_SECONDS -> Long.toString(time.getEpochSecond());
        case EPOCH_MILLIS -> Long.toString(time.toEpochMilli());
      };
    }

    /**
     * Reads what it has written, or a date or time that was configured.
     *
     * @throws IllegalArgumentException if it is neither
     */
    Instant read(String text) {
      try {
        if (text.indexOf('T') > 0) {
          return OffsetDateTime.parse(text).toInstant();
        }
        if (text.matches("\\d{4}-\\d\\d-\\d\\d")) {
          return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        }
      } catch (DateTimeException e) {
        throw new IllegalArgumentException("no time", e);
      }
      return (this == EPOCH_MILLIS ? CursorType.EPOCH_MILLIS : CursorType.EPOCH_SECONDS)
          .instant(text);
    }
  }
}
