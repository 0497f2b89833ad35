package dev.sluice.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times and spans of time for people. */
final class Times {
  private Times() {}

  /** A moment, to the second. */
  static String at(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** How long something takes. */
  static String span(long millis) {
    if (millis < 10_000) {
      return "%.1f s".formatted(millis / 1000.0);
    }
    long seconds = millis / 1000;
    return seconds < 60
        ? seconds + " s"
        : seconds < 3600
            ? "%d min %d s".formatted(seconds / 60, seconds % 60)
            : "%d h %d min".formatted(seconds / 3600, seconds / 60 % 60);
  }
}
