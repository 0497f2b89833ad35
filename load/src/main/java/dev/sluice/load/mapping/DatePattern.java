package dev.sluice.load.mapping;

import static java.util.Objects.requireNonNull;

import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Locale;

/**
 * How dates are written, in the letters of {@link DateTimeFormatter}: {@code dd.MM.yyyy HH:mm}.
 * Immutable.
 *
 * <p>It is strict: 31.02.2026 is no date, rather than some day near it.
 *
 * @param text as somebody wrote it
 */
public record DatePattern(String text, DateTimeFormatter formatter) {
  public DatePattern {
    requireNonNull(text, "text");
    requireNonNull(formatter, "formatter");
  }

  /**
   * Reads a pattern; names of months and days are English.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static DatePattern of(String text) {
    DateTimeFormatter formatter =
        DateTimeFormatter.ofPattern(proleptic(text), Locale.ENGLISH)
            .withResolverStyle(ResolverStyle.STRICT);
    return new DatePattern(text, formatter);
  }

  /** Strictness wants years that need no era: {@code u} in place of {@code y}, not in quotes. */
  private static String proleptic(String pattern) {
    StringBuilder letters = new StringBuilder(pattern);
    boolean quoted = false;
    for (int i = 0; i < letters.length(); i++) {
      if (letters.charAt(i) == '\'') {
        quoted = !quoted;
      } else if (!quoted && letters.charAt(i) == 'y') {
        letters.setCharAt(i, 'u');
      }
    }
    return letters.toString();
  }
}
