package dev.sluice.control.learning;

import java.util.Arrays;

/**
 * How many happened within the last minute or so, in cells of a few seconds: forgotten a little
 * late. Single-threaded; nanoseconds that do not go back.
 */
final class RecentCount {
  private static final int CELLS = 32;

  private final long cell;
  private final int[] counts = new int[CELLS];
  private long current = Long.MIN_VALUE;
  private int sum;

  RecentCount(long memory) {
    this.cell = memory / (CELLS - 1);
  }

  void add(long now) {
    advance(now);
    counts[Math.floorMod(current, CELLS)]++;
    sum++;
  }

  /** Forgets the latest, if there is one. */
  void takeBack(long now) {
    advance(now);
    for (long number = current; number > current - CELLS && sum > 0; number--) {
      int index = Math.floorMod(number, CELLS);
      if (counts[index] > 0) {
        counts[index]--;
        sum--;
        return;
      }
    }
  }

  int at(long now) {
    advance(now);
    return sum;
  }

  /** How many there were per second when it was last asked or told, over the whole memory. */
  double perSecond() {
    return sum * 1e9 / (CELLS * (double) cell);
  }

  /** When the oldest of them will be forgotten; {@code now} if there is none. */
  long forgetsAt(long now) {
    advance(now);
    for (long number = current - CELLS + 1; number <= current; number++) {
      if (counts[Math.floorMod(number, CELLS)] > 0) {
        return (number + CELLS) * cell;
      }
    }
    return now;
  }

  private void advance(long now) {
    long number = Math.floorDiv(now, cell);
    if (current == Long.MIN_VALUE || number - current >= CELLS) {
      Arrays.fill(counts, 0);
      sum = 0;
      current = number;
    }
    while (current < number) {
      current++;
      int index = Math.floorMod(current, CELLS);
      sum -= counts[index];
      counts[index] = 0;
    }
  }
}
