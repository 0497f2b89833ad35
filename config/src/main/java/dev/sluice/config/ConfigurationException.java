package dev.sluice.config;

import java.util.List;

/** A file that people wrote, and that cannot be used. */
public final class ConfigurationException extends Exception {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // made by List.copyOf
  private final List<String> mistakes;

  /**
   * Mistakes.
   *
   * @param mistakes each by itself, at least one; without secrets
   */
  public ConfigurationException(List<String> mistakes) {
    super(String.join("\n", mistakes));
    this.mistakes = List.copyOf(mistakes);
  }

  /** All that was found, in the order of the lines: place, key, what is wrong, what is expected. */
  public List<String> mistakes() {
    return mistakes;
  }
}
