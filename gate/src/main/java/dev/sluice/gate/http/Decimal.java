package dev.sluice.gate.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A number as headers may spell it: {@code -?[0-9]{1,18}(\.[0-9]{1,9})?} in ASCII, and nothing else
 * (H.N1 in docs/traceability.md).
 *
 * <p>Read by hand because the JDK's parsers take more than that: signs, exponents, {@code NaN},
 * type suffixes, digits of other scripts.
 *
 * @param whole the digits before the point, 0 to 10^18 - 1
 * @param nanos the digits after it, in billionths
 */
record Decimal(boolean negative, long whole, int nanos) {
  /** More digits than any measure needs: implausibly large, but not absent. */
  static final Decimal HUGE = new Decimal(false, Long.MAX_VALUE, 0);

  private static final int WHOLE_DIGITS = 18;
  private static final int FRACTION_DIGITS = 9;

  /** The number that the whole text is, blanks round it aside; null if it is none. */
  static @Nullable Decimal parse(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && blank(text.charAt(from))) {
      from++;
    }
    while (to > from && blank(text.charAt(to - 1))) {
      to--;
    }
    boolean negative = from < to && text.charAt(from) == '-';
    return parse(text, negative ? from + 1 : from, to, negative);
  }

  /** The unsigned number between two positions, given its sign; null if it is none. */
  static @Nullable Decimal parse(String text, int from, int to, boolean negative) {
    int point = digitsEnd(text, from, to);
    if (point == from) {
      return null;
    }
    int nanos = 0;
    if (point < to) {
      int end = digitsEnd(text, point + 1, to);
      int digits = end - point - 1;
      if (text.charAt(point) != '.' || end < to || digits < 1 || digits > FRACTION_DIGITS) {
        return null;
      }
      nanos = (int) number(text, point + 1, to);
      for (int i = digits; i < FRACTION_DIGITS; i++) {
        nanos *= 10;
      }
    }
    if (point - from > WHOLE_DIGITS) {
      return negative ? new Decimal(true, Long.MAX_VALUE, 0) : HUGE;
    }
    return new Decimal(negative, number(text, from, point), nanos);
  }

  static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean blank(char c) {
    return c == ' ' || c == '\t';
  }

  private static int digitsEnd(String text, int from, int to) {
    int end = from;
    while (end < to && digit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static long number(String text, int from, int to) {
    long value = 0;
    for (int i = from; i < to && i < from + WHOLE_DIGITS; i++) {
      value = value * 10 + (text.charAt(i) - '0');
    }
    return value;
  }

  boolean huge() {
    return whole == Long.MAX_VALUE;
  }

  /** Rounded towards negative infinity. */
  long floor() {
    if (!negative) {
      return whole;
    }
    return nanos == 0 ? -whole : -whole - 1;
  }

  /** As a duration, given how many units make a second: 1, 1,000 or 1,000,000. Never negative. */
  Duration perSecond(int units) {
    long rest = whole % units * (1_000_000_000L / units) + nanos / units;
    return Duration.ofSeconds(whole / units, rest);
  }
}
