package dev.sluice.control.retry;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {
  private static final long SECOND = SECONDS.toNanos(1);

  @ParameterizedTest
  @CsvSource({"0,1", "1,2", "2,4", "5,32", "6,60", "7,60", "-1,1", "-2147483648,1"})
  void the_longest_wait_doubles_from_one_second_to_sixty(int attempt, long longest) {
    assertThat(new Backoff(highest()).nanos(attempt)).isEqualTo(longest * SECOND);
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 31, 32, 33, 61, 62, 63, 64, 65, 1_000, Integer.MAX_VALUE})
  void a_huge_number_of_attempts_waits_for_the_cap_at_most(int attempt) {
    assertThat(new Backoff(highest()).nanos(attempt)).isEqualTo(60 * SECOND);
    Duration week = Duration.ofDays(7);
    Backoff longest = new Backoff(Duration.ofNanos(1), week, Duration.ZERO, highest());
    assertThat(longest.nanos(attempt)).isEqualTo(attempt < 50 ? 1L << attempt : week.toNanos());
  }

  @Test
  void a_base_above_the_cap_waits_for_the_cap_at_most() {
    Backoff backoff =
        new Backoff(Duration.ofSeconds(9), Duration.ofSeconds(2), Duration.ZERO, highest());
    assertThat(backoff.nanos(0)).isEqualTo(2 * SECOND);
  }

  @Test
  void waits_are_spread_evenly_from_nothing_to_the_longest() {
    Backoff backoff = new Backoff(new Random(1));
    long[] tenths = new long[10];
    for (int i = 0; i < 10_000; i++) {
      tenths[(int) Math.min(9, backoff.nanos(3) * 10 / (8 * SECOND))]++;
    }
    assertThat(LongStream.of(tenths).boxed())
        .allSatisfy(count -> assertThat(count).isBetween(850L, 1_150L));
  }

  @Test
  void with_a_floor_no_wait_is_shorter_and_waits_stay_spread() {
    Backoff backoff =
        new Backoff(
            Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ofSeconds(5), new Random(1));
    assertThat(backoff.nanos(0)).isEqualTo(5 * SECOND);
    assertThat(backoff.nanos(2)).isEqualTo(5 * SECOND);
    long[] waits = LongStream.range(0, 1_000).map(i -> backoff.nanos(4)).toArray();
    assertThat(LongStream.of(waits).boxed())
        .allSatisfy(wait -> assertThat(wait).isBetween(5 * SECOND, 16 * SECOND));
    assertThat(LongStream.of(waits).distinct().count()).isGreaterThan(990);
  }

  @Test
  void the_same_random_source_gives_the_same_waits() {
    Backoff one = new Backoff(new Random(42));
    Backoff other = new Backoff(new Random(42));
    for (int i = 0; i < 10; i++) {
      assertThat(one.nanos(i)).isEqualTo(other.nanos(i));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "base, PT0S, PT1M, PT0S",
    "base, PT-1S, PT1M, PT0S",
    "base, PT168H1S, PT1M, PT0S",
    "cap, PT1S, PT0S, PT0S",
    "cap, PT1S, PT168H1S, PT0S",
    "floor, PT1S, PT1M, PT-1S",
    "floor, PT1S, PT1M, PT61S"
  })
  void an_option_out_of_range_is_refused(
      String option, Duration base, Duration cap, Duration floor) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(base, cap, floor, new Random(1)))
        .withMessageStartingWith("backoff." + option + " is ")
        .withMessageMatching(".* must .*\\(.+\\)");
  }

  @Test
  void the_ends_of_the_ranges_are_accepted() {
    Duration week = Duration.ofDays(7);
    assertThat(new Backoff(week, week, week, new Random(1)).nanos(0)).isEqualTo(week.toNanos());
  }

  /** Draws the highest value that it may. */
  private static RandomGenerator highest() {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        return 0;
      }

      @Override
      public long nextLong(long origin, long bound) {
        return bound - 1;
      }
    };
  }
}
