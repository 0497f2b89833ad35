package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClosureTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Closure closure = new Closure();

  @Test
  void pauses_grow_by_half_from_five_seconds_to_fifteen_minutes() {
    closure.begin(100);
    assertThat(closure.from()).isEqualTo(100);
    assertThat(closure.probeAt()).isEqualTo(100 + 5 * SECOND);
    long[] tenths = {75, 112, 168, 253};
    for (long pause : tenths) {
      closure.lasts(0, 200);
      assertThat((closure.probeAt() - 200) * 10 / SECOND).isEqualTo(pause);
    }
    for (int i = 0; i < 20; i++) {
      closure.lasts(0, 300);
    }
    assertThat(closure.probeAt()).isEqualTo(300 + 900 * SECOND);
    closure.begin(400);
    assertThat(closure.probeAt()).as("another closure").isEqualTo(400 + 5 * SECOND);
  }

  @Test
  void a_longer_wait_that_is_told_is_kept() {
    closure.begin(0);
    closure.lasts(60 * SECOND, SECOND);
    assertThat(closure.probeAt()).isEqualTo(61 * SECOND);
    closure.lasts(SECOND, 70 * SECOND);
    assertThat(closure.probeAt()).isEqualTo(70 * SECOND + 11_250_000_000L);
  }

  @Test
  void only_what_was_sent_since_says_whether_it_is_over() {
    assertThat(closure.isAnsweredBy(7)).isFalse();
    closure.begin(7);
    assertThat(closure.isOn()).isTrue();
    assertThat(closure.isAnsweredBy(7)).isFalse();
    assertThat(closure.isAnsweredBy(8)).isTrue();
    long unused = closure.end(8);
    assertThat(closure.isOn()).isFalse();
    assertThat(closure.isAnsweredBy(9)).isFalse();
    assertThat(unused).isEqualTo(7);
  }

  @Test
  void it_opened_in_the_middle_since_the_last_refusal_and_earlier_if_found_at_once() {
    closure.begin(1_000);
    assertThat(closure.end(1_400)).isEqualTo(1_100);
    closure.begin(1_000);
    closure.lasts(0, 2_000);
    assertThat(closure.end(2_400)).isEqualTo(2_200);
  }
}
