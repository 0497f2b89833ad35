package dev.sluice.load.mapping;

import org.jspecify.annotations.Nullable;

/** What a column of the input is for. */
sealed interface Slot {

  /** Nothing. */
  record Ignored() implements Slot {}

  /** Nobody knows: a record that has it is turned away. */
  record Unknown(String problem) implements Slot {}

  /** The primary key. */
  record Id() implements Slot {}

  /** The partition of an elastic table's row. */
  record Partition(Converter converter) implements Slot {}

  /**
   * A part of an alternate key.
   *
   * @param name as it stands in an address
   * @param quoted whether its values are
   * @param fallback for an empty cell
   */
  record KeyPart(String name, Converter converter, boolean quoted, @Nullable String fallback)
      implements Slot {

    /**
     * Writes {@code name=value}.
     *
     * @return false if the column cannot hold the value
     */
    boolean write(String value, StringBuilder predicate) {
      StringBuilder json = new StringBuilder();
      if (!converter.write(value, json)) {
        return false;
      }
      predicate.append(name).append('=');
      if (quoted) {
        predicate.append(Predicate.quoted(value));
      } else if (json.charAt(0) == '"') {
        predicate.append(json, 1, json.length() - 1);
      } else {
        predicate.append(json);
      }
      return true;
    }
  }

  /**
   * What is written.
   *
   * @param member the JSON member up to its colon
   * @param clear the member that sets the column to null
   * @param fallback the member for an empty cell
   * @param part what it is to alternate keys that a new row takes; null if it is in none
   */
  record Written(
      String member,
      String clear,
      Converter converter,
      @Nullable String fallback,
      @Nullable KeyPart part)
      implements Slot {}

  /**
   * The name of another row of the same input, to which this one is linked when both are in.
   *
   * @param clear the member that sets the column to null
   */
  record Linked(LinkColumn column, String clear) implements Slot {}
}
