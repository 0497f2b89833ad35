package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RatesTest {

  @ParameterizedTest
  @CsvSource({"10/s, 10", "1/2s, 0.5", "3600/1h, 1", "0.5/s, 0.5", "60/m, 1"})
  void a_rate_is_a_number_in_a_time(String text, double perSecond) {
    assertThat(Rates.parse(text)).isEqualTo(perSecond);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "10/", "0/s", "-1/s", "10 / s", "1e3/s"})
  void what_is_no_rate_is_told_with_examples(String text) {
    assertThatThrownBy(() -> Rates.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("but a rate such as 10/s, 1/2s or 100/1h is expected");
  }
}
