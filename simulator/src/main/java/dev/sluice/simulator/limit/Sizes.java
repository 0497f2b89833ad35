package dev.sluice.simulator.limit;

/** Checks and scales the sizes of limits. */
final class Sizes {
  private Sizes() {}

  static long notNegative(String name, long value, String meaning) {
    if (value < 0) {
      throw new IllegalArgumentException(
          name + " is " + value + ", but must be 0 or more (" + meaning + ")");
    }
    return value;
  }

  static long positive(String name, long value, String meaning) {
    if (value <= 0) {
      throw new IllegalArgumentException(
          name + " is " + value + " ns, but must be positive (" + meaning + ")");
    }
    return value;
  }

  static double factor(double factor) {
    if (!(factor >= 0 && factor <= 1e6)) {
      throw new IllegalArgumentException(
          "factor is " + factor + ", but must be 0 to 1,000,000 (times the size it was made with)");
    }
    return factor;
  }

  /** A size times a factor; what was not nothing becomes nothing only by a factor of 0. */
  static long scaled(long size, double factor) {
    if (size == 0 || factor == 0) {
      return 0;
    }
    return Math.max(1, factor == 1 ? size : Math.round(size * factor));
  }
}
