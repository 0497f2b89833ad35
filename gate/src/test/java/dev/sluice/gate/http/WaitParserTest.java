package dev.sluice.gate.http;

import static dev.sluice.gate.http.Answers.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.http.WaitReading.Implausible;
import dev.sluice.gate.http.WaitReading.TooLong;
import dev.sluice.gate.http.WaitReading.Usable;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaitParserTest {
  private final WaitParser parser = new WaitParser(WaitOptions.DEFAULTS);

  @ParameterizedTest(name = "[{0}] is {1}")
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      textBlock =
          """
          30|PT30S
           30 |PT30S
          2.0|PT2S
          0.3|PT0.3S
          1768478430|PT30S
          1768478430.5|PT30.5S
          1768478430000|PT30S
          1768478430000000|PT30S
          1s|PT1S
          12ms|PT0.012S
          3.700s|PT3.7S
          1h2m|PT1H2M
          6m0s|PT6M
          52758s|PT14H39M18S
          3600|PT1H
          1000000|PT277H46M40S
          Thu, 15 Jan 2026 12:00:30 GMT|PT30S
          Mon, 15 Jan 2026 12:00:30 GMT|PT30S
          Thursday, 15-Jan-26 12:00:30 GMT|PT30S
          Thu Jan 15 12:00:30 2026|PT30S
          2026-01-15T12:00:30Z|PT30S
          2026-01-15T13:00:30+01:00|PT30S
          2026-01-15T12:01Z|PT1M
          2026-01-15T12:00:00.25Z|PT0.25S
          2026-01-15t12:00:30.0000000001z|PT30S
          Thu Jan 15 2026 13:00:30 GMT+0100 (Central European Standard Time)|PT30S
          Thu Jan 15 12:00:30 UTC 2026|PT30S
          Thu, 15 Jan 2026 13:00:30 +0100|PT30S
          Thu Jan 15 2026 12:00:30 GMT-0000|PT30S
          2678400|PT744H
          """)
  void auto_reads_the_wait_and_never_shortens_it(String text, Duration expected) {
    assertThat(auto(text).stayAway()).contains(expected);
    assertThat(auto(text).flag()).isEmpty();
  }

  @ParameterizedTest(name = "[{0}]")
  @ValueSource(
      strings = {"3600", "1000000", "6m0s", "52758s", "121", "2026-01-15T12:02:01Z", "2678400"})
  void a_wait_beyond_two_minutes_is_too_long_to_wait_in_place(String text) {
    assertThat(auto(text)).isInstanceOf(TooLong.class);
  }

  @ParameterizedTest(name = "[{0}]")
  @ValueSource(strings = {"30", "120", "2.0", "1s", "12ms", "2m0s", "2026-01-15T12:02:00Z"})
  void a_wait_up_to_two_minutes_is_usable_in_place(String text) {
    assertThat(auto(text)).isInstanceOf(Usable.class);
  }

  @ParameterizedTest(name = "[{0}]")
  @ValueSource(
      strings = {
        "0",
        "-1",
        "-0",
        "0.0",
        "1768478400",
        "1768470000",
        "-99999999999999999999999",
        "Thu, 15 Jan 2026 11:00:00 GMT",
        "Thu, 15 Jan 2026 12:00:00 GMT",
        "2026-01-15T11:35Z",
        "0s",
        "-1s",
        "0h0m0s",
        "Sunday, 06-Nov-94 08:49:37 GMT"
      })
  void a_wait_that_is_zero_negative_or_past_is_no_usable_hint(String text) {
    assertThat(auto(text)).isEqualTo(WaitReading.STALE);
  }

  @ParameterizedTest(name = "[{0}]")
  @ValueSource(
      strings = {
        "NaN",
        "Infinity",
        "1e9",
        "0x10",
        "30d",
        "٣٠",
        "",
        " ",
        "soon",
        "+5",
        "1_000",
        "1,200.00",
        "30 30",
        "30, 60",
        ".5",
        "5.",
        "1.2.3",
        "--1",
        "-",
        "1.0000000001",
        "1s1s",
        "1s1h",
        "1m2",
        "5 m",
        "s",
        "1us1\u00b5s",
        "Thu, 31 Feb 2026 12:00:30 GMT",
        "Thu, 15 Foo 2026 12:00:30 GMT",
        "Thu, 15 anf 2026 12:00:30 GMT",
        "Thu, 15 Jan 2026 24:00:30 GMT",
        "Thu, 15 Jan 2026 12:60:30 GMT",
        "Thu, 15 Jan 2026 12:00:30",
        "Thu, 15 Jan 2026 12:00:30 CET",
        "Thu, 15 Jan 2026 12:00:30 GMT junk",
        "2026-01-15T12:00:30",
        "2026-01-15",
        "2026-13-15T12:00:30Z",
        "2026-00-15T12:00:30Z",
        "2026-01-15T12:00:30.Z",
        "2026-01-15T12:00:30+19:00",
        "Thu Jan 15 2026 13:00:30 GMT+0100 (Central European",
        "Thu Jan"
      })
  void what_is_not_exactly_a_number_a_duration_or_a_time_is_malformed(String text) {
    assertThat(auto(text)).isEqualTo(WaitReading.MALFORMED);
  }

  @ParameterizedTest(name = "[{0}]")
  @ValueSource(
      strings = {
        "9000000",
        "2678401",
        "99999999999999999999999",
        "999999999999999999",
        "745h",
        "99999999999999999999999s",
        "999999999999999999h999999999999999999m",
        "9999-12-31T23:59:59Z",
        "4102444800"
      })
  void a_wait_beyond_31_days_is_implausible_and_the_cooldown_stands_in_for_it(String text) {
    assertThat(auto(text)).isEqualTo(new Implausible(Duration.ofMinutes(15)));
    assertThat(auto(text).flag()).contains(Flag.HINT_IMPLAUSIBLE);
  }

  @ParameterizedTest(name = "[{0}] as {1} is {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          600000|DELTA_MILLIS|PT10M
          6457|DELTA_MILLIS|PT6.457S
          0.5|DELTA_MILLIS|PT0.0005S
          2000000000|DELTA_MILLIS|PT555H33M20S
          30|DELTA_SECONDS|PT30S
          5|DELTA_MINUTES|PT5M
          1.5|DELTA_MINUTES|PT1M30S
          1768478430|EPOCH_SECONDS|PT30S
          1768478430000|EPOCH_MILLIS|PT30S
          6m0s|DURATION|PT6M
          2026-01-15T12:01Z|INSTANT|PT1M
          """)
  void a_declared_form_is_read_as_declared(String text, WaitForm form, Duration expected) {
    assertThat(read(text, form).stayAway()).contains(expected);
  }

  @ParameterizedTest(name = "[{0}] as {1}")
  @CsvSource({
    "30, DURATION",
    "30, INSTANT",
    "30s, DELTA_SECONDS",
    "30s, DELTA_MINUTES",
    "2026-01-15T12:01Z, DURATION",
    "soon, EPOCH_SECONDS"
  })
  void a_declared_form_reads_no_other(String text, WaitForm form) {
    assertThat(read(text, form)).isEqualTo(WaitReading.MALFORMED);
  }

  @Test
  void seconds_declared_as_epoch_by_mistake_are_past_and_never_a_busy_loop() {
    assertThat(read("41", WaitForm.EPOCH_SECONDS)).isEqualTo(WaitReading.STALE);
  }

  @ParameterizedTest
  @CsvSource({"DELTA_SECONDS", "DELTA_MINUTES", "EPOCH_SECONDS"})
  void the_largest_numbers_do_not_overflow(WaitForm form) {
    for (String text : new String[] {"999999999999999999", "9".repeat(19), "9".repeat(1000)}) {
      assertThat(read(text, form)).isEqualTo(new Implausible(Duration.ofMinutes(15)));
    }
    assertThat(auto("9".repeat(1000)).flag()).contains(Flag.HINT_IMPLAUSIBLE);
    assertThat(auto("x".repeat(1000))).isEqualTo(WaitReading.MALFORMED);
  }

  @Test
  void a_two_digit_year_is_the_one_within_fifty_years() {
    // In 2026, "75" lies 49 years ahead and "77" 49 years back.
    assertThat(auto("Thursday, 15-Jan-75 12:00:30 GMT")).isInstanceOf(Implausible.class);
    assertThat(auto("Thursday, 15-Jan-77 12:00:30 GMT")).isEqualTo(WaitReading.STALE);
  }

  @Test
  void a_span_is_read_without_asking_the_clock() {
    InstantSource broken =
        () -> {
          throw new AssertionError("asked");
        };
    assertThat(parser.read("30", WaitForm.AUTO, broken).stayAway())
        .contains(Duration.ofSeconds(30));
    assertThat(parser.read("6m0s", WaitForm.AUTO, broken).stayAway())
        .contains(Duration.ofMinutes(6));
  }

  @Test
  void options_outside_their_range_are_refused_with_their_meaning() {
    assertThatThrownBy(() -> new WaitOptions(Duration.ZERO, Duration.ofMinutes(15)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("inlineWaitMax is PT0S")
        .hasMessageContaining("waited in place");
    assertThatThrownBy(() -> new WaitOptions(Duration.ofMinutes(2), Duration.ofDays(32)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cooldown is PT768H");
  }

  private WaitReading auto(String text) {
    return read(text, WaitForm.AUTO);
  }

  private WaitReading read(String text, WaitForm form) {
    return parser.read(text, form, () -> NOW);
  }
}
