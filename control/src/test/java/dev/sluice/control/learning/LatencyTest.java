package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyTest {
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Latency latency = new Latency();
  private long now = -1_000 * SECOND;

  /** So many answers, one after the other. */
  private void answers(int count, long milliseconds) {
    for (int i = 0; i < count; i++) {
      answer(milliseconds);
    }
  }

  private boolean answer(long milliseconds) {
    long sentAt = now;
    now += milliseconds * MILLISECOND;
    return latency.answered(sentAt, milliseconds * MILLISECOND, now);
  }

  @Test
  void before_any_answer_nothing_is_known() {
    assertThat(latency.usual()).isZero();
    assertThat(latency.isSlow()).isFalse();
    assertThat(latency.isCrowded()).isFalse();
  }

  @Test
  void before_a_window_is_complete_the_average_counts_and_one_late_answer_hardly_does() {
    answers(10, 100);
    assertThat(latency.usual()).isEqualTo(100e6);
    answer(20_000);
    assertThat(latency.usual()).isLessThanOrEqualTo(120e6);
  }

  @Test
  void every_20_answers_are_a_window() {
    for (int i = 1; i <= 100; i++) {
      assertThat(answer(100)).isEqualTo(i % 20 == 0);
    }
  }

  @Test
  void two_slow_windows_in_a_row_are_a_slow_down_and_one_is_not() {
    answers(40, 100);
    answers(20, 170);
    assertThat(latency.isSlow()).isFalse();
    answers(20, 170);
    assertThat(latency.isSlow()).isTrue();
    assertThat(latency.isCrowded()).isFalse();
    answers(20, 100);
    assertThat(latency.isSlow()).isFalse();
  }

  @Test
  void a_little_slower_is_no_slow_down() {
    answers(40, 100);
    answers(100, 159);
    assertThat(latency.isSlow()).isFalse();
  }

  @Test
  void four_times_slower_is_crowded() {
    answers(40, 100);
    answers(40, 390);
    assertThat(latency.isCrowded()).isFalse();
    answers(40, 410);
    assertThat(latency.isCrowded()).isTrue();
  }

  @Test
  void nine_late_answers_of_twenty_are_no_slow_down() {
    answers(40, 100);
    for (int i = 0; i < 10; i++) {
      answers(11, 100);
      answers(9, 5_000);
      assertThat(latency.isSlow()).isFalse();
    }
  }

  @Test
  void answers_to_requests_sent_before_the_last_window_was_complete_do_not_count() {
    answers(40, 100);
    long before = now;
    now += 30 * SECOND; // the process stood still
    for (int i = 0; i < 60; i++) {
      assertThat(latency.answered(before - 1, 30 * SECOND, now)).isFalse();
    }
    assertThat(latency.isSlow()).isFalse();
  }

  @Test
  void noise_is_hardly_ever_taken_for_a_slow_down() {
    Random random = new Random(3);
    int slow = 0;
    for (int i = 0; i < 20_000; i++) {
      if (answer((long) (50 * Math.exp(0.6 * random.nextGaussian())))) {
        slow += latency.isSlow() ? 1 : 0;
      }
    }
    assertThat(slow).as("of 1,000 windows").isLessThanOrEqualTo(20);
  }

  @Test
  void a_lasting_latency_is_the_normal_one_after_two_minutes() {
    answers(600, 100);
    long changed = now;
    while (now - changed < 55 * SECOND) {
      answers(1, 300);
    }
    assertThat(latency.isSlow()).as("for a while").isTrue();
    while (now - changed < 130 * SECOND) {
      answers(1, 300);
    }
    assertThat(latency.isSlow()).isFalse();
  }

  @Test
  void a_request_that_failed_counts_for_as_long_as_it_had_its_slot() {
    for (int i = 0; i < 1_000; i++) {
      answers(1, 100);
      if (i % 10 == 9) {
        latency.failed(10 * SECOND);
      }
    }
    assertThat(latency.usual()).isEqualTo(100e6);
    assertThat(latency.held()).isCloseTo(1_100e6, within(300e6));
  }
}
