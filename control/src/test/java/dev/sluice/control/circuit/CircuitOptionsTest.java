package dev.sluice.control.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CircuitOptionsTest {
  private static final CircuitOptions DEFAULTS = CircuitOptions.DEFAULTS;

  @Test
  void the_defaults_are_half_of_twenty_calls_or_eight_in_a_row_for_a_minute_and_one_probe() {
    assertThat(DEFAULTS)
        .isEqualTo(new CircuitOptions(true, 0.5, 20, 20, 8, Duration.ofSeconds(60), 1));
    assertThat(CircuitOptions.off())
        .isEqualTo(new CircuitOptions(false, 0.5, 20, 20, 8, Duration.ofSeconds(60), 1));
  }

  @Test
  void each_option_can_be_changed_alone() {
    assertThat(
            DEFAULTS
                .withFailureRate(1)
                .withRing(30, 30)
                .withFailuresInRow(0)
                .withOpenFor(Duration.ofDays(7))
                .withProbes(100))
        .isEqualTo(new CircuitOptions(true, 1, 30, 30, 0, Duration.ofDays(7), 100));
    assertThat(DEFAULTS.withRing(10_000, 1).withOpenFor(Duration.ofNanos(1)).withProbes(1))
        .isEqualTo(new CircuitOptions(true, 0.5, 10_000, 1, 8, Duration.ofNanos(1), 1));
    assertThat(DEFAULTS.withRing(1, 1).ringSize()).isEqualTo(1);
  }

  @Test
  void a_value_out_of_range_is_refused_by_name_value_range_and_meaning() {
    assertThatThrownBy(() -> DEFAULTS.withRing(10, 11))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "circuit.minimumCalls is 11, but must lie between 1 and ringSize, which is 10"
                + " (how many calls there must be before their share may open the circuit)");
    assertRefused(() -> DEFAULTS.withFailureRate(0), "failureRate is 0.0");
    assertRefused(() -> DEFAULTS.withFailureRate(-0.5), "failureRate is -0.5");
    assertRefused(() -> DEFAULTS.withFailureRate(1.01), "failureRate is 1.01");
    assertRefused(() -> DEFAULTS.withFailureRate(Double.NaN), "failureRate is NaN");
    assertRefused(() -> DEFAULTS.withRing(0, 0), "ringSize is 0");
    assertRefused(() -> DEFAULTS.withRing(10_001, 5), "ringSize is 10001");
    assertRefused(() -> DEFAULTS.withRing(10, 0), "minimumCalls is 0");
    assertRefused(() -> DEFAULTS.withFailuresInRow(-1), "failuresInRow is -1");
    assertRefused(() -> DEFAULTS.withFailuresInRow(10_001), "failuresInRow is 10001");
    assertRefused(() -> DEFAULTS.withOpenFor(Duration.ZERO), "openFor is PT0S");
    assertRefused(() -> DEFAULTS.withOpenFor(Duration.ofSeconds(-1)), "openFor is PT-1S");
    assertRefused(() -> DEFAULTS.withOpenFor(Duration.ofDays(7).plusNanos(1)), "openFor is PT168");
    assertRefused(() -> DEFAULTS.withProbes(0), "probes is 0");
    assertRefused(() -> DEFAULTS.withProbes(101), "probes is 101");
  }

  private static void assertRefused(Supplier<CircuitOptions> building, String named) {
    assertThatThrownBy(building::get)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("circuit." + named)
        .hasMessageContaining("but must");
  }
}
