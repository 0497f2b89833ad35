package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.caller;
import static dev.sluice.gate.Gates.joinAll;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.paced;
import static dev.sluice.gate.Gates.seconds;
import static dev.sluice.gate.Gates.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.retry.RetryBudget;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a run's budget means at the gate. */
class GateBudgetTest {

  @Test
  void a_request_cap_is_reserved_with_the_permit_and_never_overshot_by_any_number_of_callers() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("a", slots(3)).lane("b", slots(3)).build();
          Run run = Run.within("run", RunBudget.ofRequests(7));
          List<String> log = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 50; i++) {
            callers.add(caller(time, gate, run, log, "c" + i));
          }
          joinAll(callers);
          assertThat(gate.statistics().granted()).isEqualTo(7);
          assertThat(log).hasSize(50);
          assertThat(log).filteredOn(line -> line.contains("refused request_cap")).hasSize(43);
        });
  }

  @Test
  void an_abandoned_permit_gives_its_request_back() {
    SimulatedTime.run(
        2,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Run run = Run.within("run", RunBudget.ofRequests(1));
          gate.acquire(run).abandon();
          gate.acquire(run).settle(Signal.success());
          assertThatThrownBy(() -> gate.acquire(run))
              .isInstanceOfSatisfying(
                  RefusedException.class,
                  e -> assertThat(e.refusal()).isEqualTo(Refusal.Budget.REQUEST_CAP));
        });
  }

  @Test
  void an_abandoned_permit_gives_its_place_in_the_pace_back() {
    SimulatedTime.run(
        3,
        time -> {
          Gate gate = on(time).lane("api", paced(0.1)).build();
          gate.acquire().abandon();
          gate.acquire().settle(Signal.success());
          assertThat(seconds(time)).isZero();
        });
  }

  @Test
  void a_spent_run_is_refused_at_once_even_if_every_slot_is_taken() {
    SimulatedTime.run(
        4,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Run run = Run.within("run", RunBudget.ofRequests(1));
          Permit taken = gate.acquire(run);
          assertThatThrownBy(() -> gate.acquire(run)).hasMessageContaining("request cap");
          assertThat(seconds(time)).isZero();
          taken.settle(Signal.success());
        });
  }

  @Test
  void a_wall_clock_that_ends_while_waiting_refuses_the_caller_then_and_as_planned() {
    SimulatedTime.run(
        5,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Permit taken = gate.acquire();
          Run run = Run.within("run", RunBudget.ofTime(Duration.ofSeconds(10)));
          assertThatThrownBy(() -> gate.acquire(run))
              .isInstanceOfSatisfying(
                  RefusedException.class,
                  e -> assertThat(e.refusal()).isEqualTo(Refusal.Budget.WALL_CLOCK));
          assertThat(seconds(time)).isEqualTo(10);
          taken.settle(Signal.success());
        });
  }

  @Test
  void the_wall_clock_never_interrupts_what_is_in_flight() {
    SimulatedTime.run(
        6,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Run run = Run.within("run", RunBudget.ofTime(SECOND));
          try (Permit permit = gate.acquire(run)) {
            time.sleep(Duration.ofMinutes(1));
            permit.settle(Signal.success());
          }
          assertThatThrownBy(() -> gate.acquire(run)).hasMessageContaining("wall clock");
        });
  }

  @Test
  void a_hold_beyond_the_end_of_the_run_is_told_as_rate_limited_at_once() {
    SimulatedTime.run(
        7,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          gate.acquire().settle(Signal.throttled(Duration.ofMinutes(10)));
          Run run = Run.within("run", RunBudget.ofTime(Duration.ofMinutes(5)));
          assertThatThrownBy(() -> gate.acquire(run))
              .isInstanceOfSatisfying(
                  RefusedException.class,
                  e -> assertThat(e.refusal().wireName()).isEqualTo("rate_limited"));
          assertThat(seconds(time)).isZero();
        });
  }

  @Test
  void a_hold_longer_than_the_run_waits_for_is_refused_at_once_and_when_it_appears() {
    SimulatedTime.run(
        8,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Run run = Run.unbounded().withLongestHold(Duration.ofMinutes(2));
          Permit taken = gate.acquire();
          List<String> log = new ArrayList<>();
          Time.Task waiter = caller(time, gate, run, log, "w");
          time.sleep(SECOND);
          taken.settle(Signal.throttled(Duration.ofSeconds(121)));
          waiter.join();
          Time.Task later = caller(time, gate, run, log, "v");
          later.join();
          time.sleep(SECOND);
          Time.Task stillLater = caller(time, gate, run, log, "u");
          stillLater.join();
          assertThat(log)
              .containsExactly(
                  "w refused rate_limited@1.0", "v refused rate_limited@1.0", "u@122.0");
        });
  }

  @Test
  void a_success_refills_the_retry_budget_and_nothing_else_does() {
    SimulatedTime.run(
        9,
        time -> {
          Gate gate = on(time).lane("a", slots(9)).build();
          RetryBudget retries = new RetryBudget(20, 1);
          Run run = Run.unbounded().withRetryBudget(retries);
          long before = retries.tokens();
          gate.acquire(run).settle(Signal.rejected(Signal.Rejected.Kind.NOT_FOUND));
          gate.acquire(run).settle(Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
          gate.acquire(run).abandon();
          assertThat(retries.tokens()).isEqualTo(before);
          gate.acquire(run).settle(Signal.success());
          assertThat(retries.tokens()).isEqualTo(before + 1);
        });
  }
}
