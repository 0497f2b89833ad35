package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StartsTest {
  private final Starts starts = new Starts();

  @Test
  void how_many_were_in_flight_is_known_of_each_start() {
    starts.add(-30, 1);
    starts.add(-20, 2);
    starts.add(10, 5);
    assertThat(starts.inFlightAt(-30)).isEqualTo(1);
    assertThat(starts.inFlightAt(-20)).isEqualTo(2);
    assertThat(starts.inFlightAt(10)).isEqualTo(5);
  }

  @Test
  void of_a_time_at_which_nothing_started_nothing_is_known() {
    assertThat(starts.inFlightAt(0)).isZero();
    starts.add(10, 3);
    starts.add(20, 4);
    assertThat(starts.inFlightAt(9)).isZero();
    assertThat(starts.inFlightAt(15)).isZero();
    assertThat(starts.inFlightAt(21)).isZero();
  }

  @Test
  void the_latest_thousand_are_known_and_older_ones_are_not() {
    for (int i = 0; i < 5_000; i++) {
      starts.add(i - 2_500, i);
    }
    for (int i = 4_000; i < 5_000; i++) {
      assertThat(starts.inFlightAt(i - 2_500)).isEqualTo(i);
    }
    assertThat(starts.inFlightAt(3_000 - 2_500)).isZero();
  }

  @Test
  void times_may_pass_the_largest_long() {
    starts.add(Long.MAX_VALUE, 1);
    starts.add(Long.MIN_VALUE, 2);
    assertThat(starts.inFlightAt(Long.MAX_VALUE)).isEqualTo(1);
    assertThat(starts.inFlightAt(Long.MIN_VALUE)).isEqualTo(2);
  }
}
