package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyTest {
  private final Latency latency = new Latency();

  private void answer(int count, long took, long now) {
    for (int i = 0; i < count; i++) {
      latency.answered(took, now);
    }
  }

  @Test
  void the_first_answer_counts_whole_and_the_others_a_tenth() {
    answer(1, 100, 0);
    assertThat(latency.smoothed()).isEqualTo(100);
    answer(1, 200, 0);
    assertThat(latency.smoothed()).isCloseTo(110, within(1e-9));
  }

  @Test
  void twice_the_shortest_is_slow_once_ten_were_seen() {
    answer(1, 100, 0);
    answer(8, 1_000, 0);
    assertThat(latency.isSlow()).isFalse();
    assertThat(latency.reasonable()).isEqualTo(latency.smoothed());
    answer(1, 1_000, 0);
    assertThat(latency.isSlow()).as("the first shortest is of the tenth").isFalse();
  }

  @Test
  void more_than_twice_the_shortest_is_not_waited_for() {
    answer(10, 100, 0);
    answer(7, 300, 0);
    assertThat(latency.smoothed()).isCloseTo(204.34, within(0.01));
    assertThat(latency.isSlow()).isTrue();
    assertThat(latency.reasonable()).isEqualTo(200);
    answer(1, 100, 0);
    assertThat(latency.isSlow()).isFalse();
    assertThat(latency.reasonable()).isEqualTo(latency.smoothed());
  }

  @Test
  void the_shortest_is_remembered_for_one_to_two_hours() {
    long hour = TimeUnit.HOURS.toNanos(1);
    answer(10, 100, 1);
    answer(100, 300, 2);
    assertThat(latency.isSlow()).isTrue();
    answer(1, 300, hour + 2);
    assertThat(latency.isSlow()).isTrue();
    answer(1, 300, 2 * hour + 3);
    assertThat(latency.isSlow()).isFalse();
  }
}
