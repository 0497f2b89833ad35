package dev.sluice.gate;

import java.time.Duration;

/** Durations as people write them. */
final class Waits {
  private Waits() {}

  /** {@code 37s}, {@code 1.5s}, {@code 250ms}, {@code 1m30s}, {@code 2h}. */
  static String show(Duration duration) {
    if (duration.compareTo(Duration.ofDays(3650)) > 0) {
      return "ever";
    }
    if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return duration.toMillis() + "ms";
    }
    if (duration.compareTo(Duration.ofMinutes(1)) < 0 && duration.toMillisPart() != 0) {
      return duration.toSeconds() + "." + duration.toMillisPart() / 100 + "s";
    }
    StringBuilder text = new StringBuilder();
    append(text, duration.toHours(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    return text.toString();
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count != 0) {
      text.append(count).append(unit);
    }
  }
}
