package dev.sluice.cli.config;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration that cannot be used. The message names every mistake, each with its file, line
 * and key; it holds no secret.
 */
public final class ConfigurationException extends Exception {
  private static final long serialVersionUID = 1L;

  /** About the file as a whole. */
  ConfigurationException(String message) {
    super(message);
  }

  /** In the order of their lines. */
  ConfigurationException(String file, List<Mistake> mistakes) {
    super(
        mistakes.stream()
            .sorted()
            .map(mistake -> mistake.in(file))
            .collect(Collectors.joining("\n")));
  }
}
