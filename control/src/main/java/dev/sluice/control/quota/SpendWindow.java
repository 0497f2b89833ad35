package dev.sluice.control.quota;

import java.util.Arrays;

/**
 * The sum of what was spent within a sliding window, kept in {@value #CELLS} cells: an amount is
 * forgotten up to a cell's length late, never early. Single-threaded; nanoseconds that do not go
 * back.
 */
final class SpendWindow {
  static final int CELLS = 1_500;

  private final long cell;
  private final double[] amounts = new double[CELLS];
  private long current; // the number of the cell that holds `now`
  private double sum;

  SpendWindow(long window, long now) {
    this.cell =
        Math.max(1, Math.ceilDiv(window, CELLS - 1L)); // rounded down, it would forget early
    this.current = Math.floorDiv(now, cell);
  }

  /** Spends an amount now, or takes one back that was spent at {@code at}, if it still counts. */
  void add(double amount, long at, long now) {
    advance(now);
    long number = Math.floorDiv(at, cell);
    if (current - number >= CELLS || number > current) {
      return;
    }
    amounts[index(number)] += amount;
    sum += amount;
  }

  double sum(long now) {
    advance(now);
    return sum;
  }

  /** The sums of what was spent so many cells ago, and of the cells before each. */
  double[] byAge(int cellsEach, long now) {
    advance(now);
    double[] sums = new double[Math.ceilDiv(CELLS, cellsEach)];
    for (int age = 0; age < CELLS; age++) {
      sums[age / cellsEach] += amounts[index(current - age)];
    }
    return sums;
  }

  /** Nanoseconds that so many cells cover. */
  long span(int cells) {
    return cells * cell;
  }

  /** When the sum will be below {@code limit} if nothing is spent; {@code now} if it is. */
  long belowAt(double limit, long now) {
    advance(now);
    double left = sum;
    for (long number = current - CELLS + 1; left >= limit && number <= current; number++) {
      left -= amounts[index(number)];
      if (left < limit) {
        return (number + CELLS) * cell;
      }
    }
    return left < limit ? now : (current + CELLS) * cell;
  }

  private void advance(long now) {
    long number = Math.floorDiv(now, cell);
    if (number - current >= CELLS) {
      Arrays.fill(amounts, 0);
      sum = 0;
      current = number;
      return;
    }
    while (current < number) {
      current++;
      int index = index(current);
      sum -= amounts[index];
      amounts[index] = 0;
    }
    if (sum < 1e-9) {
      sum = Math.max(0, sum); // sums of fractions may end a hair beside zero
    }
  }

  private static int index(long number) {
    return Math.floorMod(number, CELLS);
  }
}
