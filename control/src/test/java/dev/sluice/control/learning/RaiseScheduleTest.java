package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RaiseScheduleTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long START = -100 * SECOND;

  private final Ladder rate = new Ladder(0.01, 1_000, 10);
  private final RaiseSchedule raises = new RaiseSchedule(rate, START);

  private void succeed(int count, long now) {
    for (int i = 0; i < count; i++) {
      raises.succeeded(now);
    }
  }

  @Test
  void more_is_tried_after_200_successes_and_15_seconds() {
    succeed(199, START + 15 * SECOND);
    assertThat(raises.isDue(START + 15 * SECOND)).isFalse();
    succeed(1, START + 15 * SECOND);
    assertThat(raises.isDue(START + 15 * SECOND)).isTrue();
    assertThat(raises.isDue(START + 15 * SECOND - 1)).isFalse();
    raises.raise(START + 15 * SECOND);
    assertThat(rate.isTrying()).isTrue();
    assertThat(raises.isDue(START + 60 * SECOND)).isFalse();
  }

  @Test
  void a_refusal_starts_the_count_again_and_many_in_an_episode_make_it_longer() {
    succeed(200, START);
    for (int i = 0; i < 5; i++) {
      raises.refused(i == 0);
    }
    assertThat(raises.isDue(START + 20 * SECOND)).isFalse();
    raises.refused(true); // the episode before had cost 5: (1 + 5) / 2 is 3
    succeed(599, START + 20 * SECOND);
    assertThat(raises.isDue(START + 20 * SECOND)).isFalse();
    succeed(1, START + 20 * SECOND);
    assertThat(raises.isDue(START + 20 * SECOND)).isTrue();
  }

  @Test
  void a_first_guess_is_raised_after_20_successes_and_2_seconds() {
    raises.guessed(true);
    succeed(20, START + 2 * SECOND);
    assertThat(raises.isDue(START + 2 * SECOND)).isTrue();
    assertThat(raises.isDue(START + 2 * SECOND - 1)).isFalse();
  }

  @Test
  void a_first_guess_of_a_low_rate_is_raised_after_20_seconds_worth_of_successes() {
    raises.guessed(true);
    rate.set(0.25);
    succeed(4, START + 20 * SECOND);
    assertThat(raises.isDue(START + 20 * SECOND)).isFalse();
    succeed(1, START + 20 * SECOND);
    assertThat(raises.isDue(START + 20 * SECOND)).isTrue();
  }

  @Test
  void far_below_what_was_granted_lately_more_is_tried_soon() {
    succeed(6_200, START); // 10 per second over some ten minutes
    raises.refused(true);
    rate.set(8);
    succeed(20, START + 2 * SECOND);
    assertThat(raises.isDue(START + 2 * SECOND)).as("a little below").isFalse();
    rate.set(6);
    assertThat(raises.isDue(START + 2 * SECOND)).isTrue();
    rate.fail();
    assertThat(raises.isDue(START + 2 * SECOND)).as("after a failed step").isFalse();
  }

  @Test
  void what_is_proven_is_the_rate_or_the_average_of_the_last_ten_minutes() {
    assertThat(raises.proven()).isEqualTo(10);
    succeed(12_400, START);
    assertThat(raises.proven()).isCloseTo(20, within(0.1));
  }

  @Test
  void people_are_told_when_more_is_tried() {
    assertThat(raises.next(START)).isEqualTo("; more is tried in 15 s if requests succeed");
    succeed(50, START);
    assertThat(raises.next(START + 15 * SECOND))
        .isEqualTo("; more is tried after 150 more successes");
  }
}
