package dev.sluice.load.mapping;

import java.util.List;

/** Columns that cannot be brought together with the table; nothing was sent. */
public final class MappingException extends Exception {
  @SuppressWarnings("serial") // made by List.copyOf
  private final List<String> problems;

  /**
   * Mistakes.
   *
   * @param problems each by itself, at least one
   */
  public MappingException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** All that was found, each a sentence for people. */
  public List<String> problems() {
    return problems;
  }
}
