package dev.sluice.runs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Refusal;
import dev.sluice.runs.run.Reason.Failure;
import dev.sluice.runs.run.Reason.Planned;
import dev.sluice.runs.run.Reason.Pressure;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OutcomeTest {

  @Test
  void reasons_have_stable_names() {
    assertThat(Planned.values())
        .extracting(Reason::wireName)
        .containsExactly("request_cap", "wall_clock", "retry_budget", "cancelled");
    assertThat(Pressure.values())
        .extracting(Reason::wireName)
        .containsExactly("rate_limited", "upstream_pressure", "circuit_open");
    assertThat(Failure.values())
        .extracting(Reason::wireName)
        .containsExactly(
            "forbidden",
            "not_found",
            "cursor_expired",
            "invalid",
            "suspended",
            "quota_spent",
            "auth_failure",
            "cursor_loop",
            "unexpected_content",
            "slice_too_large",
            "storage",
            "too_many_rejects");
  }

  @Test
  void a_planned_end_never_says_that_the_service_was_busy() {
    assertThat(Planned.values())
        .allSatisfy(
            reason -> {
              assertThat((Reason) reason).isNotInstanceOf(Pressure.class);
              assertThat(reason.words()).doesNotContain("service", "busy", "provider");
            });
  }

  static Stream<Outcome> outcomes() {
    return Stream.of(
            Stream.of(
                new Outcome.Completed(),
                new Outcome.CompletedWithRejections(),
                new Outcome.Cancelled(),
                new Outcome.AlreadyRunning()),
            Arrays.stream(Planned.values()).map(reason -> new Outcome.Deferred(reason, "so far")),
            Arrays.stream(Pressure.values()).map(reason -> new Outcome.Deferred(reason, "")),
            Arrays.stream(Failure.values()).map(reason -> new Outcome.Failed(reason, "no")))
        .flatMap(some -> some);
  }

  @ParameterizedTest
  @MethodSource("outcomes")
  void every_outcome_survives_being_stored(Outcome outcome) {
    Reason reason = outcome.reason();
    assertThat(
            Outcome.of(
                outcome.wireName(), reason == null ? null : reason.wireName(), outcome.detail()))
        .isEqualTo(outcome);
  }

  @Test
  void outcomes_have_stable_names_and_only_completed_work_is_not_resumed() {
    assertThat(outcomes().map(Outcome::wireName).distinct())
        .containsExactly(
            "completed",
            "completed_with_rejections",
            "cancelled",
            "already_running",
            "deferred",
            "failed");
    assertThat(outcomes().filter(outcome -> !outcome.resumable()))
        .containsExactly(new Outcome.Completed(), new Outcome.CompletedWithRejections());
  }

  @Test
  void names_that_do_not_belong_together_are_refused() {
    assertThatThrownBy(() -> Outcome.of("deferred", "storage", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("deferred", "storage");
    assertThatThrownBy(() -> Outcome.of("failed", "request_cap", null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Outcome.of("finished", null, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Reason.named("mood")).hasMessageContaining("mood");
  }

  @Test
  void refusals_of_the_gate_become_the_reason_that_they_are() {
    Duration hour = Duration.ofHours(1);
    assertThat(Arrays.stream(Refusal.Budget.values()).map(Reason::of))
        .containsExactly(Planned.REQUEST_CAP, Planned.WALL_CLOCK, Planned.RETRY_BUDGET);
    assertThat(Reason.of((Refusal) Refusal.Budget.WALL_CLOCK)).contains(Planned.WALL_CLOCK);
    assertThat(Reason.of((Refusal) new Refusal.Held("a", hour, hour, Refusal.Held.Bound.TOLERANCE)))
        .contains(Pressure.RATE_LIMITED);
    assertThat(Reason.of((Refusal) new Refusal.GivenUp("a"))).contains(Pressure.RATE_LIMITED);
    assertThat(circuit(CircuitTransition.Reason.THROTTLES)).contains(Pressure.CIRCUIT_OPEN);
    assertThat(circuit(CircuitTransition.Reason.TRANSIENT_FAILURES))
        .contains(Pressure.UPSTREAM_PRESSURE);
    assertThat(Arrays.stream(Signal.Stopped.Reason.values()))
        .allSatisfy(
            why ->
                assertThat(Reason.of(new Refusal.Stopped("a", why)).orElseThrow().wireName())
                    .isEqualTo(why.wireName()));
    assertThat(Reason.of(Refusal.Closed.CLOSED)).isEmpty();
    assertThat(Reason.of(new Refusal.TimedOut(hour, 1, 1, ""))).isEmpty();
  }

  private static Optional<Reason> circuit(CircuitTransition.Reason why) {
    return Reason.of((Refusal) new Refusal.CircuitOpen("a", Duration.ofHours(1), why));
  }

  @Test
  void an_envelope_becomes_a_budget_and_refuses_what_no_budget_could_be() {
    Envelope envelope = Envelope.UNBOUNDED.withRequestCap(5).withWallClock(Duration.ofMinutes(1));
    assertThat(envelope.budget().requestCap()).isEqualTo(OptionalLong.of(5));
    assertThat(envelope.budget().wallClock()).contains(Duration.ofMinutes(1));
    assertThat(Envelope.UNBOUNDED.budget().requestCap()).isEmpty();
    assertThatThrownBy(() -> Envelope.UNBOUNDED.withRequestCap(0))
        .hasMessageContaining("requestCap");
    assertThatThrownBy(() -> Envelope.UNBOUNDED.withWallClock(Duration.ZERO))
        .hasMessageContaining("wallClock");
  }
}
