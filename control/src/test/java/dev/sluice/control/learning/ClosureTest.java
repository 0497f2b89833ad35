package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClosureTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long NOW = -5 * SECOND;

  private final Closure closure = new Closure();

  @Test
  void at_first_it_is_open() {
    assertThat(closure.isOn()).isFalse();
    assertThat(closure.isProbed()).isFalse();
    assertThat(closure.isAnsweredBy(NOW)).isFalse();
  }

  @Test
  void a_told_wait_is_waited_for_and_not_probed() {
    closure.begin(7 * SECOND, 0, NOW);
    assertThat(closure.isOn()).isTrue();
    assertThat(closure.isProbed()).isFalse();
    assertThat(closure.from()).isEqualTo(NOW);
    assertThat(closure.probeAt()).isEqualTo(NOW + 7 * SECOND);
  }

  @Test
  void without_a_told_wait_the_first_probe_comes_after_a_second_or_two_round_trips() {
    closure.begin(0, 0.1 * SECOND, NOW);
    assertThat(closure.isProbed()).isTrue();
    assertThat(closure.probeAt()).isEqualTo(NOW + SECOND);
    closure.begin(0, 3.0 * SECOND, NOW);
    assertThat(closure.probeAt()).isEqualTo(NOW + 6 * SECOND);
  }

  @Test
  void pauses_double_up_to_a_minute_or_a_tenth_of_the_time_closed() {
    closure.begin(0, 0, NOW);
    long[] pauses = {2, 4, 8, 16, 32, 60, 60};
    long now = NOW;
    for (long pause : pauses) {
      now = closure.probeAt();
      closure.lasts(0, now);
      assertThat(closure.probeAt() - now).isEqualTo(pause * SECOND);
    }
    now = NOW + 3_600 * SECOND;
    closure.lasts(0, now);
    assertThat(closure.probeAt() - now).isEqualTo(120 * SECOND);
    closure.lasts(0, now);
    closure.lasts(0, now);
    assertThat(closure.probeAt() - now).as("a tenth of an hour").isEqualTo(360 * SECOND);
  }

  @Test
  void a_told_wait_that_was_not_true_is_probed() {
    closure.begin(2 * SECOND, 0, NOW);
    long now = NOW + 2 * SECOND;
    closure.lasts(3 * SECOND, now);
    assertThat(closure.isProbed()).isTrue();
    assertThat(closure.probeAt()).as("not before it is told").isEqualTo(now + 3 * SECOND);
  }

  @Test
  void refusals_of_requests_sent_before_prolong_a_wait_but_never_shorten_it() {
    closure.begin(5 * SECOND, 0, NOW);
    closure.repeated(0, NOW + SECOND);
    closure.repeated(2 * SECOND, NOW + SECOND);
    assertThat(closure.probeAt()).isEqualTo(NOW + 5 * SECOND);
    closure.repeated(6 * SECOND, NOW + SECOND);
    assertThat(closure.probeAt()).isEqualTo(NOW + 7 * SECOND);
  }

  @Test
  void only_requests_sent_after_it_began_say_if_it_is_over() {
    closure.begin(0, 0, NOW);
    assertThat(closure.isAnsweredBy(NOW - 1)).isFalse();
    assertThat(closure.isAnsweredBy(NOW)).isFalse();
    assertThat(closure.isAnsweredBy(NOW + 1)).isTrue();
  }

  @Test
  void it_ended_when_it_was_told_to() {
    closure.begin(5 * SECOND, 0, NOW);
    assertThat(closure.end(NOW + 9 * SECOND)).isEqualTo(NOW + 5 * SECOND);
    assertThat(closure.isOn()).isFalse();
  }

  @Test
  void without_a_told_wait_it_ended_halfway_between_the_last_refusal_and_the_success() {
    closure.begin(0, 0, NOW);
    closure.lasts(0, NOW + 2 * SECOND);
    assertThat(closure.end(NOW + 4 * SECOND)).isEqualTo(NOW + 3 * SECOND);
  }
}
