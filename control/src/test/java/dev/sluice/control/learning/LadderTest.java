package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LadderTest {
  private static final Offset<Double> EXACT = within(1e-9);

  private final Ladder ladder = new Ladder(1, 1_000, 100);

  @Test
  void a_new_one_is_proven_and_tries_nothing() {
    assertThat(ladder.value()).isEqualTo(100);
    assertThat(ladder.proven()).isEqualTo(100);
    assertThat(ladder.isTrying()).isFalse();
    assertThat(ladder.isSearching()).isFalse();
    assertThat(ladder.patience()).isEqualTo(1);
  }

  @Test
  void steps_up_double_from_a_fiftieth_to_a_quarter() {
    double[] expected = {102, 106.08, 114.5664, 132.897024, 166.12128, 207.6516};
    double before = 100;
    for (double value : expected) {
      ladder.rise();
      assertThat(ladder.value()).isCloseTo(value, EXACT);
      assertThat(ladder.proven()).isCloseTo(before, EXACT);
      assertThat(ladder.isTrying()).isTrue();
      before = value;
    }
  }

  @Test
  void a_step_that_fails_returns_to_what_is_proven_and_is_taken_later_up_to_four_times() {
    int[] patience = {2, 4, 4};
    for (int expected : patience) {
      ladder.rise();
      ladder.retreat();
      assertThat(ladder.value()).isEqualTo(100);
      assertThat(ladder.patience()).isEqualTo(expected);
    }
    ladder.rise();
    assertThat(ladder.value()).as("a small step again").isEqualTo(102);
    assertThat(ladder.patience()).isEqualTo(4);
    ladder.rise();
    assertThat(ladder.patience()).as("once a step has succeeded").isEqualTo(1);
  }

  @Test
  void falls_double_from_a_fiftieth_to_three_tenths() {
    double[] expected = {98, 94.08, 86.5536, 72.705024, 50.8935168, 35.62546176};
    for (double value : expected) {
      ladder.fall(1_000);
      assertThat(ladder.value()).isCloseTo(value, EXACT);
      assertThat(ladder.isTrying()).isFalse();
    }
    ladder.rise();
    ladder.set(100);
    ladder.fall(1_000);
    assertThat(ladder.value()).as("after a rise, a small fall again").isEqualTo(98);
  }

  @Test
  void a_fall_goes_down_to_what_was_measured_if_that_is_less() {
    ladder.fall(40);
    assertThat(ladder.value()).isEqualTo(40);
    assertThat(ladder.proven()).isEqualTo(40);
  }

  @Test
  void a_search_takes_steps_from_a_tenth_to_a_half_until_one_fails() {
    ladder.search(10);
    assertThat(ladder.isSearching()).isTrue();
    double[] expected = {11, 13.2, 18.48, 27.72, 41.58};
    for (double value : expected) {
      ladder.rise();
      assertThat(ladder.value()).isCloseTo(value, EXACT);
    }
    ladder.retreat();
    assertThat(ladder.value()).isCloseTo(27.72, EXACT);
    assertThat(ladder.isSearching()).isFalse();
    assertThat(ladder.patience()).as("that it ends is no reason to wait").isEqualTo(1);
    ladder.rise();
    assertThat(ladder.value()).isCloseTo(27.72 * 1.02, EXACT);
  }

  @Test
  void a_fall_ends_a_search() {
    ladder.search(10);
    ladder.fall(9);
    assertThat(ladder.isSearching()).isFalse();
    ladder.rise();
    assertThat(ladder.value()).isCloseTo(9 * 1.02, EXACT);
  }

  @Test
  void it_stays_within_its_bounds() {
    ladder.set(0.1);
    assertThat(ladder.value()).isEqualTo(1);
    ladder.fall(0);
    assertThat(ladder.value()).isEqualTo(1);
    ladder.set(5_000);
    assertThat(ladder.value()).isEqualTo(1_000);
    ladder.rise();
    assertThat(ladder.value()).isEqualTo(1_000);
    assertThat(ladder.isTrying()).isFalse();
  }
}
