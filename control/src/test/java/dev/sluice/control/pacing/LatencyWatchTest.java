package dev.sluice.control.pacing;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyWatchTest {
  private static final long MINUTE = MINUTES.toNanos(1);

  @Test
  void nothing_is_slow_before_a_whole_window_has_been_seen() {
    LatencyWatch watch = watch(0);
    answers(watch, 10, 100, 0);
    answers(watch, 9, 10_000, 0);
    assertThat(watch.isSlow()).isFalse();
    assertThat(watch.isSlowDownDue()).isFalse();
  }

  @Test
  void a_median_above_1_6_times_the_lowest_is_slow_and_one_at_it_is_not() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 0);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 20, 160, 0);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 20, 161, 0);
    assertThat(watch.isSlow()).isTrue();
  }

  @Test
  void a_few_slow_answers_do_not_move_the_median() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 0);
    answers(watch, 9, 1_000_000, 0);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 1, 1_000_000, 0); // ten quick and ten slow: half way between the middle two
    assertThat(watch.isSlow()).isTrue();
  }

  @Test
  void an_odd_window_has_its_middle_answer_as_its_median() {
    LatencyWatch watch = new LatencyWatch(3, 1.6, 10 * MINUTE, 0);
    answers(watch, 3, 100, 0);
    answers(watch, 1, 1_000, 0);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 1, 1_000, 0);
    assertThat(watch.isSlow()).isTrue();
  }

  @Test
  void a_slow_down_is_due_once_a_window() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 0);
    answers(watch, 20, 200, 0);
    assertThat(watch.isSlowDownDue()).isTrue();
    watch.slowedDown();
    assertThat(watch.isSlowDownDue()).isFalse();
    answers(watch, 19, 200, 0);
    assertThat(watch.isSlow()).isTrue();
    assertThat(watch.isSlowDownDue()).isFalse();
    answers(watch, 1, 200, 0);
    assertThat(watch.isSlowDownDue()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -12_345, Long.MAX_VALUE - 1_000})
  void the_lowest_median_is_remembered_for_ten_minutes_and_forgotten_half_a_minute_later(
      long origin) {
    LatencyWatch watch = watch(origin);
    answers(watch, 20, 100, origin);
    answers(watch, 20, 200, origin);
    answers(watch, 1, 200, origin + 10 * MINUTE + MINUTE / 2 - 1);
    assertThat(watch.isSlow()).isTrue();
    answers(watch, 1, 200, origin + 10 * MINUTE + MINUTE / 2);
    assertThat(watch.isSlow()).isFalse();
  }

  @Test
  void after_a_long_pause_everything_is_forgotten() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 0);
    answers(watch, 20, 900, 5 * MINUTE);
    assertThat(watch.isSlow()).isTrue();
    answers(watch, 1, 900, 10_000 * MINUTE);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 20, 2_000, 10_001 * MINUTE);
    assertThat(watch.isSlow()).isTrue();
  }

  @Test
  void a_clock_that_jumps_back_forgets_nothing() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 60 * MINUTE);
    answers(watch, 20, 200, 0);
    assertThat(watch.isSlow()).isTrue();
    answers(watch, 20, 200, -60 * MINUTE);
    assertThat(watch.isSlow()).isTrue();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void agrees_with_sorting_the_window_anew(long seed) {
    Random random = new Random(seed);
    int window = random.nextInt(3, 30);
    LatencyWatch watch = new LatencyWatch(window, 1.6, 10 * MINUTE, 0);
    ArrayDeque<Long> recent = new ArrayDeque<>();
    double lowest = Double.MAX_VALUE;
    for (int i = 0; i < 2_000; i++) {
      // Spreads out so slowly that the median crosses the line back and forth; even, so that half
      // way between two of them is a whole number.
      long latency = 2 * (50 + random.nextLong(1 + i / 10));
      watch.record(latency, i);
      recent.add(latency);
      if (recent.size() > window) {
        recent.remove();
      }
      boolean slow = false;
      if (recent.size() == window) {
        long[] sorted = recent.stream().mapToLong(Long::longValue).sorted().toArray();
        double median = (sorted[(window - 1) / 2] + sorted[window / 2]) / 2.0;
        lowest = Math.min(lowest, median);
        slow = median > 1.6 * lowest;
      }
      assertThat(watch.isSlow()).as("seed %d, answer %d", seed, i).isEqualTo(slow);
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 20 * Integer.getInteger("sluice.seeds", 1));
  }

  @Test
  void recording_allocates_nothing() {
    LatencyWatch watch = watch(0);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long fewest = Long.MAX_VALUE;
    for (int round = 0; round < 200 && fewest >= 1_000; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 20_000; i++) {
        watch.record((i * 7_919L) % 1_000, i * 1_000_000L);
        if (watch.isSlowDownDue()) {
          watch.slowedDown();
        }
      }
      fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(fewest).isLessThan(1_000);
  }

  private static LatencyWatch watch(long now) {
    return new LatencyWatch(20, 1.6, 10 * MINUTE, now);
  }

  private static void answers(LatencyWatch watch, int count, long latency, long now) {
    for (int i = 0; i < count; i++) {
      watch.record(latency, now);
    }
  }
}
