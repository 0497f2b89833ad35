package dev.sluice.gate.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Spans of time as numbers with units, each unit at most once and the largest first: {@code 6m0s},
 * {@code 1h2m}, {@code 3.700s}, {@code 12ms}. No unit is longer than an hour, so that {@code 30d}
 * stays unreadable: it is how a number with a type suffix looks.
 */
final class Spans {
  // Longer than any wait is believed, and far from where a long of nanoseconds ends.
  private static final Duration IMPLAUSIBLE = Duration.ofDays(366);

  private Spans() {}

  /** The span; a year or more only as "at least a year"; null if the text is none. */
  static @Nullable Duration parse(String text) {
    String span = text.trim();
    boolean negative = span.startsWith("-");
    int at = negative ? 1 : 0;
    if (at == span.length()) {
      return null;
    }
    Duration total = Duration.ZERO;
    long larger = Long.MAX_VALUE;
    while (at < span.length()) {
      int unitAt = numberEnd(span, at);
      int unitEnd = unitEnd(span, unitAt);
      Decimal number = Decimal.parse(span, at, unitAt, false);
      long unit = nanos(span.substring(unitAt, unitEnd));
      if (number == null || unit == 0 || unit >= larger) {
        return null;
      }
      total = total.plus(length(number, unit));
      larger = unit;
      at = unitEnd;
    }
    return negative ? total.negated() : total;
  }

  private static Duration length(Decimal number, long nanos) {
    if (number.huge() || number.whole() >= IMPLAUSIBLE.toNanos() / nanos) {
      return IMPLAUSIBLE;
    }
    // The fraction of a nanosecond is lost: nobody tells it.
    return Duration.ofNanos(number.whole() * nanos)
        .plus(Duration.ofNanos(number.nanos()).multipliedBy(nanos).dividedBy(1_000_000_000L));
  }

  private static int numberEnd(String text, int from) {
    int end = from;
    while (end < text.length() && (Decimal.digit(text.charAt(end)) || text.charAt(end) == '.')) {
      end++;
    }
    return end;
  }

  private static int unitEnd(String text, int from) {
    int end = from;
    while (end < text.length() && !Decimal.digit(text.charAt(end)) && text.charAt(end) != '.') {
      end++;
    }
    return end;
  }

  private static long nanos(String unit) {
    return switch (unit) {
      case "h" -> 3_600_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "s" -> 1_000_000_000L;
      case "ms" -> 1_000_000L;
      case "us", "\u00b5s", "\u03bcs" -> 1_000L;
      case "ns" -> 1L;
      default -> 0;
    };
  }
}
