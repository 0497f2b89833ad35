package dev.sluice.control.pacing;

import java.util.Random;

/** Random demand, and how much of it got through. */
final class Demand {
  private Demand() {}

  /** Mostly short, sometimes none, now and then long. */
  static long pause(Random random, long interval) {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> 0;
      case 3 -> random.nextLong(20 * interval);
      case 4, 5 -> random.nextLong(2 * interval);
      default -> random.nextLong(Math.max(1, interval / 3));
    };
  }

  /** The most of {@code sorted} that lie in any closed span of this length. */
  static long mostWithin(long span, long[] sorted) {
    int most = 0;
    int first = 0;
    for (int last = 0; last < sorted.length; last++) {
      while (sorted[last] - sorted[first] > span) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }
}
