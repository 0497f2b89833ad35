package dev.sluice.cli.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Spans of time as people write them: {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code 2d}; as ISO
 * 8601 does: {@code PT30S}; and as .NET does: {@code 00:00:30}, {@code 1.12:00:00}.
 */
final class Spans {
  /** What is expected where a span is. */
  static final String EXPECTED = "be a time such as 500ms, 30s, 5m, 1h30m or 00:00:30";

  private static final Pattern UNITS =
      Pattern.compile(
          "(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9}(?:\\.\\d{1,9})?)s)?"
              + "(?:(\\d{1,9})ms)?");
  private static final Pattern CLOCK =
      Pattern.compile("(?:(\\d{1,6})\\.)?(\\d{1,2}):([0-5]?\\d):([0-5]?\\d(?:\\.\\d{1,9})?)");
  private static final Pattern ISO = Pattern.compile("PT-?[0-9][-0-9HMS.]*[HMS]");

  private Spans() {}

  /** The span; none if the text is none. */
  static Optional<Duration> parse(String text) {
    String span = text.strip().toLowerCase(Locale.ROOT);
    Matcher units = UNITS.matcher(span);
    if (!span.isEmpty() && units.matches()) {
      return Optional.of(
          sum(units.group(1), units.group(2), units.group(3), units.group(4))
              .plusMillis(whole(units.group(5))));
    }
    Matcher clock = CLOCK.matcher(span);
    if (clock.matches()) {
      return Optional.of(sum(clock.group(1), clock.group(2), clock.group(3), clock.group(4)));
    }
    try {
      return Optional.of(Duration.parse(span));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** As people write it: {@code 1h30m}. */
  static String words(Duration span) {
    if (span.isNegative() || span.isZero()) {
      return span.isZero() ? "0s" : "-" + words(span.negated());
    }
    StringBuilder words = new StringBuilder();
    add(words, span.toDaysPart(), "d");
    add(words, span.toHoursPart(), "h");
    add(words, span.toMinutesPart(), "m");
    add(words, span.toSecondsPart(), "s");
    add(words, span.toMillisPart(), "ms");
    return words.isEmpty() ? span.toString() : words.toString();
  }

  /** A message with its spans as people write them, instead of as ISO 8601 does. */
  static String inWords(String message) {
    return ISO.matcher(message)
        .replaceAll(span -> parse(span.group()).map(Spans::words).orElse(span.group()));
  }

  /** Of what a pattern found; null where a part is left out. */
  private static Duration sum(
      @Nullable String days,
      @Nullable String hours,
      @Nullable String minutes,
      @Nullable String seconds) {
    return Duration.ofDays(whole(days))
        .plusHours(whole(hours))
        .plusMinutes(whole(minutes))
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
