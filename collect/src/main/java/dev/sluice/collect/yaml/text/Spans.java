package dev.sluice.collect.yaml.text;

import java.time.Duration;
import java.time.Period;
import java.time.temporal.TemporalAmount;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spans of time as connector files write them: {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code
 * 2d}.
 */
public final class Spans {
  private static final Pattern UNITS =
      Pattern.compile(
          "(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");
  private static final Pattern CALENDAR = Pattern.compile("(\\d{1,4})(w|mo|y)");

  private Spans() {}

  /**
   * A span of at least a millisecond.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  public static Duration parse(String text) {
    Matcher units = UNITS.matcher(text);
    if (!text.isEmpty() && units.matches()) {
      Duration span =
          Duration.ofDays(whole(units, 1))
              .plusHours(whole(units, 2))
              .plusMinutes(whole(units, 3))
              .plusSeconds(whole(units, 4))
              .plusMillis(whole(units, 5));
      if (span.isPositive()) {
        return span;
      }
    }
    throw new IllegalArgumentException(
        "but a time such as 500ms, 30s, 5m, 1h30m or 2d is expected");
  }

  /**
   * A window: a span, or weeks, months and years of the calendar: {@code 1w}, {@code 1mo}.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  public static TemporalAmount parseWindow(String text) {
    Matcher calendar = CALENDAR.matcher(text);
    if (calendar.matches() && whole(calendar, 1) > 0) {
      int count = (int) whole(calendar, 1);
      return switch (calendar.group(2)) {
        case "w" -> Period.ofWeeks(count);
        case "mo" -> Period.ofMonths(count);
        default -> Period.ofYears(count);
      };
    }
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "but a window such as 1h, 7d, 1w, 1mo or 1y is expected", e);
    }
  }

  private static long whole(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
