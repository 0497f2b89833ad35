package dev.sluice.cli;

import dev.sluice.collect.run.RequestCounts;
import dev.sluice.collect.run.Wait;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a run counted, for people. */
final class RunCounts {
  private static final long LEAST_WAIT = 100; // milliseconds

  private RunCounts() {}

  /**
   * A list with commas.
   *
   * @param counts by the names under which a store keeps them
   */
  static String words(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .flatMap(count -> words(count.getKey(), count.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** Counts are called by their plural, or by what was done. */
  private static Stream<String> words(String name, long count) {
    for (Wait wait : Wait.values()) {
      if (name.equals(RequestCounts.name(wait))) {
        return count < LEAST_WAIT
            ? Stream.empty()
            : Stream.of("waited %s %s".formatted(Times.span(count), wait.words()));
      }
    }
    return Stream.of(
        switch (name) {
          case "gaps" -> Count.of(count, "new gap");
          case "retries" -> "%,d %s".formatted(count, count == 1 ? "retry" : name);
          default ->
              name.endsWith("s")
                  ? Count.of(count, name.substring(0, name.length() - 1))
                  : "%,d %s".formatted(count, name);
        });
  }
}
