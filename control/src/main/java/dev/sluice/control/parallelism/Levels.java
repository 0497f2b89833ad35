package dev.sluice.control.parallelism;

import java.util.function.IntSupplier;

/** Levels are whole and at least 1; the arithmetic that leads to them is not. */
final class Levels {
  /** Far below any step between levels, far above the error of one multiplication. */
  private static final double SLACK = 1e-9;

  private Levels() {}

  /**
   * Rounds a non-negative value down as a person would: 0.29 × 100 is 29, although the nearest
   * doubles multiply to a little less. Infinity and what does not fit become the largest int.
   */
  static int roundDown(double value) {
    return (int) (value + SLACK);
  }

  /** Always this maximum, if it is one. */
  static IntSupplier fixed(int max) {
    int valid = requireMax(max);
    return () -> valid;
  }

  /** Refuses a maximum that would let nothing through. */
  static int requireMax(int max) {
    if (max < 1) {
      throw new IllegalArgumentException(
          "max is "
              + max
              + ", but must be 1 or more (how many requests may be in flight at once, such as the"
              + " service's recommended degree of parallelism)");
    }
    return max;
  }
}
