package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.caller;
import static dev.sluice.gate.Gates.fail;
import static dev.sluice.gate.Gates.fragile;
import static dev.sluice.gate.Gates.joinAll;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Open circuits and stopped lanes at the gate. */
class GateCircuitTest {

  @Test
  void an_open_circuit_fails_at_once_with_the_time_at_which_it_reopens_and_spends_nothing() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(2))).build();
          fail(gate, 2);
          RunBudget budget = RunBudget.ofRequests(5);
          assertThatThrownBy(() -> gate.acquire(Run.within("run", budget)))
              .isInstanceOfSatisfying(
                  RefusedException.class,
                  e ->
                      assertThat(e.refusal())
                          .isEqualTo(
                              new Refusal.CircuitOpen(
                                  "a",
                                  Duration.ofSeconds(10),
                                  CircuitTransition.Reason.TRANSIENT_FAILURES)));
          assertThat(budget.used()).isZero();
          assertThat(gate.tryAcquire(Run.unbounded())).isNull();
        });
  }

  @Test
  void when_the_circuit_opens_all_who_wait_fail_at_once() {
    SimulatedTime.run(
        2,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(2))).build();
          Permit first = gate.acquire();
          Permit second = gate.acquire();
          List<String> log = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            callers.add(caller(time, gate, Run.unbounded(), log, "c"));
          }
          time.sleep(SECOND);
          // The first failure frees a slot for the first in line; the second opens the circuit.
          first.close();
          second.close();
          joinAll(callers);
          assertThat(log).filteredOn(line -> line.equals("c refused circuit_open@1.0")).hasSize(4);
        });
  }

  @Test
  void a_half_open_circuit_admits_one_probe_and_the_others_wait_for_its_outcome() {
    SimulatedTime.run(
        3,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(9))).build();
          fail(gate, 2);
          time.sleep(Duration.ofSeconds(10));
          Permit probe = gate.acquire();
          List<String> log = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            callers.add(caller(time, gate, Run.unbounded(), log, "c"));
          }
          time.sleep(SECOND);
          assertThat(log).isEmpty();
          assertThat(gate.statistics().waiting()).isEqualTo(5);
          probe.settle(Signal.success());
          joinAll(callers);
          assertThat(log).containsOnly("c@11.0").hasSize(5);
        });
  }

  @Test
  void a_failed_probe_opens_the_circuit_again_and_those_who_waited_fail() {
    SimulatedTime.run(
        4,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(9))).build();
          fail(gate, 2);
          time.sleep(Duration.ofSeconds(10));
          Permit probe = gate.acquire();
          List<String> log = new ArrayList<>();
          Time.Task waiter = caller(time, gate, Run.unbounded(), log, "w");
          time.sleep(SECOND);
          probe.settle(Signal.transientFailure(Signal.Transient.Kind.TRANSPORT));
          waiter.join();
          assertThat(log).containsExactly("w refused circuit_open@11.0");
        });
  }

  @Test
  void a_probe_that_is_abandoned_is_handed_to_the_next_in_line() {
    SimulatedTime.run(
        5,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(9))).build();
          fail(gate, 2);
          time.sleep(Duration.ofSeconds(10));
          Permit probe = gate.acquire();
          List<String> log = new ArrayList<>();
          Time.Task waiter = caller(time, gate, Run.unbounded(), log, "w");
          time.sleep(SECOND);
          probe.abandon();
          waiter.join();
          assertThat(log).containsExactly("w@11.0");
          assertThat(gate.statistics().lanes().get(0).circuit()).isEqualTo(CircuitState.CLOSED);
        });
  }

  @Test
  void one_url_that_always_answers_500_does_not_stop_the_lane_for_anybody_else() {
    SimulatedTime.run(
        9,
        time -> {
          Gate gate = on(time).lane("a", slots(4)).build();
          for (int i = 0; i < 30; i++) {
            gate.acquire().settle(Signal.success());
          }
          for (int i = 0; i < 7; i++) {
            Signal bad = Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);
            CallOptions idempotent = CallOptions.DEFAULTS.repeatable();
            gate.call(Run.unbounded(), idempotent, permit -> new Call.Reply<>("", bad));
          }
          time.sleep(SECOND);
          assertThat(gate.statistics().granted()).isEqualTo(30 + 7 * 4);
          assertThat(gate.statistics().lanes().get(0).circuit()).isEqualTo(CircuitState.CLOSED);
        });
  }

  @Test
  void a_half_open_circuit_is_probed_by_a_call_that_has_not_failed_if_one_waits() {
    SimulatedTime.run(
        10,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(2))).build();
          Ask bad = Ask.plain().onBehalfOf("bad record");
          Signal failure = Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);
          gate.acquire(Run.unbounded(), bad).settle(failure);
          gate.acquire().settle(failure);
          gate.hold("a", Duration.ofSeconds(15));
          time.sleep(Duration.ofSeconds(11)); // half-open, and held
          List<String> probes = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          for (Ask ask : List.of(bad, bad, Ask.plain().onBehalfOf("other"), Ask.plain())) {
            callers.add(
                time.start(
                    "caller",
                    () -> {
                      try (Permit permit = gate.acquire(Run.unbounded(), ask)) {
                        probes.add(String.valueOf(permit.call()));
                        time.sleep(SECOND);
                        permit.settle(Signal.success());
                      } catch (InterruptedException e) {
                        throw new AssertionError(e);
                      }
                    }));
            time.sleep(Duration.ofMillis(1)); // in this order
          }
          joinAll(callers);
          assertThat(probes).containsExactly("other", "bad record", "bad record", "null");
        });
  }

  @Test
  void a_gate_over_many_lanes_skips_the_open_one_and_fails_only_if_all_are_open() {
    SimulatedTime.run(
        6,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(2))).build();
          fail(gate, 2);
          gate.addLane("b", fragile(slots(2)));
          try (Permit permit = gate.acquire()) {
            assertThat(permit.lane()).isEqualTo("b");
            permit.settle(Signal.success());
          }
          time.sleep(SECOND);
          fail(gate, 2);
          assertThatThrownBy(gate::acquire)
              .isInstanceOfSatisfying(
                  RefusedException.class,
                  e ->
                      assertThat(e.refusal())
                          .isEqualTo(
                              new Refusal.CircuitOpen(
                                  "a",
                                  Duration.ofSeconds(9),
                                  CircuitTransition.Reason.TRANSIENT_FAILURES)));
        });
  }

  @Test
  void those_who_wait_for_a_hold_take_a_lane_whose_circuit_may_be_tried_again_sooner() {
    SimulatedTime.run(
        7,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(2))).build();
          fail(gate, 2);
          gate.addLane("b", slots(1));
          gate.acquire().settle(Signal.throttled(Duration.ofMinutes(5)));
          try (Permit permit = gate.acquire()) {
            assertThat(permit.lane()).isEqualTo("a");
            assertThat(Gates.seconds(time)).isEqualTo(10);
            permit.settle(Signal.success());
          }
        });
  }

  @Test
  void a_stopped_lane_stays_closed_until_a_person_reopens_it() {
    SimulatedTime.run(
        8,
        time -> {
          Gate gate = on(time).lane("a", slots(2)).build();
          gate.acquire().settle(Signal.stopped(Signal.Stopped.Reason.SUSPENDED));
          time.sleep(Duration.ofDays(30));
          assertThatThrownBy(gate::acquire)
              .isInstanceOfSatisfying(
                  RefusedException.class,
                  e -> assertThat(e.refusal().wireName()).isEqualTo("suspended"))
              .hasMessageContaining("reopened by hand");
          gate.reopen("a");
          gate.acquire().settle(Signal.success());
        });
  }
}
