package dev.sluice.control.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatencyModelTest {
  private final LatencyModel model = new LatencyModel();

  @Test
  void knows_nothing_before_five_answers() {
    for (int i = 0; i < 5; i++) {
      assertThat(model.isKnown()).isFalse();
      model.answered(1, 100);
    }
    model.answered(1, 100);
    assertThat(model.isKnown()).isTrue();
  }

  @Test
  void finds_the_line_on_which_the_answers_lie() {
    for (int n = 1; n <= 20; n++) {
      model.answered(n, 100 + 10 * n);
    }
    assertThat(model.at(4)).isCloseTo(140, within(1e-6));
    assertThat(model.at(40)).isCloseTo(500, within(1e-6));
  }

  @Test
  void sees_no_slope_where_the_number_never_changes() {
    for (int i = 0; i < 20; i++) {
      model.answered(8, 100 + i);
    }
    assertThat(model.at(1)).isEqualTo(model.at(50));
  }

  @Test
  void load_never_makes_a_service_quicker() {
    for (int n = 1; n <= 20; n++) {
      model.answered(n, 1_000 - 10 * n);
    }
    assertThat(model.at(50)).isEqualTo(model.at(1));
  }

  @Test
  void never_expects_less_than_a_tenth_of_the_average() {
    for (int n = 10; n <= 30; n++) {
      model.answered(n, 1_000.0 * (n - 9));
    }
    assertThat(model.at(1)).isPositive();
  }

  @Test
  void the_old_fades_when_the_work_changes() {
    for (int i = 0; i < 200; i++) {
      model.answered(1 + i % 5, 1_000);
    }
    for (int i = 0; i < 300; i++) {
      model.answered(1 + i % 5, 100);
    }
    assertThat(model.at(3)).isBetween(100.0, 160.0);
  }
}
