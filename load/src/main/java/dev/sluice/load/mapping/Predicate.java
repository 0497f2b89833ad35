package dev.sluice.load.mapping;

/** Values as they stand between the parentheses of an address. */
final class Predicate {

  private Predicate() {}

  /** A text in single quotes, those in it doubled. */
  static String quoted(String value) {
    return "'" + value.replace("'", "''") + "'";
  }
}
