package dev.sluice.gate.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.Month;
import java.time.Year;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Times as services spell them: the three HTTP dates (RFC 9110 §5.6.7), RFC 3339 with or without
 * seconds, and what a script's {@code Date} prints, zone comment included.
 *
 * <p>Read by hand: the names of days are ignored because services get them wrong, and months are
 * English whatever the locale. One instance reads one text.
 */
final class Timestamps {
  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
  private static final Duration HALF_A_CENTURY = Duration.ofDays(18_262);

  private final String text;
  private int at;
  private boolean failed;

  private int year;
  private int month;
  private int day;
  private int secondOfDay;
  private int nano;
  private int offset;

  private Timestamps(String text) {
    this.text = text;
  }

  /** The time; null if the text is none. The clock is asked for the century of two-digit years. */
  static @Nullable Instant parse(String text, InstantSource clock) {
    Timestamps reader = new Timestamps(text.trim());
    if (reader.text.isEmpty()) {
      return null;
    }
    return Decimal.digit(reader.text.charAt(0)) ? reader.rfc3339() : reader.dayFirst(clock);
  }

  private @Nullable Instant rfc3339() {
    year = digits(4, 4);
    expect('-');
    month = digits(2, 2);
    expect('-');
    day = digits(2, 2);
    if (!eat('T') && !eat('t')) {
      expect(' ');
    }
    time();
    zone();
    return end();
  }

  private @Nullable Instant dayFirst(InstantSource clock) {
    word();
    if (eat(',')) {
      spaces();
      day = digits(1, 2);
      return eat('-') ? rfc850(clock) : imfFixdate();
    }
    spaces();
    month();
    spaces();
    day = digits(1, 2);
    spaces();
    return at + 2 < text.length() && text.charAt(at + 2) == ':' ? asctime() : script();
  }

  private @Nullable Instant imfFixdate() {
    spaces();
    month();
    spaces();
    year = digits(4, 4);
    spaces();
    time();
    spaces();
    zone();
    return end();
  }

  private @Nullable Instant rfc850(InstantSource clock) {
    month();
    expect('-');
    int start = at;
    year = digits(2, 4);
    boolean abbreviated = at - start == 2;
    spaces();
    time();
    spaces();
    zone();
    if (!abbreviated) {
      return end();
    }
    Instant now = clock.instant();
    int century = LocalDate.ofInstant(now, ZoneOffset.UTC).getYear() / 100 * 100;
    int years = year;
    year = century + years;
    Instant time = end();
    if (time != null && Duration.between(now, time).compareTo(HALF_A_CENTURY) > 0) {
      year = century - 100 + years;
      time = end();
    }
    return time;
  }

  private @Nullable Instant asctime() {
    time();
    spaces();
    if (at < text.length() && !Decimal.digit(text.charAt(at))) {
      zone();
      spaces();
    }
    year = digits(4, 4);
    return end();
  }

  private @Nullable Instant script() {
    year = digits(4, 4);
    spaces();
    time();
    spaces();
    zone();
    spaces();
    if (eat('(')) {
      at = text.indexOf(')', at) + 1;
      failed |= at == 0;
    }
    return end();
  }

  private void time() {
    int hour = digits(2, 2);
    expect(':');
    int minute = digits(2, 2);
    int second = 0;
    if (eat(':')) {
      second = digits(2, 2);
      if (eat('.')) {
        fraction();
      }
    }
    // A leap second is the second before it, as clocks that do not know them have it.
    failed |= hour > 23 || minute > 59 || second > 60;
    secondOfDay = hour * 3600 + minute * 60 + Math.min(second, 59);
  }

  private void fraction() {
    int start = at;
    int value = 0;
    int digits = 0;
    for (; at < text.length() && Decimal.digit(text.charAt(at)); at++) {
      if (digits < 9) {
        value = value * 10 + (text.charAt(at) - '0');
        digits++;
      }
    }
    failed |= at == start;
    for (; digits < 9; digits++) {
      value *= 10;
    }
    nano = value;
  }

  /** {@code Z}, {@code GMT}, {@code UTC}, each of the last two also followed by an offset. */
  private void zone() {
    if (eat('Z') || eat('z')) {
      return;
    }
    boolean named = eat("GMT") || eat("UTC");
    if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
      int sign = text.charAt(at++) == '+' ? 1 : -1;
      int hours = digits(2, 2);
      boolean unused = eat(':');
      int minutes = digits(2, 2);
      failed |= hours > 18 || minutes > 59;
      offset = sign * (hours * 3600 + minutes * 60);
    } else {
      failed |= !named;
    }
  }

  private void word() {
    int start = at;
    while (at < text.length() && letter(text.charAt(at))) {
      at++;
    }
    failed |= at - start < 3 || at - start > 9;
  }

  private void month() {
    for (int candidate = 0; candidate < 12; candidate++) {
      if (text.regionMatches(true, at, MONTHS, candidate * 3, 3)) {
        month = candidate + 1;
      }
    }
    at = Math.min(at + 3, text.length());
  }

  private int digits(int least, int most) {
    int start = at;
    int value = 0;
    while (at < text.length() && at - start < most && Decimal.digit(text.charAt(at))) {
      value = value * 10 + (text.charAt(at++) - '0');
    }
    failed |= at - start < least;
    return value;
  }

  private void spaces() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private boolean eat(char expected) {
    boolean found = at < text.length() && text.charAt(at) == expected;
    if (found) {
      at++;
    }
    return found;
  }

  private boolean eat(String expected) {
    boolean found = text.startsWith(expected, at);
    if (found) {
      at += expected.length();
    }
    return found;
  }

  private void expect(char expected) {
    failed |= !eat(expected);
  }

  private static boolean letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private @Nullable Instant end() {
    if (failed || at != text.length() || month < 1 || month > 12) {
      return null;
    }
    if (day < 1 || day > Month.of(month).length(Year.isLeap(year))) {
      return null;
    }
    long seconds = LocalDate.of(year, month, day).toEpochDay() * 86_400 + secondOfDay - offset;
    return Instant.ofEpochSecond(seconds, nano);
  }
}
