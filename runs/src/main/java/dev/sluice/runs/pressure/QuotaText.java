package dev.sluice.runs.pressure;

import dev.sluice.control.quota.QuotaProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How what was learned of an account with documented limits becomes a text, and such a text a
 * profile: a version, when it was written, the round trip, the servers, costs, and what was spent.
 * What cannot be read was written by another version, or by nobody, and is left out.
 */
final class QuotaText {
  private static final String VERSION = "1";
  private static final int PARTS = 6;

  private QuotaText() {}

  static String encoded(QuotaProfile profile, Instant now) {
    return String.join(
        ";",
        VERSION,
        Long.toString(now.toEpochMilli()),
        Long.toString(profile.roundTrip().toNanos()),
        Integer.toString(profile.servers()),
        profile.costs().entrySet().stream()
            .filter(cost -> !cost.getKey().matches(".*[;,=].*"))
            .map(cost -> cost.getKey() + "=" + cost.getValue().toNanos())
            .sorted()
            .collect(Collectors.joining(",")),
        profile.spent().stream().map(QuotaText::encoded).collect(Collectors.joining(",")));
  }

  private static String encoded(QuotaProfile.Spent spent) {
    return String.format(
        Locale.ROOT,
        "%d:%.3f:%d",
        spent.ago().toMillis(),
        spent.requests(),
        spent.executionTime().toMillis());
  }

  /** What a text says, as old as it is then. */
  static QuotaProfile decoded(String text, Instant now) {
    String[] parts = text.split(";", -1);
    if (parts.length < PARTS || !parts[0].equals(VERSION)) {
      return QuotaProfile.NONE;
    }
    try {
      Instant written = Instant.ofEpochMilli(Long.parseLong(parts[1]));
      return new QuotaProfile(
              Duration.ofNanos(Long.parseLong(parts[2])),
              Integer.parseInt(parts[3]),
              costs(parts[4]),
              spent(parts[5]))
          .aged(Duration.between(written, now));
    } catch (NumberFormatException | ArithmeticException e) {
      return QuotaProfile.NONE;
    }
  }

  private static Map<String, Duration> costs(String text) {
    Map<String, Duration> costs = new HashMap<>();
    for (String each : items(text)) {
      int end = each.indexOf('=');
      if (end > 0) {
        Duration unused =
            costs.put(
                each.substring(0, end), Duration.ofNanos(Long.parseLong(each.substring(end + 1))));
      }
    }
    return costs;
  }

  private static List<QuotaProfile.Spent> spent(String text) {
    List<QuotaProfile.Spent> spent = new ArrayList<>();
    for (String each : items(text)) {
      String[] figures = each.split(":", -1);
      if (figures.length == 3) {
        spent.add(
            new QuotaProfile.Spent(
                Duration.ofMillis(Long.parseLong(figures[0])),
                Double.parseDouble(figures[1]),
                Duration.ofMillis(Long.parseLong(figures[2]))));
      }
    }
    return spent;
  }

  private static List<String> items(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }
}
