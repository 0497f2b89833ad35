package dev.sluice.control.circuit;

import static dev.sluice.control.circuit.CircuitState.CLOSED;
import static dev.sluice.control.circuit.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitTransition.Reason;
import dev.sluice.control.circuit.CircuitTransition.Trigger;
import dev.sluice.control.signal.WireName;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CircuitTransitionTest {
  private static final CircuitTransition FACT =
      fact(CLOSED, OPEN, Duration.ofSeconds(1), 5, OptionalDouble.empty());

  @Test
  void a_fact_has_no_room_for_routes_records_bodies_or_credentials() {
    assertThat(
            Arrays.stream(CircuitTransition.class.getRecordComponents())
                .map(RecordComponent::getName))
        .containsExactly(
            "previous", "state", "trigger", "reason", "elapsed", "requests", "retryTokens");
    assertThat(
            Arrays.stream(CircuitTransition.class.getRecordComponents())
                .map(RecordComponent::getType))
        .as("free text could carry anything")
        .doesNotContain(String.class, Object.class);
  }

  @Test
  void the_wire_names_are_stable() {
    assertThat(Arrays.stream(CircuitState.values()).map(WireName::wireName))
        .containsExactly("closed", "open", "half_open");
    assertThat(Arrays.stream(Trigger.values()).map(WireName::wireName))
        .containsExactly(
            "failure_rate",
            "failures_in_row",
            "open_time_over",
            "probe_succeeded",
            "probe_failed",
            "operator");
    assertThat(Arrays.stream(Reason.values()).map(WireName::wireName))
        .containsExactly(
            "transient_failures", "throttles", "unsettled_permits", "recovered", "operator");
  }

  @Test
  void the_retry_tokens_are_added_by_whoever_knows_them() {
    CircuitTransition known = FACT.withRetryTokens(3.5);
    assertThat(known.retryTokens()).hasValue(3.5);
    assertThat(known)
        .isEqualTo(fact(CLOSED, OPEN, Duration.ofSeconds(1), 5, OptionalDouble.of(3.5)));
    assertThat(FACT.withRetryTokens(0).retryTokens()).hasValue(0);
  }

  @Test
  void a_fact_that_cannot_be_is_refused() {
    assertRefused(() -> fact(OPEN, OPEN, Duration.ZERO, 0, OptionalDouble.empty()), "same state");
    assertRefused(
        () -> fact(CLOSED, OPEN, Duration.ofNanos(-1), 0, OptionalDouble.empty()), "elapsed");
    assertRefused(() -> fact(CLOSED, OPEN, Duration.ZERO, -1, OptionalDouble.empty()), "requests");
    assertRefused(() -> FACT.withRetryTokens(-0.1), "retryTokens");
    assertRefused(() -> FACT.withRetryTokens(Double.NaN), "retryTokens");
    assertRefused(() -> FACT.withRetryTokens(Double.POSITIVE_INFINITY), "retryTokens");
  }

  private static void assertRefused(Runnable building, String named) {
    assertThatThrownBy(building::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  private static CircuitTransition fact(
      CircuitState previous,
      CircuitState state,
      Duration elapsed,
      long requests,
      OptionalDouble tokens) {
    return new CircuitTransition(
        previous,
        state,
        Trigger.FAILURE_RATE,
        Reason.TRANSIENT_FAILURES,
        elapsed,
        requests,
        tokens);
  }
}
