package dev.sluice.collect.yaml.config;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * What was configured, and where. Immutable; prints without values, because some are secrets.
 *
 * @param file in which it stands
 * @param values by their names
 * @param lines in which they stand, from 1
 * @param line where one that is missing should stand; 0 for nowhere
 */
public record Configured(
    String file, Map<String, String> values, Map<String, Integer> lines, int line) {
  public Configured {
    requireNonNull(file, "file");
    values = Map.copyOf(values);
    lines = Map.copyOf(lines);
  }

  /** The line of a value, or where it should stand. */
  int line(String name) {
    return lines.getOrDefault(name, line);
  }

  @Override
  public String toString() {
    return "what %s configures".formatted(file);
  }
}
