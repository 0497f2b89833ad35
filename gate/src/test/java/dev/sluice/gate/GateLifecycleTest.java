package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.caller;
import static dev.sluice.gate.Gates.fragile;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.seconds;
import static dev.sluice.gate.Gates.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Permits settled once and only once; gates closed and drained; listeners that throw. */
class GateLifecycleTest {

  @Test
  void settling_twice_is_refused_and_changes_nothing() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("a", slots(2)).build();
          Permit other = gate.acquire();
          Permit permit = gate.acquire();
          permit.settle(Signal.success());
          assertThatThrownBy(() -> permit.settle(Signal.throttled(SECOND)))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("lane a");
          assertThatThrownBy(permit::abandon).isInstanceOf(IllegalStateException.class);
          permit.close();
          assertThat(gate.statistics().inFlight()).isEqualTo(1);
          assertThat(gate.statistics().totalThrottleEvents()).isZero();
          other.settle(Signal.success());
        });
  }

  @Test
  void a_permit_closed_without_being_settled_counts_as_a_failure() {
    SimulatedTime.run(
        2,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(2))).build();
          gate.acquire().close();
          gate.acquire().close();
          assertThat(gate.statistics().lanes().get(0).circuit()).isEqualTo(CircuitState.OPEN);
          assertThat(gate.statistics().inFlight()).isZero();
        });
  }

  @Test
  void a_permit_may_be_settled_by_another_thread() {
    SimulatedTime.run(
        3,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Permit permit = gate.acquire();
          time.start("other", () -> permit.settle(Signal.success())).join();
          gate.acquire().settle(Signal.success());
        });
  }

  @Test
  void closing_refuses_all_who_wait_and_all_who_come_but_not_what_is_in_flight() {
    SimulatedTime.run(
        4,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Permit inFlight = gate.acquire();
          List<String> log = new ArrayList<>();
          Time.Task waiter = caller(time, gate, Run.unbounded(), log, "w");
          time.sleep(SECOND);
          gate.close();
          gate.close();
          waiter.join();
          assertThat(log).containsExactly("w refused closed@1.0");
          assertThatThrownBy(gate::acquire).hasMessageContaining("closed");
          assertThat(gate.tryAcquire(Run.unbounded())).isNull();
          inFlight.settle(Signal.success());
          assertThat(gate.statistics().inFlight()).isZero();
        });
  }

  @Test
  void draining_waits_for_what_is_in_flight() {
    SimulatedTime.run(
        5,
        time -> {
          Gate gate = on(time).lane("a", slots(2)).build();
          Permit first = gate.acquire();
          Permit second = gate.acquire();
          Time.Task worker =
              time.start(
                  "worker",
                  () -> {
                    GateTest.sleep(time, Duration.ofSeconds(3));
                    first.settle(Signal.success());
                    GateTest.sleep(time, Duration.ofSeconds(3));
                    second.settle(Signal.success());
                  });
          assertThat(gate.drain(Duration.ofSeconds(5))).isFalse();
          assertThat(seconds(time)).isEqualTo(5);
          assertThat(gate.drain(Duration.ofSeconds(5))).isTrue();
          assertThat(seconds(time)).isEqualTo(6);
          assertThat(gate.drain(Duration.ZERO)).isTrue();
          worker.join();
        });
  }

  @Test
  void a_hold_from_elsewhere_is_told_with_its_reason() {
    SimulatedTime.run(
        7,
        time -> {
          List<GateEvent> events = new ArrayList<>();
          Gate gate = on(time).lane("a", slots(2)).listener(events::add).build();
          gate.hold("a", Duration.ofSeconds(5));
          assertThat(events)
              .containsExactly(
                  new GateEvent.Slowed(
                      "a", SlowedBy.HOLD, "held for another 5 s: it was told elsewhere"));
        });
  }

  @Test
  void listeners_are_told_what_happens_and_one_that_throws_disturbs_nothing() {
    SimulatedTime.run(
        6,
        time -> {
          List<GateEvent> events = new ArrayList<>();
          Gate gate =
              on(time)
                  .lane("a", fragile(slots(2)))
                  .listener(
                      event -> {
                        throw new IllegalStateException("a broken listener");
                      })
                  .listener(events::add)
                  .build();
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(5)));
          assertThat(events)
              .containsExactly(
                  new GateEvent.Throttled(
                      "a", Signal.Facet.UNKNOWN, "", java.util.Optional.of(Duration.ofSeconds(5))),
                  new GateEvent.Held("a", Duration.ofSeconds(5), HoldCause.TOLD),
                  new GateEvent.Slowed(
                      "a", SlowedBy.HOLD, "held for another 5 s: the provider said so"));
          events.clear();
          time.sleep(Duration.ofSeconds(5));
          gate.acquire().close();
          gate.acquire().close();
          assertThat(events)
              .satisfiesExactly(
                  event ->
                      assertThat(event).isEqualTo(new GateEvent.Slowed("a", SlowedBy.NOTHING, "")),
                  event ->
                      assertThat(event)
                          .isEqualTo(
                              new GateEvent.Slowed(
                                  "a",
                                  SlowedBy.CIRCUIT,
                                  "the circuit is open for another 10 s: too many permits were"
                                      + " closed unsettled")),
                  event -> assertThat(event).isInstanceOf(GateEvent.CircuitMoved.class));
          assertThatThrownBy(gate::acquire).isInstanceOf(RefusedException.class);
          assertThat(events).last().isInstanceOf(GateEvent.Refused.class);
        });
  }

  @Test
  void a_policy_is_told_of_the_work() {
    SimulatedTime.run(
        7,
        time -> {
          List<String> told = new ArrayList<>();
          Gate gate = on(time).lane("a", LaneOptions.of(now -> new Telling(told))).build();
          Work work = new Work("delete", OptionalLong.of(3));
          gate.acquire(Run.unbounded(), Ask.plain().forWork(work)).settle(Signal.success());
          gate.acquire().abandon();
          assertThat(told)
              .containsExactly("started delete", "settled delete", "started ", "abandoned ");
        });
  }

  /** A policy that writes down what it is told. */
  private record Telling(List<String> told) implements Policy {
    @Override
    public int level(long now) {
      return 1;
    }

    @Override
    public long notBefore(long now) {
      return now;
    }

    @Override
    public void started(Attempt attempt, long now) {
      told.add("started " + attempt.work().operation());
    }

    @Override
    public void settled(Attempt attempt, Signal signal, long now) {
      told.add("settled " + attempt.work().operation());
    }

    @Override
    public void abandoned(Attempt attempt, long now) {
      told.add("abandoned " + attempt.work().operation());
    }
  }
}
