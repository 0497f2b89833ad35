package dev.sluice.load.mapping;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Dates, and points in time: read as ISO 8601 or by a pattern, written as the service wants them: a
 * day without time, or a time in UTC to the second.
 *
 * <p>A time without an offset that the clocks of its zone skip or show twice is not taken.
 */
final class Dates implements Converter {
  private static final int FIRST_YEAR = 1753; // the service knows none before it
  private static final int LAST_YEAR = 9999;

  /** ISO 8601 as it is found: a space for the T, time, fraction and offset left out. */
  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .parseCaseInsensitive()
          .appendPattern("['T'][ ]")
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .appendPattern("[ ][XXXXX][XX][X]")
          .optionalEnd()
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private final boolean time;
  private final @Nullable DatePattern pattern;
  private final ZoneId zone;
  private final boolean utc;

  /**
   * Dates of a column.
   *
   * @param time whether they have a time of day
   * @param zone where times were written that do not say it
   */
  Dates(boolean time, @Nullable DatePattern pattern, ZoneId zone) {
    this.time = time;
    this.pattern = pattern;
    this.zone = zone;
    this.utc = zone.normalized().equals(ZoneOffset.UTC);
  }

  @Override
  public boolean write(String value, StringBuilder json) {
    if (pattern == null && plain(value)) {
      json.append('"').append(value, 0, 10);
      if (time) {
        json.append('T').append(value, 11, 19).append('Z');
      }
      json.append('"');
      return true;
    }
    try {
      TemporalAccessor parsed = parsed(value);
      return time ? writeTime(parsed, json) : writeDay(parsed, json);
    } catch (DateTimeException e) {
      return false;
    }
  }

  private TemporalAccessor parsed(String value) {
    return (pattern == null ? ISO : pattern.formatter()).parse(value);
  }

  /** Whether it is right as it stands, which is found out without making anything. */
  private boolean plain(String value) {
    int length = value.length();
    if (time ? length != 20 && (length != 19 || !utc) : length != 10) {
      return false;
    }
    int year = number(value, 0, 4);
    int month = number(value, 5, 7);
    int day = number(value, 8, 10);
    if (value.charAt(4) != '-'
        || value.charAt(7) != '-'
        || year < FIRST_YEAR
        || month < 1
        || month > 12
        || day < 1
        || (day > 28 && day > YearMonth.of(year, month).lengthOfMonth())) {
      return false;
    }
    return !time
        || ((value.charAt(10) == 'T' || value.charAt(10) == ' ')
            && value.charAt(13) == ':'
            && value.charAt(16) == ':'
            && within(number(value, 11, 13), 23)
            && within(number(value, 14, 16), 59)
            && within(number(value, 17, 19), 59)
            && (length == 19 || value.charAt(19) == 'Z'));
  }

  private static boolean within(int number, int most) {
    return number >= 0 && number <= most;
  }

  private static int number(String value, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      char c = value.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + c - '0';
    }
    return number;
  }

  private boolean writeTime(TemporalAccessor parsed, StringBuilder json) {
    ZoneId where = zone(parsed);
    Instant instant;
    if (hasClock(parsed)) {
      LocalDateTime local = LocalDateTime.from(parsed);
      List<ZoneOffset> offsets = where.getRules().getValidOffsets(local);
      if (offsets.size() != 1) {
        return false;
      }
      instant = local.toInstant(offsets.getFirst());
    } else {
      instant = LocalDate.from(parsed).atStartOfDay(where).toInstant();
    }
    json.append('"').append(instant.truncatedTo(ChronoUnit.SECONDS)).append('"');
    return known(instant.atZone(ZoneOffset.UTC).getYear());
  }

  private static boolean hasClock(TemporalAccessor parsed) {
    return parsed.query(TemporalQueries.localTime()) != null;
  }

  /** Where it was written: what it says itself goes before what is said of all. */
  private ZoneId zone(TemporalAccessor parsed) {
    ZoneId offset = parsed.query(TemporalQueries.offset());
    ZoneId said = offset == null ? parsed.query(TemporalQueries.zoneId()) : offset;
    return said == null ? zone : said;
  }

  /** A time of day other than midnight would be lost: it is not taken. */
  private static boolean writeDay(TemporalAccessor parsed, StringBuilder json) {
    LocalDate day = LocalDate.from(parsed);
    json.append('"').append(day).append('"');
    return known(day.getYear())
        && (!hasClock(parsed) || LocalTime.from(parsed).equals(LocalTime.MIDNIGHT));
  }

  private static boolean known(int year) {
    return year >= FIRST_YEAR && year <= LAST_YEAR;
  }

  @Override
  public String expected(String value) {
    String change = time ? clockChange(value) : null;
    if (change != null) {
      return change;
    }
    String what = time ? "a time such as 2026-01-05T10:00:00Z" : "a date such as 2026-01-05";
    return (pattern == null ? what : "a date written as " + pattern.text())
        + ", not before 1753, is expected";
  }

  /** What a change of the clocks does to a time; null if it is not that. */
  private @Nullable String clockChange(String value) {
    try {
      TemporalAccessor parsed = parsed(value);
      ZoneId where = zone(parsed);
      ZoneOffsetTransition change =
          hasClock(parsed) ? where.getRules().getTransition(LocalDateTime.from(parsed)) : null;
      if (change == null) {
        return null;
      }
      LocalTime before = change.getDateTimeBefore().toLocalTime();
      LocalTime after = change.getDateTimeAfter().toLocalTime();
      return change.isGap()
          ? ("there is no such time in %s: clocks go forward from %s to %s; an existing time is"
                  + " expected")
              .formatted(where, before, after)
          : ("that time occurs twice in %s: clocks go back from %s to %s; one with its offset (%s"
                  + " or %s) is expected")
              .formatted(where, before, after, change.getOffsetBefore(), change.getOffsetAfter());
    } catch (DateTimeException e) {
      return null;
    }
  }
}
