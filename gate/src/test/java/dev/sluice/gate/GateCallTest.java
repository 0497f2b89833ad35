package dev.sluice.gate;

import static dev.sluice.gate.Gates.fragile;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.seconds;
import static dev.sluice.gate.Gates.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.retry.RetryBudget;
import dev.sluice.control.retry.RetryOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Calls through a gate: retries by the table of signals. */
class GateCallTest {
  private static final Signal SERVER_ERROR =
      Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);
  private static final CallOptions REPEATABLE = CallOptions.DEFAULTS.repeatable();

  /** A service that answers as it is told, one signal after the other, then with success. */
  private static final class Script implements Call<String, IOException> {
    private final Time time;
    private final Deque<Signal> signals = new ArrayDeque<>();
    private final List<String> sent = new ArrayList<>();

    Script(Time time, Signal... signals) {
      this.time = time;
      this.signals.addAll(List.of(signals));
    }

    @Override
    public Reply<String> send(Permit permit) {
      sent.add(permit.lane() + "@" + seconds(time));
      Signal next = signals.isEmpty() ? Signal.success() : signals.poll();
      return new Reply<>("answer " + sent.size(), next);
    }
  }

  private static Gate users(Time time, int count) {
    GateBuilder builder = on(time);
    for (int i = 1; i <= count; i++) {
      builder.lane("app" + i, slots(4));
    }
    return builder.build();
  }

  private static Signal throttled(int seconds) {
    return Signal.throttled(Duration.ofSeconds(seconds));
  }

  @Test
  void a_success_is_returned_after_one_attempt() {
    SimulatedTime.run(
        1,
        time -> {
          Script service = new Script(time);
          assertThat(users(time, 1).call(Run.unbounded(), service)).isEqualTo("answer 1");
          assertThat(service.sent).containsExactly("app1@0.0");
        });
  }

  @Test
  void a_throttled_call_retries_immediately_on_another_connection_if_one_is_available() {
    SimulatedTime.run(
        2,
        time -> {
          Script service = new Script(time, throttled(60), throttled(60));
          String answer = users(time, 3).call(Run.unbounded(), service);
          assertThat(answer).isEqualTo("answer 3");
          assertThat(service.sent).containsExactly("app1@0.0", "app2@0.0", "app3@0.0");
        });
  }

  @Test
  void a_call_waits_for_the_shortest_expiry_and_retries_when_all_connections_are_throttled() {
    SimulatedTime.run(
        3,
        time -> {
          Script service = new Script(time, throttled(60), throttled(20), throttled(40));
          assertThat(users(time, 3).call(Run.unbounded(), service)).isEqualTo("answer 4");
          assertThat(service.sent).containsExactly("app1@0.0", "app2@0.0", "app3@0.0", "app2@20.0");
        });
  }

  @Test
  void reroutes_are_free_and_only_waits_count_against_max_throttle_retries() {
    SimulatedTime.run(
        4,
        time -> {
          Signal[] answers = new Signal[40];
          java.util.Arrays.fill(answers, throttled(10));
          Script service = new Script(time, answers);
          assertThatThrownBy(() -> users(time, 3).call(Run.unbounded(), service))
              .isInstanceOfSatisfying(
                  ServiceProtectionException.class,
                  e -> {
                    assertThat(e.connection()).startsWith("app");
                    assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(10));
                    assertThat(e.attempts()).isEqualTo(service.sent.size());
                  });
          // Three at once, then after each of the three waits at most three again.
          assertThat(service.sent).hasSize(12);
        });
  }

  @Test
  void max_throttle_retries_of_zero_gives_up_when_no_other_connection_is_free() {
    SimulatedTime.run(
        5,
        time -> {
          Script service = new Script(time, throttled(10), throttled(10), throttled(10));
          CallOptions options = CallOptions.DEFAULTS.withRetries(new RetryOptions(0, 4, false));
          assertThatThrownBy(() -> users(time, 2).call(Run.unbounded(), options, service))
              .isInstanceOf(ServiceProtectionException.class);
          assertThat(service.sent).containsExactly("app1@0.0", "app2@0.0");
        });
  }

  @Test
  void each_retry_costs_a_token_and_an_empty_retry_budget_ends_the_call_as_planned() {
    SimulatedTime.run(
        6,
        time -> {
          RetryBudget budget = new RetryBudget(2, 0.2);
          Run run = Run.unbounded().withRetryBudget(budget);
          Script service = new Script(time, throttled(10), SERVER_ERROR, throttled(10));
          assertThatThrownBy(() -> users(time, 1).call(run, REPEATABLE, service))
              .isInstanceOfSatisfying(
                  RefusedException.class,
                  e -> assertThat(e.refusal()).isEqualTo(Refusal.Budget.RETRY_BUDGET));
          assertThat(service.sent).hasSize(3);
          assertThat(budget.tokens()).isZero();
        });
  }

  @Test
  void a_transient_failure_is_retried_with_jitter_at_most_four_attempts_and_then_returned() {
    SimulatedTime.run(
        7,
        time -> {
          Script service = new Script(time, SERVER_ERROR, SERVER_ERROR, SERVER_ERROR, SERVER_ERROR);
          Gate gate = on(time).lane("a", slots(4)).build();
          assertThat(gate.call(Run.unbounded(), REPEATABLE, service)).isEqualTo("answer 4");
          assertThat(service.sent).hasSize(4);
          // Full jitter: at most 1, 2 and 4 s; with this seed certainly more than nothing.
          assertThat(seconds(time)).isGreaterThan(0.1).isLessThanOrEqualTo(7.0);
        });
  }

  @Test
  void a_request_that_must_not_be_repeated_is_not_after_an_unknown_outcome() {
    SimulatedTime.run(
        8,
        time -> {
          Script service = new Script(time, SERVER_ERROR);
          assertThat(users(time, 1).call(Run.unbounded(), service)).isEqualTo("answer 1");
          assertThat(service.sent).hasSize(1);
        });
  }

  @Test
  void rejections_answers_and_stops_are_returned_and_never_retried() {
    SimulatedTime.run(
        9,
        time -> {
          for (Signal signal :
              List.of(
                  Signal.rejected(Signal.Rejected.Kind.FORBIDDEN),
                  Signal.answered(Signal.Answered.Kind.DEADLOCK),
                  Signal.stopped(Signal.Stopped.Reason.QUOTA_SPENT))) {
            Script service = new Script(time, signal);
            String answer = users(time, 1).call(Run.unbounded(), REPEATABLE, service);
            assertThat(answer).isEqualTo("answer 1");
          }
        });
  }

  @Test
  void an_open_circuit_ends_the_call_at_once_and_spends_no_token() {
    SimulatedTime.run(
        10,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(4))).build();
          RetryBudget budget = new RetryBudget(10, 0.2);
          Run run = Run.unbounded().withRetryBudget(budget);
          Gates.fail(gate, 2);
          Script service = new Script(time);
          assertThatThrownBy(() -> gate.call(run, REPEATABLE, service))
              .isInstanceOfSatisfying(
                  RefusedException.class,
                  e -> assertThat(e.refusal().wireName()).isEqualTo("circuit_open"));
          assertThat(service.sent).isEmpty();
          assertThat(budget.tokens()).isEqualTo(10);
        });
  }

  @Test
  void a_failure_that_opens_the_circuit_ends_the_call_for_that_reason_and_spends_no_token() {
    SimulatedTime.run(
        16,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(4))).build();
          RetryBudget budget = new RetryBudget(10, 0.2);
          Run run = Run.unbounded().withRetryBudget(budget);
          Gates.fail(gate, 1); // of another call
          Script service = new Script(time, SERVER_ERROR);
          assertThatThrownBy(() -> gate.call(run, REPEATABLE, service))
              .isInstanceOfSatisfying(
                  RefusedException.class,
                  e -> assertThat(e.refusal().wireName()).isEqualTo("circuit_open"));
          assertThat(service.sent).hasSize(1);
          assertThat(budget.tokens()).isEqualTo(10);
        });
  }

  @Test
  void a_retry_that_the_gate_refuses_gets_its_token_back() {
    SimulatedTime.run(
        17,
        time -> {
          Gate gate = on(time).lane("a", slots(4)).build();
          RetryBudget budget = new RetryBudget(10, 0.2);
          Run run = Run.unbounded().withRetryBudget(budget).withLongestHold(Duration.ofSeconds(30));
          Script service = new Script(time, throttled(60));
          assertThatThrownBy(() -> gate.call(run, service))
              .isInstanceOfSatisfying(
                  ServiceProtectionException.class,
                  e -> {
                    assertThat(e.attempts()).isEqualTo(1);
                    assertThat(e.retryAfter()).isEqualTo(Duration.ofMinutes(1));
                  });
          assertThat(budget.tokens()).isEqualTo(10);
        });
  }

  @Test
  void with_throttle_tracking_off_a_throttled_lane_is_not_pressed_by_the_call_it_throttled() {
    SimulatedTime.run(
        18,
        time -> {
          LaneOptions untracked =
              new LaneOptions(
                  slots(1).policy(),
                  slots(1).circuit(),
                  slots(1).hintlessHold(),
                  Duration.ZERO,
                  false);
          Gate gate = on(time).lane("a", untracked).lane("b", untracked).build();
          Script service = new Script(time, throttled(10));
          assertThat(gate.call(Run.unbounded(), service)).isEqualTo("answer 2");
          assertThat(service.sent.get(1)).endsWith("@10.0");
        });
  }

  @Test
  void an_exception_is_retried_and_the_last_one_thrown() {
    SimulatedTime.run(
        11,
        time -> {
          Gate gate = on(time).lane("a", slots(4)).build();
          List<Double> tries = new ArrayList<>();
          assertThatThrownBy(
                  () ->
                      gate.<String, IOException>call(
                          Run.unbounded(),
                          REPEATABLE,
                          permit -> {
                            tries.add(seconds(time));
                            throw new IOException("connection reset, try " + tries.size());
                          }))
              .isInstanceOf(IOException.class)
              .hasMessage("connection reset, try 4");
          assertThat(tries).hasSize(4);
          assertThat(gate.statistics().inFlight()).isZero();
        });
  }

  @Test
  void a_bug_in_the_call_is_thrown_at_once_and_its_permit_settled_as_a_failure() {
    SimulatedTime.run(
        12,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          assertThatThrownBy(
                  () ->
                      gate.<String, IOException>call(
                          Run.unbounded(),
                          REPEATABLE,
                          permit -> {
                            throw new IllegalStateException("a bug");
                          }))
              .hasMessage("a bug");
          assertThat(gate.statistics().inFlight()).isZero();
        });
  }

  @Test
  void with_throttle_tracking_off_only_the_throttled_call_waits() {
    SimulatedTime.run(
        13,
        time -> {
          LaneOptions untracked =
              new LaneOptions(
                  slots(4).policy(),
                  slots(4).circuit(),
                  slots(4).hintlessHold(),
                  Duration.ZERO,
                  false);
          Gate gate = on(time).lane("a", untracked).build();
          Script service = new Script(time, throttled(10), throttled(10));
          assertThat(gate.call(Run.unbounded(), service)).isEqualTo("answer 3");
          assertThat(service.sent).containsExactly("a@0.0", "a@10.0", "a@20.0");
          assertThat(gate.statistics().throttledConnections()).isZero();
          assertThat(gate.statistics().totalThrottleEvents()).isEqualTo(2);
        });
  }

  @Test
  void a_successful_call_refills_the_retry_budget_once() {
    SimulatedTime.run(
        15,
        time -> {
          RetryBudget budget = new RetryBudget(20, 1);
          users(time, 1).call(Run.unbounded().withRetryBudget(budget), new Script(time));
          assertThat(budget.tokens()).isEqualTo(11);
        });
  }

  @Test
  void a_throttle_is_reported_with_connection_facet_code_and_wait() {
    SimulatedTime.run(
        14,
        time -> {
          List<GateEvent> events = new ArrayList<>();
          Gate gate =
              on(time).lane("app1", slots(1)).lane("app2", slots(1)).listener(events::add).build();
          Signal throttle =
              new Signal.Throttled(
                  Optional.of(Duration.ofSeconds(37)),
                  Signal.Facet.EXECUTION_TIME,
                  "0x80072321",
                  List.of());
          gate.call(Run.unbounded(), new Script(time, throttle));
          assertThat(events)
              .contains(
                  new GateEvent.Throttled(
                      "app1",
                      Signal.Facet.EXECUTION_TIME,
                      "0x80072321",
                      Optional.of(Duration.ofSeconds(37))),
                  new GateEvent.Retried("app1", "throttled", 1, Duration.ZERO));
        });
  }
}
