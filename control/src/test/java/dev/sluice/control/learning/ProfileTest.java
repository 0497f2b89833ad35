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
        .isThrownBy(() -> new Profile(rate, Duration.ZERO))
        .withMessage("rate is " + rate + ", but must be positive (requests per second)");
  }

  @Test
  void a_closure_must_not_be_negative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Profile(1, Duration.ofSeconds(-1)))
        .withMessageStartingWith("closure is PT-1S, but must not be negative");
    assertThat(new Profile(1, Duration.ZERO).closure()).isZero();
  }
}
