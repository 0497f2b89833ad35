package dev.sluice.gate.http;

import static dev.sluice.gate.http.Answers.NOW;
import static dev.sluice.gate.http.Answers.answerAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.Signal.Throttled;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Told waits as services really send them, from the header to the signal: the service's clock is at
 * 2026-01-15T12:00:00Z and the answer is a throttle.
 */
class VectorsTest {

  @ParameterizedTest(name = "[{0}] as {1} is {2} {3}")
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      nullValues = "-",
      textBlock =
          """
          30|AUTO|wait|PT30S
           30 |AUTO|wait|PT30S
          2.0|AUTO|wait|PT2S
          0.3|AUTO|wait|PT0.3S
          0|AUTO|stale|-
          -1|AUTO|stale|-
          NaN|AUTO|malformed|-
          Infinity|AUTO|malformed|-
          1e9|AUTO|malformed|-
          0x10|AUTO|malformed|-
          30d|AUTO|malformed|-
          ٣٠|AUTO|malformed|-
          ''|AUTO|malformed|-
          soon|AUTO|malformed|-
          3600|AUTO|gap|PT1H
          1000000|AUTO|gap|PT277H46M40S
          9000000|AUTO|implausible|PT15M
          99999999999999999999999|AUTO|implausible|PT15M
          1768478430|AUTO|wait|PT30S
          1768478430.5|AUTO|wait|PT30.5S
          1768478430000|AUTO|wait|PT30S
          1768478400|AUTO|stale|-
          1768470000|AUTO|stale|-
          41|EPOCH_SECONDS|stale|-
          600000|DELTA_MILLIS|gap|PT10M
          6457|DELTA_MILLIS|wait|PT6.457S
          1s|AUTO|wait|PT1S
          12ms|AUTO|wait|PT0.012S
          3.700s|AUTO|wait|PT3.7S
          6m0s|AUTO|gap|PT6M
          52758s|AUTO|gap|PT14H39M18S
          Thu, 15 Jan 2026 12:00:30 GMT|AUTO|wait|PT30S
          Mon, 15 Jan 2026 12:00:30 GMT|AUTO|wait|PT30S
          Thursday, 15-Jan-26 12:00:30 GMT|AUTO|wait|PT30S
          Thu Jan 15 12:00:30 2026|AUTO|wait|PT30S
          Thu, 15 Jan 2026 11:00:00 GMT|AUTO|stale|-
          2026-01-15T12:00:30Z|AUTO|wait|PT30S
          2026-01-15T13:00:30+01:00|AUTO|wait|PT30S
          2026-01-15T12:01Z|AUTO|wait|PT1M
          Thu Jan 15 2026 13:00:30 GMT+0100 (Central European Standard Time)|AUTO|wait|PT30S
          """)
  void a_throttle_tells(String raw, WaitForm form, String result, @Nullable Duration wait) {
    Answer answer = Answer.of(429, Map.of("Retry-After", List.of(raw)), NOW);
    Signals signals =
        form == WaitForm.AUTO
            ? Signals.builder().build()
            : Signals.builder().dialect(declared(form)).build();
    Reading reading = signals.read(answer);

    Optional<Duration> told = ((Throttled) reading.signal()).retryAfter();
    assertThat(told).isEqualTo(Optional.ofNullable(wait));
    assertThat(reading.flags())
        .isEqualTo(
            switch (result) {
              case "stale" -> Set.of(Flag.HINT_STALE);
              case "malformed" -> Set.of(Flag.HINT_MALFORMED);
              case "implausible" -> Set.of(Flag.HINT_IMPLAUSIBLE);
              default -> Set.of();
            });
    boolean gap =
        told.isPresent() && WaitOptions.DEFAULTS.judge(told.get()) instanceof WaitReading.TooLong;
    assertThat(gap).isEqualTo(result.equals("gap") || result.equals("implausible"));
  }

  @ParameterizedTest(name = "[{0}] in {1} is {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          "default";r=50;t=30|RateLimit|default - 50 PT30S -
          default;r=50;t=30|RateLimit|default - 50 PT30S -
          "burst";q=100;w=60,"daily";q=1000;w=86400|RateLimit-Policy|burst 100 - - PT1M, daily 1000 - - PT24H
          limit=100, remaining=50, reset=30|RateLimit| 100 50 PT30S -
          100, 100;w=60, 1000;w=3600|RateLimit-Limit| 100 - - PT1M,  1000 - - PT1H
          "a,b";r=1;t=2|RateLimit|a,b - 1 PT2S -
          "x";r=1,,|RateLimit|~~
          """)
  void a_field_gives_hints(String raw, String header, String expected) {
    Reading reading = Signals.builder().build().read(answerAt(NOW, 200, header + ": " + raw));
    String hints =
        String.join(
            ", ",
            reading.signal().quota().stream()
                .map(
                    hint ->
                        String.join(
                            " ",
                            hint.scope().key(),
                            text(hint.limit().isPresent() ? hint.limit().getAsLong() : null),
                            text(
                                hint.remaining().isPresent() ? hint.remaining().getAsLong() : null),
                            text(hint.resetAfter().orElse(null)),
                            text(hint.windowSize().orElse(null))))
                .toList());
    assertThat(hints.strip()).isEqualTo(expected == null ? "" : expected.strip());
  }

  private static String text(@Nullable Object value) {
    return value == null ? "-" : value.toString();
  }

  private static Dialect declared(WaitForm form) {
    return answer ->
        List.of(Statement.from("Retry-After").retryAfter(answer.header("Retry-After"), form));
  }
}
