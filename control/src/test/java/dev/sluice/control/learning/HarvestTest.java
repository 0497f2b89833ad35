package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HarvestTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long START = -7 * SECOND;

  private final Harvest harvest = new Harvest(START);

  private void grant(int count, long from, long to) {
    for (int i = 0; i < count; i++) {
      long at = START + from * SECOND + (to - from) * SECOND * i / count;
      harvest.granted(at, at);
    }
  }

  private double closed(long from, long until) {
    return harvest.closed(START + from * SECOND, START + until * SECOND);
  }

  @Test
  void a_long_closure_ends_a_cycle_whose_grants_are_the_quota() {
    grant(90, 0, 10);
    assertThat(closed(10, 60)).isEqualTo(1.5);
    grant(120, 60, 70);
    assertThat(closed(70, 120)).as("from the end of one closure to the next").isEqualTo(2);
  }

  @Test
  void a_brief_closure_ends_no_cycle() {
    grant(60, 0, 20);
    assertThat(closed(20, 22)).as("60 in 20 s").isEqualTo(3);
    grant(40, 22, 40);
    assertThat(closed(40, 100)).as("100 in 100 s").isEqualTo(1);
  }

  @Test
  void thirty_seconds_are_not_long_yet() {
    assertThat(Harvest.isLong(30 * SECOND)).isFalse();
    assertThat(Harvest.isLong(30 * SECOND + 1)).isTrue();
  }

  @Test
  void a_brief_closure_tells_what_the_last_minute_granted() {
    grant(600, 0, 60);
    grant(120, 60, 120);
    // Cells of a few seconds: up to two of them may be counted too many.
    assertThat(closed(120, 121)).isBetween(2.0, 2.4);
  }

  @Test
  void a_long_closure_is_no_part_of_the_last_minute() {
    grant(100, 0, 10);
    assertThat(closed(10, 100)).isEqualTo(1);
    grant(60, 100, 120);
    assertThat(closed(120, 121)).isEqualTo(3);
  }

  @Test
  void too_few_or_too_short_tell_nothing() {
    grant(4, 0, 15);
    assertThat(closed(15, 16)).isNaN();
    assertThat(closed(16, 60)).isNaN();
    grant(50, 60, 69);
    assertThat(closed(69, 70)).as("9 s").isNaN();
    assertThat(closed(70, 71)).as("10 s").isEqualTo(5);
  }

  @Test
  void five_grants_are_enough() {
    grant(5, 0, 10);
    assertThat(closed(10, 11)).isEqualTo(0.5);
    assertThat(closed(11, 50)).isEqualTo(0.1);
  }

  @Test
  void time_in_which_nothing_was_asked_for_does_not_count() {
    grant(50, 0, 10);
    harvest.idle(100 * SECOND, START + 110 * SECOND);
    grant(20, 110, 120);
    assertThat(closed(120, 121)).as("since it was idle").isEqualTo(2);
    grant(10, 121, 130);
    assertThat(closed(130, 170)).as("80 in 170 - 100 s").isEqualTo(80 / 70.0);
  }

  @Test
  void what_was_sent_before_a_cycle_is_not_its_grant() {
    grant(50, 0, 10);
    double unused = closed(10, 50);
    harvest.granted(START + 9 * SECOND, START + 51 * SECOND);
    grant(10, 51, 60);
    assertThat(closed(60, 100)).isEqualTo(0.2);
    assertThat(unused).isEqualTo(1);
  }
}
