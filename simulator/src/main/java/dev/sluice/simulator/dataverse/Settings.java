package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.webapi.Operation;
import dev.sluice.simulator.farm.Charging;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Limits and faults by their names, as a command line or a control request gives them. */
public final class Settings {
  private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|min|h)");

  private static final String SHORTEST = "shortest-wait";
  private static final String LONGEST = "longest-wait";

  /** The names of limits, for messages and help. */
  public static final String LIMITS =
      "requests, execution-time, window, concurrent, charging (at-completion or as-it-accrues),"
          + " shortest-wait, longest-wait, press, concurrency-locks (true or false)";

  private Settings() {}

  /**
   * Limits with some of them changed.
   *
   * @throws IllegalArgumentException if a name is unknown or a value cannot be
   */
  public static ProtectionOptions limits(ProtectionOptions before, Map<String, String> changes) {
    // Each is checked against the other, so the two change at once.
    ProtectionOptions limits =
        before.withWaits(
            time(SHORTEST, changes.get(SHORTEST), before.shortestWait()),
            time(LONGEST, changes.get(LONGEST), before.longestWait()));
    for (Map.Entry<String, String> change : changes.entrySet()) {
      limits = limit(limits, change.getKey(), change.getValue());
    }
    return limits;
  }

  private static ProtectionOptions limit(ProtectionOptions limits, String name, String value) {
    return switch (name) {
      case "requests" -> limits.withRequests(number(name, value));
      case "execution-time" -> limits.withExecutionTime(time(name, value));
      case "window" -> limits.withWindow(time(name, value));
      case "concurrent" ->
          limits.withConcurrent((int) Math.min(Integer.MAX_VALUE, number(name, value)));
      case "charging" ->
          limits.withCharging(
              switch (value) {
                case "at-completion" -> Charging.AT_COMPLETION;
                case "as-it-accrues" -> Charging.AS_IT_ACCRUES;
                default ->
                    throw new IllegalArgumentException(
                        "charging is '%s', but must be at-completion or as-it-accrues"
                            .formatted(value));
              });
      case SHORTEST, LONGEST -> limits; // changed already
      case "press" -> limits.withPress(time(name, value));
      case "concurrency-locks" -> limits.withConcurrencyLocks(truth(name, value));
      default ->
          throw new IllegalArgumentException(
              "there is no limit '%s'; there are %s".formatted(name, LIMITS));
    };
  }

  /**
   * A rule for a fault.
   *
   * @param kind its name
   * @param settings rate, skip, count, operation, table, from-rows and duration, all optional
   * @throws IllegalArgumentException if a name is unknown or a value cannot be
   */
  public static FaultRule fault(String kind, Map<String, String> settings) {
    for (String name : settings.keySet()) {
      if (!Arrays.asList("rate", "skip", "count", "operation", "table", "from-rows", "duration")
          .contains(name)) {
        throw new IllegalArgumentException(
            "a fault has no setting '%s'; it has rate, skip, count, operation, table, from-rows and"
                    .formatted(name)
                + " duration");
      }
    }
    String table = settings.get("table");
    return new FaultRule(
        FaultKind.named(kind),
        decimal("rate", settings.getOrDefault("rate", "1")),
        number("skip", settings.getOrDefault("skip", "0")),
        number("count", settings.getOrDefault("count", String.valueOf(Long.MAX_VALUE))),
        operation(settings.get("operation")),
        table,
        (int)
            Math.min(
                Integer.MAX_VALUE, number("from-rows", settings.getOrDefault("from-rows", "0"))),
        time("duration", settings.getOrDefault("duration", "2s")));
  }

  private static @Nullable Operation operation(@Nullable String name) {
    if (name == null) {
      return null;
    }
    return Arrays.stream(Operation.values())
        .filter(each -> each.wireName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no operation '%s'; there are %s"
                        .formatted(
                            name,
                            Arrays.stream(Operation.values()).map(Operation::wireName).toList())));
  }

  private static long number(String name, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s is '%s', but must be a whole number".formatted(name, value), e);
    }
  }

  private static double decimal(String name, String value) {
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s is '%s', but must be a number".formatted(name, value), e);
    }
  }

  private static boolean truth(String name, String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "%s is '%s', but must be true or false".formatted(name, value));
    };
  }

  private static Duration time(String name, @Nullable String value, Duration otherwise) {
    return value == null ? otherwise : time(name, value);
  }

  /** A time such as 500ms, 30s, 5m or 1h. */
  public static Duration time(String name, String value) {
    Matcher matcher = TIME.matcher(value.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "%s is '%s', but must be a time such as 500ms, 30s, 5m or 1h".formatted(name, value));
    }
    double nanos =
        switch (matcher.group(2)) {
          case "ms" -> 1e6;
          case "s" -> 1e9;
          case "h" -> 3_600e9;
          default -> 60e9;
        };
    return Duration.ofNanos(Math.round(Double.parseDouble(matcher.group(1)) * nanos));
  }
}
