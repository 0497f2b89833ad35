package dev.sluice.control.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SpendWindowTest {
  private static final long WINDOW = 300_000_000_000L;
  private static final long CELL = Math.ceilDiv(WINDOW, SpendWindow.CELLS - 1L);

  static LongStream seeds() {
    return LongStream.range(0, 20L * Integer.getInteger("sluice.seeds", 1));
  }

  @Test
  void what_was_spent_counts_for_a_window_and_at_most_a_cell_longer() {
    SpendWindow window = new SpendWindow(WINDOW, 0);
    window.add(5, 10, 10);
    assertThat(window.sum(10 + WINDOW - 1)).isEqualTo(5);
    assertThat(window.sum(10 + WINDOW + CELL + SpendWindow.CELLS)).isZero();
  }

  @Test
  void what_is_taken_back_counts_no_more() {
    SpendWindow window = new SpendWindow(WINDOW, 0);
    window.add(5, 10, 10);
    window.add(-5, 10, 20 * CELL);
    assertThat(window.sum(20 * CELL)).isZero();
    assertThat(window.sum(2 * WINDOW)).isZero();
  }

  @Test
  void nothing_is_taken_back_that_is_forgotten() {
    SpendWindow window = new SpendWindow(WINDOW, 0);
    window.add(5, 10, 10);
    window.add(7, 2 * WINDOW, 2 * WINDOW);
    window.add(-5, 10, 2 * WINDOW);
    assertThat(window.sum(2 * WINDOW)).isEqualTo(7);
  }

  @Test
  void times_before_the_origin_are_times_like_any() {
    SpendWindow window = new SpendWindow(WINDOW, -3 * WINDOW);
    window.add(5, -2 * WINDOW, -2 * WINDOW);
    assertThat(window.sum(-2 * WINDOW + 1)).isEqualTo(5);
    assertThat(window.sum(0)).isZero();
  }

  @Test
  void says_when_the_sum_will_be_below_a_limit() {
    SpendWindow window = new SpendWindow(WINDOW, 0);
    window.add(3, 0, 0);
    window.add(4, 50 * CELL, 50 * CELL);
    long now = 60 * CELL;
    assertThat(window.belowAt(8, now)).isEqualTo(now);
    long first = window.belowAt(7, now);
    assertThat(first).isBetween(WINDOW, WINDOW + CELL + SpendWindow.CELLS);
    assertThat(window.belowAt(4, now)).isBetween(WINDOW + 50 * CELL, WINDOW + 52 * CELL);
    assertThat(window.sum(first)).isEqualTo(4);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void never_counts_less_than_a_plain_recount_nor_more_than_one_of_a_longer_window(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long now = random.nextLong(-WINDOW, WINDOW);
    SpendWindow window = new SpendWindow(WINDOW, now);
    List<long[]> log = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      now += random.nextLong(WINDOW / 100);
      long amount = random.nextLong(10);
      window.add((double) amount, now, now);
      log.add(new long[] {now, amount});
      double sum = window.sum(now);
      assertThat(sum).as("seed %d, step %d", seed, i).isGreaterThanOrEqualTo(recount(log, now, 0));
      assertThat(sum)
          .as("seed %d, step %d", seed, i)
          .isLessThanOrEqualTo(recount(log, now, CELL + SpendWindow.CELLS));
      long below = window.belowAt(sum / 2, now);
      if (sum > 0) {
        assertThat(recount(log, below, 0)).as("seed %d, step %d", seed, i).isLessThan(sum / 2);
      }
    }
  }

  private static double recount(List<long[]> log, long now, long longer) {
    double sum = 0;
    for (long[] entry : log) {
      sum += now - entry[0] < WINDOW + longer ? entry[1] : 0;
    }
    return sum;
  }

  @Test
  void fractions_do_not_pile_up() {
    SpendWindow window = new SpendWindow(WINDOW, 0);
    for (int i = 0; i < 10_000; i++) {
      window.add(0.1, i * CELL, i * CELL);
    }
    assertThat(window.sum(10_000 * CELL)).isCloseTo(0.1 * (SpendWindow.CELLS - 1), within(1e-6));
    assertThat(window.sum(20_000 * CELL)).isZero();
  }
}
