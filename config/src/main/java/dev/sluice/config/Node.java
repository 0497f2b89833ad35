package dev.sluice.config;

import java.util.List;

/** Something written in a file, and where. Immutable. */
public sealed interface Node {

  /** The line in which it begins, from 1; of a value, where its key stands. */
  int line();

  /** What it is, for people; never its text, which may be a secret. */
  String kind();

  /**
   * A text, a number or a truth value, as it was written but without quotes.
   *
   * @param number whether it is a number or a truth value, which is without quotes
   */
  record Scalar(int line, String text, boolean number) implements Node {
    @Override
    public String kind() {
      return "a single value";
    }
  }

  /** Nothing, or {@code null}. */
  record Nothing(int line) implements Node {
    @Override
    public String kind() {
      return "empty";
    }
  }

  /** Several, one after the other. */
  record Sequence(int line, List<Node> items) implements Node {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Keys with their values, as they follow each other. */
  record Mapping(int line, List<Entry> entries) implements Node {
    public Mapping {
      entries = List.copyOf(entries);
    }

    @Override
    public String kind() {
      return "a group of keys";
    }
  }

  /** A key with its value. */
  record Entry(int line, String key, Node value) {}
}
