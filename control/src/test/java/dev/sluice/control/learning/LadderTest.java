package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LadderTest {
  private final Ladder ladder = new Ladder(1, 1_000, 100);

  @Test
  void the_start_is_proven() {
    assertThat(ladder.value()).isEqualTo(100);
    assertThat(ladder.proven()).isEqualTo(100);
    assertThat(ladder.isTrying()).isFalse();
    assertThat(ladder.patience()).isEqualTo(1);
  }

  @Test
  void each_step_proves_the_one_before_and_is_twice_as_long_up_to_a_quarter() {
    double[] steps = {0.02, 0.04, 0.08, 0.16, 0.25, 0.25};
    for (double step : steps) {
      double before = ladder.value();
      ladder.rise();
      assertThat(ladder.proven()).isEqualTo(before);
      assertThat(ladder.value()).isCloseTo(before * (1 + step), within(1e-9));
      assertThat(ladder.isTrying()).isTrue();
    }
  }

  @Test
  void a_value_that_is_set_is_proven_and_the_next_step_is_a_small_one() {
    ladder.rise();
    ladder.rise();
    ladder.set(50);
    assertThat(ladder.proven()).isEqualTo(50);
    ladder.rise();
    assertThat(ladder.value()).isCloseTo(51, within(1e-9));
  }

  @Test
  void the_next_step_can_be_chosen() {
    ladder.stepBy(0.1);
    ladder.rise();
    assertThat(ladder.value()).isCloseTo(110, within(1e-9));
  }

  @Test
  void it_stays_within_its_bounds() {
    ladder.set(0);
    assertThat(ladder.value()).isEqualTo(1);
    ladder.set(1e9);
    assertThat(ladder.value()).isEqualTo(1_000);
    ladder.rise();
    assertThat(ladder.value()).isEqualTo(1_000);
  }

  @Test
  void each_failure_doubles_the_patience_up_to_eight_and_a_proven_step_ends_it() {
    int[] patience = {2, 4, 8, 8};
    for (int expected : patience) {
      ladder.fail();
      assertThat(ladder.patience()).isEqualTo(expected);
    }
    ladder.set(100);
    ladder.rise();
    assertThat(ladder.patience()).as("nothing more is proven yet").isEqualTo(8);
    ladder.rise();
    assertThat(ladder.patience()).isEqualTo(1);
  }
}
