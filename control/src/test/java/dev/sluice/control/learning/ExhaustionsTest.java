package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ExhaustionsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long START = -50 * SECOND;

  private final Exhaustions exhaustions = new Exhaustions(START);

  private void granted(int count) {
    for (int i = 0; i < count; i++) {
      exhaustions.granted();
    }
  }

  @Test
  void the_first_closure_measures_nothing() {
    granted(100);
    assertThat(exhaustions.closed(SECOND, START + 10 * SECOND)).isNaN();
  }

  @Test
  void what_was_granted_between_the_ends_of_two_like_closures_is_the_rate() {
    granted(100);
    double unused = exhaustions.closed(SECOND, START + 10 * SECOND);
    granted(60);
    assertThat(exhaustions.closed(2 * SECOND, START + 30 * SECOND)).isCloseTo(3, within(1e-9));
  }

  @Test
  void closures_that_are_not_alike_do_not_measure_each_other() {
    double unused = exhaustions.closed(SECOND, START + 10 * SECOND);
    granted(60);
    assertThat(exhaustions.closed(4 * SECOND, START + 30 * SECOND)).isNaN();
    granted(60);
    assertThat(exhaustions.closed(0, START + 50 * SECOND))
        .as("since the first one")
        .isCloseTo(3, within(1e-9));
  }

  @Test
  void few_grants_or_a_short_time_measure_nothing_and_the_closure_before_does() {
    double unused = exhaustions.closed(SECOND, START);
    granted(60);
    unused = exhaustions.closed(SECOND, START + 20 * SECOND);
    granted(4);
    assertThat(exhaustions.closed(SECOND, START + 32 * SECOND)).isCloseTo(2, within(1e-9));
    granted(36);
    assertThat(exhaustions.closed(SECOND, START + 33 * SECOND))
        .as("40 in 13 s")
        .isCloseTo(40 / 13.0, within(1e-9));
  }

  @Test
  void time_in_which_nothing_was_asked_for_does_not_count() {
    double unused = exhaustions.closed(SECOND, START);
    granted(60);
    exhaustions.idle(100 * SECOND);
    assertThat(exhaustions.closed(SECOND, START + 120 * SECOND)).isCloseTo(3, within(1e-9));
    assertThat(exhaustions.sinceStart(START + 120 * SECOND)).isCloseTo(3, within(1e-9));
  }

  @Test
  void since_the_start_all_that_was_granted_counts() {
    assertThat(exhaustions.sinceStart(START)).isNaN();
    granted(50);
    assertThat(exhaustions.sinceStart(START + 10 * SECOND)).isCloseTo(5, within(1e-9));
  }

  @Test
  void since_it_opened_counts_if_it_was_open_for_longer_than_it_is_closed() {
    assertThat(exhaustions.sinceOpened(SECOND, START + 10 * SECOND)).as("never closed").isNaN();
    double unused = exhaustions.closed(9 * SECOND, START + 10 * SECOND);
    granted(60);
    assertThat(exhaustions.sinceOpened(10 * SECOND, START + 30 * SECOND))
        .isCloseTo(3, within(1e-9));
    assertThat(exhaustions.sinceOpened(11 * SECOND, START + 30 * SECOND)).isNaN();
  }

  @Test
  void a_few_grants_since_it_opened_tell_nothing() {
    double unused = exhaustions.closed(SECOND, START);
    granted(4);
    assertThat(exhaustions.sinceOpened(SECOND, START + 10 * SECOND)).isNaN();
    granted(1);
    assertThat(exhaustions.sinceOpened(SECOND, START + 10 * SECOND)).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void of_many_closures_the_latest_like_one_counts() {
    long end = START;
    for (int i = 1; i <= 30; i++) {
      granted(10 * i);
      end += 10 * SECOND;
      double rate = exhaustions.closed(SECOND, end);
      if (i > 1) {
        assertThat(rate).isCloseTo(i, within(1e-9));
      }
    }
  }
}
