package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecentCountTest {
  private static final long MEMORY = 3_100;
  private static final long CELL = 100;

  private final RecentCount count = new RecentCount(MEMORY);

  static LongStream seeds() {
    return LongStream.range(0, 30);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void all_of_the_memory_counts_and_nothing_that_is_older_by_a_cell(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Deque<Long> times = new ArrayDeque<>();
    long now = random.nextLong(-1_000_000, 1_000_000);
    for (int i = 0; i < 400; i++) {
      now += random.nextInt(10) == 0 ? random.nextLong(2 * MEMORY) : random.nextLong(50);
      count.add(now);
      times.add(now);
      long then = now;
      long surely = times.stream().filter(time -> then - time < MEMORY).count();
      long perhaps = times.stream().filter(time -> then - time < MEMORY + CELL).count();
      assertThat((long) count.at(now)).as("seed %d, step %d", seed, i).isBetween(surely, perhaps);
    }
  }

  @Test
  void the_oldest_is_forgotten_at_the_end_of_its_cell() {
    count.add(150);
    count.add(250);
    assertThat(count.forgetsAt(300)).isEqualTo(3_300);
    assertThat(count.at(3_299)).isEqualTo(2);
    assertThat(count.at(3_300)).isEqualTo(1);
    assertThat(count.forgetsAt(3_300)).isEqualTo(3_400);
    assertThat(count.at(3_400)).isZero();
    assertThat(count.forgetsAt(3_400)).isEqualTo(3_400);
  }

  @Test
  void the_latest_can_be_taken_back_as_far_as_it_is_remembered() {
    count.add(150);
    count.add(250);
    count.takeBack(450);
    assertThat(count.at(450)).isEqualTo(1);
    assertThat(count.forgetsAt(450)).as("the earlier one is left").isEqualTo(3_300);
    count.takeBack(450);
    count.takeBack(450);
    assertThat(count.at(450)).isZero();
  }
}
