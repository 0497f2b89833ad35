package dev.sluice.control.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyModelTest {
  private final LatencyModel model = new LatencyModel();

  @Test
  void knows_nothing_before_five_answers() {
    for (int i = 0; i < 5; i++) {
      assertThat(model.isKnown()).isFalse();
      model.answered("create", 1, 100);
    }
    model.answered("create", 1, 100);
    assertThat(model.isKnown()).isTrue();
  }

  @Test
  void finds_the_line_on_which_the_answers_lie() {
    for (int n = 1; n <= 20; n++) {
      model.answered("create", n, 100 + 10 * n);
    }
    assertThat(model.at(4)).isCloseTo(140, within(1.0));
    assertThat(model.at(40)).isCloseTo(500, within(1.0));
  }

  @Test
  void sixty_more_at_once_are_expected_to_double_the_time_until_the_number_changes() {
    for (int i = 0; i < 20; i++) {
      model.answered("create", 8, 100);
    }
    assertThat(model.at(68)).isCloseTo(200, within(1e-3));
  }

  @Test
  void load_never_makes_a_service_quicker() {
    for (int n = 1; n <= 20; n++) {
      model.answered("create", n, 1_000 - 10 * n);
    }
    assertThat(model.at(50)).isEqualTo(model.at(1));
  }

  @Test
  void never_expects_less_than_a_tenth_of_the_average() {
    for (int n = 10; n <= 30; n++) {
      model.answered("create", n, 1_000.0 * (n - 9));
    }
    assertThat(model.at(1)).isPositive();
  }

  @Test
  void a_quick_operation_is_not_taken_for_a_quick_service() {
    for (int n = 1; n <= 40; n++) {
      model.answered("delete", n, 10_000);
    }
    for (int n = 1; n <= 40; n++) { // sent later, when more were in flight
      model.answered("create", 10 + n, 100);
    }
    assertThat(model.at(50)).isCloseTo(model.at(1), within(0.05 * model.at(1)));
  }

  @Test
  void the_old_fades_when_the_work_changes() {
    for (int i = 0; i < 200; i++) {
      model.answered("create", 1 + i % 5, 1_000);
    }
    for (int i = 0; i < 300; i++) {
      model.answered("create", 1 + i % 5, 100);
    }
    assertThat(model.at(3)).isBetween(100.0, 160.0);
  }

  @Test
  void remembers_the_slope_while_the_number_does_not_change() {
    for (int n = 1; n <= 20; n++) {
      model.answered("create", n, 100 + 10 * n);
    }
    for (int i = 0; i < 1_000; i++) {
      model.answered("create", 10, 200);
    }
    assertThat(model.at(40)).isCloseTo(500, within(1.0));
  }

  @Test
  void learns_a_new_slope_when_the_number_changes_again() {
    for (int n = 1; n <= 20; n++) {
      model.answered("create", n, 100 + 10 * n);
    }
    for (int i = 0; i < 1_000; i++) {
      model.answered("create", 1 + i % 40, 200);
    }
    assertThat(model.at(40)).isCloseTo(200, within(1.0));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void what_does_not_stand_out_from_chance_hardly_counts(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    for (int i = 0; i < 104; i++) {
      model.answered("create", 1 + i % 52, 1_000 * (0.5 + chance.nextDouble()));
    }
    assertThat(model.at(52)).isLessThan(1.25 * model.at(1));
  }
}
