package dev.sluice.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rates as people write them: {@code 10/s}, {@code 1/2s}, {@code 100/1h}. */
public final class Rates {
  private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)/(\\S+)");

  private Rates() {}

  /**
   * Requests per second, above 0.
   *
   * @throws IllegalArgumentException if it is no rate; the message says what is expected
   */
  public static double parse(String text) {
    Matcher rate = RATE.matcher(text);
    if (rate.matches()) {
      String span = rate.group(2);
      Duration each =
          Durations.parsePositive(Character.isDigit(span.charAt(0)) ? span : "1" + span);
      double perSecond = Double.parseDouble(rate.group(1)) / (each.toNanos() / 1e9);
      if (perSecond > 0) {
        return perSecond;
      }
    }
    throw new IllegalArgumentException("but a rate such as 10/s, 1/2s or 100/1h is expected");
  }
}
