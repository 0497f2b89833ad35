package dev.sluice.simulator.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.simulator.limit.FixedWindow.Opening;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitSyntaxTest {

  @Test
  void every_kind_can_be_written() {
    assertThat(LimitOptions.parse("100/1m"))
        .isEqualTo(new LimitOptions.Fixed(100, Duration.ofMinutes(1), Opening.ON_THE_CLOCK));
    assertThat(LimitOptions.parse("fixed:100/h"))
        .isEqualTo(new LimitOptions.Fixed(100, Duration.ofHours(1), Opening.ON_THE_CLOCK));
    assertThat(LimitOptions.parse("first:7/2d"))
        .isEqualTo(new LimitOptions.Fixed(7, Duration.ofDays(2), Opening.WITH_THE_FIRST_REQUEST));
    assertThat(LimitOptions.parse("sliding:5/300s"))
        .isEqualTo(new LimitOptions.Sliding(5, Duration.ofMinutes(5)));
    assertThat(LimitOptions.parse("bucket:20:100/250ms"))
        .isEqualTo(new LimitOptions.Bucket(20, 100, Duration.ofMillis(250)));
    assertThat(LimitOptions.parse("bucket:100/m"))
        .isEqualTo(new LimitOptions.Bucket(100, 100, Duration.ofMinutes(1)));
    assertThat(LimitOptions.parse("concurrent:8")).isEqualTo(new LimitOptions.Concurrent(8));
    assertThat(LimitOptions.parse("none")).isEqualTo(LimitOptions.UNLIMITED);
    assertThat(LimitOptions.parse("10/s, concurrent:8"))
        .isEqualTo(
            new LimitOptions.All(
                List.of(
                    new LimitOptions.Fixed(10, Duration.ofSeconds(1), Opening.ON_THE_CLOCK),
                    new LimitOptions.Concurrent(8))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "100",
        "100/",
        "/m",
        "-1/m",
        "1.5/m",
        "100/fortnight",
        "sliding:",
        "bucket:1:2",
        "concurrent:x",
        "concurrent:-1",
        "leaky:5/m",
        "10/s,",
        "1000000000000000000000/s",
        "٣/s"
      })
  void what_cannot_be_read_is_refused_with_what_was_expected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitOptions.parse(text))
        .withMessageContaining("'" + text + "'")
        .withMessageContaining("expected 100/1m, first:100/1m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"5/0s", "5/999999999d"})
  void a_span_that_nobody_means_is_refused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LimitOptions.parse(text))
        .withMessageContaining("1 ms to 3,660 days");
  }

  @Test
  void the_rate_that_is_sustained_is_that_of_the_strictest() {
    assertThat(LimitOptions.parse("bucket:20:100/10s,sliding:300/1m,concurrent:4").rate())
        .isEqualTo(5);
    assertThat(LimitOptions.parse("none").rate()).isInfinite();
  }
}
