package dev.sluice.control.circuit;

import static dev.sluice.control.circuit.CircuitState.CLOSED;
import static dev.sluice.control.circuit.CircuitState.HALF_OPEN;
import static dev.sluice.control.circuit.CircuitState.OPEN;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitTransition.Reason;
import dev.sluice.control.circuit.CircuitTransition.Trigger;
import java.time.Duration;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CircuitRestoreTest {
  private static final long NOW = -77;
  private static final CircuitTransition OPENED =
      new CircuitTransition(
          CLOSED,
          OPEN,
          Trigger.FAILURE_RATE,
          Reason.THROTTLES,
          Duration.ofMinutes(9),
          41,
          OptionalDouble.of(2));

  private final CircuitBreaker circuit = new CircuitBreaker(CircuitOptions.DEFAULTS, NOW);

  @Test
  void an_open_circuit_stays_open_for_what_is_left() {
    circuit.restore(OPENED, Duration.ofSeconds(25), NOW);

    assertThat(circuit.state(NOW)).isEqualTo(OPEN);
    assertThat(circuit.triedAgainAt(NOW)).isEqualTo(NOW + SECONDS.toNanos(35));
    assertThat(circuit.lastTransition()).isEqualTo(OPENED);
  }

  @Test
  void the_next_fact_continues_the_chain_with_time_requests_and_reason() {
    circuit.restore(OPENED, Duration.ofSeconds(25), NOW);
    assertThat(circuit.start(NOW + SECONDS.toNanos(40)))
        .isEqualTo(
            new CircuitTransition(
                OPEN,
                HALF_OPEN,
                Trigger.OPEN_TIME_OVER,
                Reason.THROTTLES,
                Duration.ofSeconds(65),
                41,
                OptionalDouble.empty()));
  }

  @Test
  void an_open_circuit_whose_time_passed_meanwhile_counts_as_half_open() {
    circuit.restore(OPENED, Duration.ofSeconds(60), NOW);
    assertThat(circuit.state(NOW)).isEqualTo(HALF_OPEN);
  }

  @Test
  void a_fact_from_the_future_holds_no_longer_than_a_new_one() {
    circuit.restore(OPENED, Duration.ofDays(-400), NOW);
    assertThat(circuit.triedAgainAt(NOW)).isEqualTo(NOW + SECONDS.toNanos(60));
  }

  @Test
  void a_fact_of_absurd_age_is_old_and_nothing_overflows() {
    circuit.restore(OPENED, Duration.ofSeconds(Long.MAX_VALUE), NOW);
    assertThat(circuit.state(NOW)).isEqualTo(HALF_OPEN);
    assertThat(circuit.admits(NOW + Duration.ofDays(36_500).toNanos())).isTrue();
  }

  @Test
  void a_half_open_circuit_has_all_its_probes_again() {
    circuit.restore(fact(OPEN, HALF_OPEN, Trigger.OPEN_TIME_OVER), Duration.ofHours(2), NOW);

    assertThat(circuit.state(NOW)).isEqualTo(HALF_OPEN);
    assertThat(circuit.start(NOW)).as("it is half-open already").isNull();
    assertThat(circuit.admits(NOW)).isFalse();
  }

  @Test
  void a_closed_circuit_starts_with_an_empty_ring() {
    circuit.restore(fact(HALF_OPEN, CLOSED, Trigger.PROBE_SUCCEEDED), Duration.ofHours(2), NOW);

    assertThat(circuit.state(NOW)).isEqualTo(CLOSED);
    for (int i = 0; i < 4; i++) {
      CircuitTransition unused = circuit.start(NOW);
      assertThat(circuit.failure(FailureKind.TRANSIENT, null, circuit.generation(), NOW)).isNull();
    }
  }

  @Test
  void a_circuit_that_is_off_stays_closed_but_goes_on_counting() {
    CircuitBreaker off = new CircuitBreaker(CircuitOptions.off(), NOW);
    off.restore(OPENED, Duration.ZERO, NOW);
    assertThat(off.state(NOW)).isEqualTo(CLOSED);
    assertThat(off.admits(NOW)).isTrue();
  }

  @Test
  void a_circuit_in_use_is_not_restored() {
    CircuitTransition unused = circuit.start(NOW);
    assertThatThrownBy(() -> circuit.restore(OPENED, Duration.ZERO, NOW))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("before its first start");
  }

  @Test
  void a_circuit_is_not_restored_twice() {
    CircuitTransition first =
        new CircuitTransition(
            CLOSED,
            OPEN,
            Trigger.FAILURE_RATE,
            Reason.THROTTLES,
            Duration.ZERO,
            0,
            OptionalDouble.empty());
    circuit.restore(first, Duration.ZERO, NOW);
    assertThatThrownBy(() -> circuit.restore(OPENED, Duration.ZERO, NOW))
        .isInstanceOf(IllegalStateException.class);
  }

  private static CircuitTransition fact(CircuitState previous, CircuitState state, Trigger by) {
    return new CircuitTransition(
        previous, state, by, Reason.RECOVERED, Duration.ofSeconds(1), 7, OptionalDouble.empty());
  }
}
