package dev.sluice.cli;

/** How many of something, for people: one record, two records. */
final class Count {
  private Count() {}

  /**
   * The number and its noun.
   *
   * @param one the noun for one; for others an s is added
   */
  static String of(long number, String one) {
    return "%,d %s".formatted(number, number == 1 ? one : one + "s");
  }
}
