package dev.sluice.control.pacing;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyWatchTest {
  private static final long MINUTE = MINUTES.toNanos(1);
  private static final long MILLI = MILLISECONDS.toNanos(1);

  @Test
  void nothing_is_slow_before_a_whole_window_has_been_seen() {
    LatencyWatch watch = watch(0);
    answers(watch, 10, 100, 0);
    answers(watch, 9, 10_000, 0);
    assertThat(watch.isSlow()).isFalse();
    assertThat(watch.isSlowDownDue()).isFalse();
  }

  @Test
  void a_median_above_1_6_times_the_usual_is_slow_and_one_at_it_is_not() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 0);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 20, 160, 0);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 20, 161, 100);
    assertThat(watch.isSlow()).isTrue();
  }

  @Test
  void a_few_milliseconds_more_are_not_slow_however_short_the_usual_latency() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 1, 0);
    answers(watch, 20, 21, 100);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 20, 22, 200);
    assertThat(watch.isSlow()).isTrue();
  }

  @Test
  void a_few_slow_answers_do_not_move_the_median() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 0);
    answers(watch, 9, 1_000_000, 1);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 1, 1_000_000, 100); // ten quick and ten slow: half way between the middle two
    assertThat(watch.isSlow()).isTrue();
  }

  @Test
  void late_answers_to_requests_that_were_in_flight_together_count_once() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 0);
    long now = MINUTE;
    for (int i = 0; i < 100; i++) { // all sent before the first of them came back
      watch.record(30_000 * MILLI, now - i, now + i);
    }
    assertThat(watch.isSlow()).isFalse();
    for (int i = 0; i < 9; i++) { // but one after the other they do count
      now += 30_000 * MILLI;
      watch.record(30_000 * MILLI, now - 29_000 * MILLI, now);
    }
    assertThat(watch.isSlow()).isTrue();
  }

  @Test
  void an_odd_window_has_its_middle_answer_as_its_median() {
    LatencyWatch watch = new LatencyWatch(3, 1.6, 5 * MINUTE, 0);
    answers(watch, 3, 100, 0);
    answers(watch, 1, 1_000, 10);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 1, 1_000, 20);
    assertThat(watch.isSlow()).isTrue();
  }

  @Test
  void a_slow_down_is_due_once_a_window() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 0);
    answers(watch, 20, 200, 100);
    assertThat(watch.isSlowDownDue()).isTrue();
    watch.slowedDown();
    assertThat(watch.isSlowDownDue()).isFalse();
    answers(watch, 19, 200, 200);
    assertThat(watch.isSlow()).isTrue();
    assertThat(watch.isSlowDownDue()).isFalse();
    answers(watch, 1, 200, 300);
    assertThat(watch.isSlowDownDue()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -12_345, Long.MAX_VALUE - 1_000})
  void a_lasting_latency_is_the_usual_one_within_the_memory_however_long_it_is(long origin) {
    for (long latency : new long[] {300, 3_000, 300_000}) {
      LatencyWatch watch = watch(origin);
      answers(watch, 20, 100, origin);
      int slowSeconds = 0;
      for (int second = 1; second <= 300; second++) {
        answers(watch, 1, latency, origin + second * MINUTE / 60);
        slowSeconds += watch.isSlow() ? 1 : 0;
      }
      assertThat(watch.isSlow()).as("%d ms after 5 minutes", latency).isFalse();
      assertThat(slowSeconds).as("%d ms", latency).isGreaterThan(50);
    }
  }

  @Test
  void after_a_long_pause_everything_is_forgotten() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 0);
    answers(watch, 20, 900, MINUTE / 60);
    assertThat(watch.isSlow()).isTrue();
    answers(watch, 1, 900, 10_000 * MINUTE);
    assertThat(watch.isSlow()).isFalse();
    answers(watch, 20, 2_000, 10_000 * MINUTE + MINUTE / 60);
    assertThat(watch.isSlow()).isTrue();
  }

  @Test
  void a_clock_that_jumps_back_forgets_nothing() {
    LatencyWatch watch = watch(0);
    answers(watch, 20, 100, 60 * MINUTE);
    answers(watch, 20, 200, 0);
    for (int i = 0; i < 20; i++) {
      watch.record(200 * MILLI, 61 * MINUTE + i, i);
    }
    assertThat(watch.isSlow()).isTrue();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noise_is_hardly_ever_slow(long seed) {
    Random random = new Random(seed);
    LatencyWatch watch = watch(0);
    int slow = 0;
    for (int i = 1; i <= 20_000; i++) { // 20 a second
      long now = i * MINUTE / 1_200;
      long latency = (long) (50 * MILLI * Math.exp(0.6 * random.nextGaussian()));
      watch.record(latency, now - latency, now);
      slow += watch.isSlow() ? 1 : 0;
    }
    assertThat(slow / 20_000.0).as("seed %d", seed).isLessThan(0.01);
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
        watch.record((i * 7_919L) % 1_000, i * 1_000_000L, i * 1_000_000L);
        if (watch.isSlowDownDue()) {
          watch.slowedDown();
        }
      }
      fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(fewest).isLessThan(1_000);
  }

  private static LatencyWatch watch(long now) {
    return new LatencyWatch(20, 1.6, 5 * MINUTE, now);
  }

  /** So many answers, one after the other, a nanosecond apart. */
  private static void answers(LatencyWatch watch, int count, long millis, long now) {
    for (int i = 0; i < count; i++) {
      watch.record(millis * MILLI, now + i, now + i);
    }
  }
}
