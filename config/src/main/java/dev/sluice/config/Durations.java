package dev.sluice.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Period;
import java.time.temporal.TemporalAmount;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as people write them: {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code 2d}; as ISO
 * 8601 does: {@code PT30S}; and as .NET does: {@code 00:00:30}, {@code 1.12:00:00}.
 */
public final class Durations {
  private static final Pattern UNITS =
      Pattern.compile(
          "(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9}(?:\\.\\d{1,9})?)s)?"
              + "(?:(\\d{1,9})ms)?");
  private static final Pattern CLOCK =
      Pattern.compile("(?:(\\d{1,6})\\.)?(\\d{1,2}):([0-5]?\\d):([0-5]?\\d(?:\\.\\d{1,9})?)");
  private static final Pattern CALENDAR = Pattern.compile("(\\d{1,4})(w|mo|y)");
  private static final Pattern ISO = Pattern.compile("PT-?[0-9][-0-9HMS.]*[HMS]");

  private Durations() {}

  /**
   * A duration. Units are lower-case letters: {@code 6M} could be meant for months.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  public static Duration parse(String text) {
    String written = text.strip();
    Matcher units = UNITS.matcher(written);
    if (!written.isEmpty() && units.matches()) {
      return sum(units).plusMillis(whole(units.group(5)));
    }
    Matcher clock = CLOCK.matcher(written);
    if (clock.matches()) {
      return sum(clock);
    }
    try {
      return Duration.parse(written);
    } catch (DateTimeException e) {
      throw expected(e);
    }
  }

  /**
   * A duration above zero.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  public static Duration parsePositive(String text) {
    Duration duration = parse(text);
    if (!duration.isPositive()) {
      throw expected(null);
    }
    return duration;
  }

  private static IllegalArgumentException expected(@Nullable Exception cause) {
    return new IllegalArgumentException(
        "but a time such as 500ms, 30s, 5m, 1h30m or 2d is expected", cause);
  }

  /**
   * A window: a duration above zero, or weeks, months and years of the calendar: {@code 1w}, {@code
   * 1mo}.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  public static TemporalAmount parseWindow(String text) {
    Matcher calendar = CALENDAR.matcher(text);
    if (calendar.matches() && whole(calendar.group(1)) > 0) {
      int count = (int) whole(calendar.group(1));
      return switch (calendar.group(2)) {
        case "w" -> Period.ofWeeks(count);
        case "mo" -> Period.ofMonths(count);
        default -> Period.ofYears(count);
      };
    }
    try {
      return parsePositive(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "but a window such as 1h, 7d, 1w, 1mo or 1y is expected", e);
    }
  }

  /** As people write it: {@code 1h30m}. */
  public static String words(Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      return duration.isZero() ? "0s" : "-" + words(duration.negated());
    }
    StringBuilder words = new StringBuilder();
    add(words, duration.toDaysPart(), "d");
    add(words, duration.toHoursPart(), "h");
    add(words, duration.toMinutesPart(), "m");
    add(words, duration.toSecondsPart(), "s");
    add(words, duration.toMillisPart(), "ms");
    return words.isEmpty() ? duration.toString() : words.toString();
  }

  /** A message with its durations as people write them, instead of as ISO 8601 does. */
  static String inWords(String message) {
    return ISO.matcher(message).replaceAll(Durations::inWords);
  }

  private static String inWords(MatchResult iso) {
    try {
      return words(Duration.parse(iso.group()));
    } catch (DateTimeException e) {
      return iso.group(); // only looks like one
    }
  }

  /** Of days, hours, minutes and seconds, which a pattern found or not. */
  private static Duration sum(Matcher found) {
    String seconds = found.group(4);
    return Duration.ofDays(whole(found.group(1)))
        .plusHours(whole(found.group(2)))
        .plusMinutes(whole(found.group(3)))
        .plusNanos(seconds == null ? 0 : Math.round(Double.parseDouble(seconds) * 1e9));
  }

  private static long whole(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private static void add(StringBuilder words, long count, String unit) {
    if (count > 0) {
      words.append(count).append(unit);
    }
  }
}
