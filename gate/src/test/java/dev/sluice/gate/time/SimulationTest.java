package dev.sluice.gate.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "P36526D"})
  void refuses_a_limit_of_nothing_less_or_ages(String limit) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulatedTime.with(1).limit(Duration.parse(limit)))
        .withMessageContainingAll("limit is ", Duration.parse(limit).toString(), "at most");
  }

  @Test
  void refuses_a_limit_of_no_steps() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulatedTime.with(1).steps(0))
        .withMessageContainingAll("steps is 0", "at least 1");
  }

  @Test
  void reads_as_the_code_that_builds_it() {
    assertThat(SimulatedTime.with(-7)).hasToString("SimulatedTime.with(-7)");
    assertThat(
            SimulatedTime.with(7)
                .origin(-3)
                .wallClock(Instant.EPOCH)
                .limit(Duration.ofHours(2))
                .steps(9))
        .hasToString(
            "SimulatedTime.with(7).origin(-3).wallClock(Instant.parse(\"1970-01-01T00:00:00Z\"))"
                + ".limit(Duration.parse(\"PT2H\")).steps(9)");
  }

  @Test
  void can_be_run_again_with_the_same_result() {
    Simulation simulation = SimulatedTime.with(3);
    Simulation.Question<Long> question =
        time -> {
          time.sleep(Duration.ofNanos(time.random().nextInt(1_000_000)));
          return time.nanos();
        };
    assertThat(simulation.call(question)).isEqualTo(simulation.call(question)).isPositive();
  }
}
