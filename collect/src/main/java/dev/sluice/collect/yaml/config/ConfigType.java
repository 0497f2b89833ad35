package dev.sluice.collect.yaml.config;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;

/** What a configured value may be. */
enum ConfigType {
  STRING,
  INT,
  LIST,
  DATE,
  INSTANT,
  SECRET;

  /**
   * The value as templates use it.
   *
   * @throws IllegalArgumentException if it is none of this type; the message says what is expected
   */
  String checked(String value) {
    return switch (this) {
      case STRING, SECRET -> printable(value.strip());
      case LIST -> String.join(",", elements(value));
      case INT -> {
        if (!value.strip().matches("-?[0-9]{1,18}")) {
          throw new IllegalArgumentException("but a whole number is expected");
        }
        yield value.strip();
      }
      case DATE -> date(value.strip());
      case INSTANT -> instant(value.strip());
    };
  }

  /** A line break would end a header, and make an error of the JDK's that quotes it. */
  private static String printable(String value) {
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("but a text without line breaks is expected");
    }
    return value;
  }

  /** Some value of this type. */
  String madeUp() {
    return switch (this) {
      case STRING, LIST, SECRET -> "made-up";
      case INT -> "1";
      case DATE -> "2024-01-01";
      case INSTANT -> "2024-01-01T00:00:00Z";
    };
  }

  /** What a list has, without blanks round it. */
  static List<String> elements(String value) {
    String inside =
        value.strip().startsWith("[") && value.strip().endsWith("]")
            ? value.strip().substring(1, value.strip().length() - 1)
            : value;
    return Arrays.stream(inside.split(",", -1))
        .map(String::strip)
        .filter(element -> !element.isEmpty())
        .toList();
  }

  private static String date(String value) {
    try {
      return LocalDate.parse(value).toString();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("but a date such as 2024-01-31 is expected", e);
    }
  }

  private static String instant(String value) {
    try {
      Instant unused = OffsetDateTime.parse(value).toInstant();
      return value;
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("but a time such as 2024-01-31T12:00:00Z is expected", e);
    }
  }
}
