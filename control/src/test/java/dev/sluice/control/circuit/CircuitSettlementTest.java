package dev.sluice.control.circuit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each signal means for a circuit, in the state in which one answer decides. */
class CircuitSettlementTest {
  private static final long NOW = 0;
  private static final CircuitOptions ONE_DECIDES = CircuitOptions.DEFAULTS.withRing(1, 1);
  private static final Signal THROTTLE_WITH_WAIT = Signal.throttled(Duration.ofSeconds(5));

  @ParameterizedTest
  @MethodSource("contacts")
  void an_answer_of_a_healthy_service_closes_a_half_open_circuit(Signal signal) {
    CircuitBreaker circuit = halfOpen();
    CircuitTransition fact =
        requireNonNull(circuit.settled(signal, false, null, circuit.generation(), later()));
    assertThat(fact.state()).isEqualTo(CircuitState.CLOSED);
  }

  @ParameterizedTest
  @MethodSource("contacts")
  void an_answer_of_a_healthy_service_makes_a_failure_rarer_in_a_closed_circuit(Signal signal) {
    CircuitBreaker circuit =
        new CircuitBreaker(CircuitOptions.DEFAULTS.withRing(3, 3), NOW); // opens at 2 of 3
    for (int i = 0; i < 2; i++) {
      CircuitTransition unused = circuit.start(NOW);
      assertThat(circuit.settled(signal, false, null, circuit.generation(), NOW)).isNull();
    }
    CircuitTransition unused = circuit.start(NOW);
    assertThat(circuit.failure(FailureKind.TRANSIENT, null, circuit.generation(), NOW)).isNull();
  }

  @Test
  void a_transient_failure_is_a_failure() {
    Signal signal = Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);
    CircuitTransition fact = settledInHalfOpen(signal, false);
    assertThat(fact.state()).isEqualTo(CircuitState.OPEN);
    assertThat(fact.reason()).isEqualTo(CircuitTransition.Reason.TRANSIENT_FAILURES);
  }

  @Test
  void a_permit_that_nobody_settled_is_a_failure_told_as_such() {
    Signal signal = Signal.transientFailure(Signal.Transient.Kind.UNSETTLED);
    CircuitTransition fact = settledInHalfOpen(signal, false);
    assertThat(fact.state()).isEqualTo(CircuitState.OPEN);
    assertThat(fact.reason()).isEqualTo(CircuitTransition.Reason.UNSETTLED_PERMITS);
  }

  @Test
  void the_first_throttle_without_a_wait_in_an_episode_is_a_failure() {
    CircuitTransition fact = settledInHalfOpen(Signal.throttled(), true);
    assertThat(fact.state()).isEqualTo(CircuitState.OPEN);
    assertThat(fact.reason()).isEqualTo(CircuitTransition.Reason.THROTTLES);
  }

  @Test
  void further_throttles_without_a_wait_in_the_same_episode_hand_the_probe_back() {
    assertHandedBack(Signal.throttled(), false);
  }

  @Test
  void a_throttle_with_a_usable_wait_hands_the_probe_back_even_if_it_starts_an_episode() {
    assertHandedBack(THROTTLE_WITH_WAIT, true);
    assertHandedBack(THROTTLE_WITH_WAIT, false);
  }

  @Test
  void a_terminal_answer_hands_the_probe_back() {
    assertHandedBack(Signal.stopped(Signal.Stopped.Reason.SUSPENDED), false);
  }

  @Test
  void a_cancelled_request_hands_the_probe_back_and_never_opens_a_closed_circuit() {
    assertHandedBack(Signal.CANCELLED, false);
    CircuitBreaker circuit = new CircuitBreaker(ONE_DECIDES, NOW);
    for (int i = 0; i < 100; i++) {
      CircuitTransition unused = circuit.start(NOW);
      assertThat(circuit.settled(Signal.CANCELLED, false, null, circuit.generation(), NOW))
          .isNull();
    }
    assertThat(circuit.state(NOW)).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void throttles_with_a_usable_wait_never_open_a_closed_circuit() {
    CircuitBreaker circuit = new CircuitBreaker(ONE_DECIDES, NOW);
    for (int i = 0; i < 100; i++) {
      CircuitTransition unused = circuit.start(NOW);
      assertThat(circuit.settled(THROTTLE_WITH_WAIT, true, null, circuit.generation(), NOW))
          .isNull();
    }
    assertThat(circuit.state(NOW)).isEqualTo(CircuitState.CLOSED);
  }

  static Stream<Signal> contacts() {
    return Stream.of(
        Signal.success(),
        Signal.answered(Signal.Answered.Kind.DEADLOCK),
        Signal.rejected(Signal.Rejected.Kind.NOT_FOUND));
  }

  private static void assertHandedBack(Signal signal, boolean newEpisode) {
    CircuitBreaker circuit = halfOpen();
    assertThat(circuit.admits(later())).isFalse();
    assertThat(circuit.settled(signal, newEpisode, null, circuit.generation(), later())).isNull();
    assertThat(circuit.state(later())).isEqualTo(CircuitState.HALF_OPEN);
    assertThat(circuit.admits(later())).isTrue();
  }

  private static CircuitTransition settledInHalfOpen(Signal signal, boolean newEpisode) {
    CircuitBreaker circuit = halfOpen();
    return requireNonNull(circuit.settled(signal, newEpisode, null, circuit.generation(), later()));
  }

  /** A half-open circuit with its only probe out. */
  private static CircuitBreaker halfOpen() {
    CircuitBreaker circuit = new CircuitBreaker(ONE_DECIDES, NOW);
    CircuitTransition unused = circuit.start(NOW);
    assertThat(circuit.failure(FailureKind.TRANSIENT, null, circuit.generation(), NOW)).isNotNull();
    assertThat(circuit.start(later())).isNotNull();
    return circuit;
  }

  private static long later() {
    return NOW + ONE_DECIDES.openFor().toNanos();
  }
}
