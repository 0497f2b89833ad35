package dev.sluice.simulator.limit;

import dev.sluice.simulator.limit.FixedWindow.Opening;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Limits as people write them; the grammar stands at {@link LimitOptions#parse}. */
final class LimitSyntax {
  private static final Pattern RATE = Pattern.compile("([0-9]{1,18})/([0-9]{0,9})(ms|s|m|h|d)");
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,18}");

  private LimitSyntax() {}

  static LimitOptions parse(String text) {
    List<LimitOptions> parts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      parts.add(one(part.strip(), text));
    }
    return parts.size() == 1 ? parts.get(0) : new LimitOptions.All(parts);
  }

  private static LimitOptions one(String part, String text) {
    int colon = part.indexOf(':');
    String rest = part.substring(colon + 1);
    return switch (colon < 0 ? "" : part.substring(0, colon)) {
      case "" -> part.equals("none") ? LimitOptions.UNLIMITED : fixed(rest, text);
      case "fixed" -> fixed(rest, text);
      case "first" ->
          new LimitOptions.Fixed(
              amount(rest, text), period(rest, text), Opening.WITH_THE_FIRST_REQUEST);
      case "sliding" -> new LimitOptions.Sliding(amount(rest, text), period(rest, text));
      case "bucket" -> bucket(rest, text);
      case "concurrent" -> new LimitOptions.Concurrent(count(rest, text));
      default -> throw mistake(part, text);
    };
  }

  private static LimitOptions fixed(String rate, String text) {
    return new LimitOptions.Fixed(amount(rate, text), period(rate, text), Opening.ON_THE_CLOCK);
  }

  private static LimitOptions bucket(String rest, String text) {
    int colon = rest.indexOf(':');
    String rate = rest.substring(colon + 1);
    long refill = amount(rate, text);
    long capacity = colon < 0 ? refill : count(rest.substring(0, colon), text);
    return new LimitOptions.Bucket(capacity, refill, period(rate, text));
  }

  private static long count(String number, String text) {
    if (!COUNT.matcher(number).matches()) {
      throw mistake(number, text);
    }
    return Long.parseLong(number);
  }

  private static long amount(String rate, String text) {
    return Long.parseLong(rate(rate, text).group(1));
  }

  private static Duration period(String rate, String text) {
    Matcher parts = rate(rate, text);
    long number = parts.group(2).isEmpty() ? 1 : Long.parseLong(parts.group(2));
    Duration period =
        switch (parts.group(3)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          case "h" -> Duration.ofHours(number);
          default -> Duration.ofDays(number);
        };
    if (period.isZero() || period.compareTo(Duration.ofDays(3_660)) > 0) {
      throw new IllegalArgumentException(
          "limit '" + text + "' counts over " + period + ", but must over 1 ms to 3,660 days");
    }
    return period;
  }

  private static Matcher rate(String rate, String text) {
    Matcher parts = RATE.matcher(rate);
    if (!parts.matches()) {
      throw mistake(rate, text);
    }
    return parts;
  }

  private static IllegalArgumentException mistake(String part, String text) {
    return new IllegalArgumentException(
        "limit '"
            + text
            + "' cannot be read at '"
            + part
            + "': expected 100/1m, first:100/1m, sliding:100/1m, bucket:20:100/1m, concurrent:8 or"
            + " none, several separated by commas");
  }
}
