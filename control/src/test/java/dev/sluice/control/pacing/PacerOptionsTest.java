package dev.sluice.control.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacerOptionsTest {

  @Test
  void the_defaults_are_those_of_the_adaptive_pace() {
    PacerOptions defaults = PacerOptions.DEFAULTS;
    assertThat(defaults.floor()).isEqualTo(1.0 / 300);
    assertThat(defaults.ceiling()).isEmpty();
    assertThat(defaults.coldStart()).isEqualTo(1);
    assertThat(defaults.increase()).isEqualTo(0.1);
    assertThat(defaults.throttleFactor()).isEqualTo(0.7);
    assertThat(defaults.slowDownFactor()).isEqualTo(0.85);
    assertThat(defaults.slowDownRatio()).isEqualTo(1.6);
    assertThat(defaults.slowDownWindow()).isEqualTo(20);
    assertThat(defaults.slowDownMemory()).isEqualTo(Duration.ofMinutes(5));
    assertThat(defaults.burst()).isEqualTo(1);
    assertThat(defaults.maxInFlight()).isEqualTo(16);
    assertThat(defaults.warmStartMaxAge()).isEqualTo(Duration.ofDays(7));
  }

  @ParameterizedTest(name = "{0} = {1}")
  @MethodSource("outOfRange")
  void an_option_out_of_its_range_is_refused_by_name_and_value(
      String option, Object value, UnaryOperator<PacerOptions.Builder> set) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> set.apply(PacerOptions.builder()).build())
        .withMessageStartingWith("pacing." + option + " is " + value + ", but must ")
        .withMessageMatching(".* \\(.+\\)");
  }

  static Stream<Arguments> outOfRange() {
    return Stream.of(
        refused("floor", 0.0, b -> b.floor(0)),
        refused("floor", 1.0 / 86_401, b -> b.floor(1.0 / 86_401)),
        refused("floor", 1000.5, b -> b.floor(1000.5)),
        refused("floor", Double.NaN, b -> b.floor(Double.NaN)),
        refused("ceiling", 0.001, b -> b.ceiling(0.001)),
        refused("ceiling", 1.9, b -> b.floor(2).ceiling(1.9)),
        refused("ceiling", 1000001.0, b -> b.ceiling(1_000_001)),
        refused("ceiling", Double.NaN, b -> b.ceiling(Double.NaN)),
        refused("coldStart", 0.0, b -> b.coldStart(0)),
        refused("coldStart", 1001.0, b -> b.coldStart(1001)),
        refused("coldStart", Double.NaN, b -> b.coldStart(Double.NaN)),
        refused("increase", 0.0, b -> b.increase(0)),
        refused("increase", 1001.0, b -> b.increase(1001)),
        refused("throttleFactor", 0.09, b -> b.throttleFactor(0.09)),
        refused("throttleFactor", 1.0, b -> b.throttleFactor(1)),
        refused("throttleFactor", Double.NaN, b -> b.throttleFactor(Double.NaN)),
        refused("slowDownFactor", 0.09, b -> b.slowDownFactor(0.09)),
        refused("slowDownFactor", 1.01, b -> b.slowDownFactor(1.01)),
        refused("slowDownRatio", 1.0, b -> b.slowDownRatio(1)),
        refused("slowDownRatio", 101.0, b -> b.slowDownRatio(101)),
        refused("slowDownWindow", 2, b -> b.slowDownWindow(2)),
        refused("slowDownWindow", 1001, b -> b.slowDownWindow(1001)),
        refused("slowDownMemory", "PT0.999S", b -> b.slowDownMemory(Duration.ofMillis(999))),
        refused("slowDownMemory", "PT169H", b -> b.slowDownMemory(Duration.ofHours(169))),
        refused("burst", 0, b -> b.burst(0)),
        refused("burst", 1001, b -> b.burst(1001)),
        refused("maxInFlight", 0, b -> b.maxInFlight(0)),
        refused("maxInFlight", 10001, b -> b.maxInFlight(10_001)),
        refused("warmStartMaxAge", "PT-1S", b -> b.warmStartMaxAge(Duration.ofSeconds(-1))),
        refused("warmStartMaxAge", "PT8784H", b -> b.warmStartMaxAge(Duration.ofDays(366))));
  }

  private static Arguments refused(
      String option, Object value, UnaryOperator<PacerOptions.Builder> set) {
    return Arguments.of(option, value, set);
  }

  @Test
  void the_ends_of_every_range_are_accepted_and_can_be_paced() {
    PacerOptions least =
        PacerOptions.builder()
            .floor(1.0 / 86_400)
            .ceiling(1.0 / 86_400)
            .coldStart(Double.MIN_VALUE)
            .increase(Double.MIN_VALUE)
            .throttleFactor(0.1)
            .slowDownFactor(0.1)
            .slowDownRatio(1.05)
            .slowDownWindow(3)
            .slowDownMemory(Duration.ofSeconds(1))
            .burst(1)
            .maxInFlight(1)
            .warmStartMaxAge(Duration.ZERO)
            .build();
    PacerOptions most =
        PacerOptions.builder()
            .floor(1.0 / 86_400)
            .ceiling(1e6)
            .coldStart(1000)
            .increase(1000)
            .throttleFactor(0.99)
            .slowDownFactor(1)
            .slowDownRatio(100)
            .slowDownWindow(1000)
            .slowDownMemory(Duration.ofDays(7))
            .burst(1000)
            .maxInFlight(10_000)
            .warmStartMaxAge(Duration.ofDays(365))
            .build();
    for (PacerOptions options : new PacerOptions[] {least, most}) {
      assertThatCode(() -> new AdaptivePacer(options, 0).earliest(0)).doesNotThrowAnyException();
    }
    assertThat(new AdaptivePacer(most, new WarmStart(1e-9, 0), 0).rate()).isEqualTo(1.0 / 86_400);
    assertThat(new AdaptivePacer(most, new WarmStart(1e9, 0), 0).rate()).isEqualTo(1e6);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void a_warm_start_without_a_rate_cannot_be_built(double rate) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WarmStart(rate, 0))
        .withMessageContaining("rate is " + rate);
  }
}
