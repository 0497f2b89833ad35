package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void a_rate_must_be_positive_and_finite(double rate) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Profile(rate, 0, 1))
        .withMessage("rate is " + rate + ", but must be positive and finite (requests per second)");
  }

  @Test
  void a_cap_must_not_be_negative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Profile(1, -1, 1))
        .withMessageStartingWith("cap is -1, but must be 0 or more");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void trust_lies_between_0_and_1(double sure) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Profile(1, 0, sure))
        .withMessageStartingWith("sure is " + sure + ", but must lie between 0 and 1");
  }

  @Test
  void the_trust_in_a_profile_halves_every_day() {
    Profile fresh = new Profile(10, 3, 0.8);
    assertThat(fresh.aged(Duration.ofDays(1))).isEqualTo(new Profile(10, 3, 0.4));
    assertThat(fresh.aged(Duration.ofDays(-1))).as("a clock that was set").isEqualTo(fresh);
    assertThat(fresh.aged(Duration.ofDays(10_000)).sure()).isZero();
  }
}
