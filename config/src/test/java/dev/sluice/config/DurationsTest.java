package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Period;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "30s, PT30S",
    "1.5s, PT1.5S",
    "1h30m, PT1H30M",
    "2d, PT48H",
    "1d2h3m4s5ms, PT26H3M4.005S",
    "0s, PT0S",
    "PT30S, PT30S",
    "pt30s, PT30S",
    "P2D, PT48H",
    "00:00:30, PT30S",
    "1.12:00:00, PT36H",
    "' 5m ', PT5M"
  })
  void a_duration_has_units_or_is_written_as_iso_8601_or_dot_net_do(
      String text, Duration duration) {
    assertThat(Durations.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "5", "often", "5M", "6mo", "1m1h", "-5s", "1h 30m", "1:30", "5 s"})
  void what_is_no_duration_is_told_with_examples(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("but a time such as 500ms, 30s, 5m, 1h30m or 2d is expected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "0d", "PT0S", "PT-5S", "00:00:00"})
  void where_a_duration_must_be_above_zero_others_are_none(String text) {
    assertThatThrownBy(() -> Durations.parsePositive(text))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Durations.parseWindow(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_window_can_be_of_the_calendar() {
    assertThat(Durations.parseWindow("2w")).isEqualTo(Period.ofWeeks(2));
    assertThat(Durations.parseWindow("1mo")).isEqualTo(Period.ofMonths(1));
    assertThat(Durations.parseWindow("3y")).isEqualTo(Period.ofYears(3));
    assertThat(Durations.parseWindow("7d")).isEqualTo(Duration.ofDays(7));
    assertThatThrownBy(() -> Durations.parseWindow("0mo"))
        .hasMessage("but a window such as 1h, 7d, 1w, 1mo or 1y is expected");
  }

  @ParameterizedTest
  @CsvSource({"PT1H30M, 1h30m", "PT48H, 2d", "PT0S, 0s", "PT-5S, -5s", "PT0.005S, 5ms"})
  void words_are_those_that_are_read(Duration duration, String words) {
    assertThat(Durations.words(duration)).isEqualTo(words);
  }

  @Test
  void a_message_has_its_durations_in_words() {
    assertThat(Durations.inWords("read is PT25H, but must be above 0 and at most PT1H"))
        .isEqualTo("read is 1d1h, but must be above 0 and at most 1h");
    assertThat(Durations.inWords("caller is PT1S2H")).isEqualTo("caller is PT1S2H");
  }
}
