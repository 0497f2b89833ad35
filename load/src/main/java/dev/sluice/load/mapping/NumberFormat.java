package dev.sluice.load.mapping;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How numbers are written, shown by an example: {@code 1.234,56}. Immutable.
 *
 * <p>It is strict: thousands are separated everywhere or nowhere, in groups of three, so that 1.23
 * is no number where the point separates thousands.
 *
 * @param text as somebody wrote it
 * @param decimal stands before the decimals
 * @param group stands between thousands; {@link #NONE} if nothing does
 */
public record NumberFormat(String text, char decimal, char group) {
  /** In place of a separator that is not there. */
  public static final char NONE = 0;

  /** Those that messages propose, the most frequent ones first. */
  static final List<NumberFormat> FREQUENT =
      List.of(
          of("1,234.56"),
          of("1.234,56"),
          of("1 234,56"),
          of("1'234.56"),
          of("1 234.56"),
          of("1'234,56"));

  private static final int GROUP = 3;

  public NumberFormat {
    requireNonNull(text, "text");
    if (decimal == group) {
      throw new IllegalArgumentException("thousands and decimals have the same separator");
    }
  }

  /**
   * Reads an example, which is any number with decimals.
   *
   * @throws IllegalArgumentException if it is none, or may be understood in two ways
   */
  public static NumberFormat of(String text) {
    Matcher example =
        Pattern.compile(
                "(?:\\d{1,3}([.,' \u00A0\u2009\u202F\u2019])\\d{3}(?:\\1\\d{3})*|\\d+)([.,])\\d+")
            .matcher(text);
    if (!example.matches()) {
      throw new IllegalArgumentException("it is no number with decimals");
    }
    char decimal = example.group(2).charAt(0);
    if (mayBeThousands(text, decimal)) {
      throw new IllegalArgumentException("its separator may stand for thousands or decimals");
    }
    String group = example.group(1);
    return new NumberFormat(text, decimal, group == null ? NONE : kind(group.charAt(0)));
  }

  /** Whether a number has one separator, which may stand for thousands or for three decimals. */
  static boolean mayBeThousands(String number, char point) {
    int separator = number.length() - GROUP - 1;
    if (separator < 1 || number.charAt(separator) != point) {
      return false;
    }
    int start = number.charAt(0) == '-' || number.charAt(0) == '+' ? 1 : 0;
    int before = separator - start;
    if (before < 1 || before > GROUP || number.charAt(start) == '0') {
      return false;
    }
    for (int i = start; i < number.length(); i++) {
      if (i != separator && !isDigit(number.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * The same number with a decimal point and nothing between thousands.
   *
   * @return null if the number is written in another way
   */
  @Nullable String plain(String number) {
    StringBuilder plain = new StringBuilder(number.length());
    boolean whole = true;
    int groups = 0;
    int digits = 0; // since the last separator
    for (int i = 0; i < number.length(); i++) {
      char c = number.charAt(i);
      if (isDigit(c)) {
        digits++;
        plain.append(c);
      } else if (whole && c == decimal && (groups == 0 || digits == GROUP)) {
        whole = false;
        plain.append('.');
      } else if (whole && kind(c) == group && mayEndGroup(plain, groups, digits)) {
        groups++;
        digits = 0;
      } else if (i == 0 && (c == '-' || c == '+')) {
        plain.append(c);
      } else if (groups == 0 && (c == 'e' || c == 'E')) {
        return plain.append(number, i, number.length()).toString();
      } else {
        return null;
      }
    }
    return whole && groups > 0 && digits != GROUP ? null : plain.toString();
  }

  /** The first group has one to three digits and does not start with 0; the others have three. */
  private static boolean mayEndGroup(CharSequence before, int groups, int digits) {
    return groups > 0
        ? digits == GROUP
        : digits >= 1 && digits <= GROUP && before.charAt(before.length() - digits) != '0';
  }

  /** Spaces and apostrophes are several characters, which nobody can tell apart. */
  private static char kind(char separator) {
    return switch (separator) {
      case '\u00A0', '\u2009', '\u202F' -> ' ';
      case '\u2019' -> '\'';
      default -> separator;
    };
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** As it stands in a mapping. */
  String setting() {
    return "number: \"" + text + "\"";
  }
}
