package dev.sluice.cli.config;

import java.util.List;

/** Something written in a file, and where. Immutable. */
sealed interface Node {

  /** The line in which it begins, from 1. */
  int line();

  /** A text, a number or a truth value, as it was written but without quotes. */
  record Scalar(int line, String text) implements Node {}

  /** Nothing, or {@code null}. */
  record Nothing(int line) implements Node {}

  /** Several, one after the other. */
  record Sequence(int line, List<Node> items) implements Node {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /** Keys with their values, as they follow each other. */
  record Mapping(int line, List<Entry> entries) implements Node {
    public Mapping {
      entries = List.copyOf(entries);
    }
  }

  /**
   * A key with its value.
   *
   * @param line where the key stands
   */
  record Entry(int line, String key, Node value) {}
}
