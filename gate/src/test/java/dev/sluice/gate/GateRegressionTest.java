package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.caller;
import static dev.sluice.gate.Gates.fail;
import static dev.sluice.gate.Gates.fragile;
import static dev.sluice.gate.Gates.joinAll;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.paced;
import static dev.sluice.gate.Gates.seconds;
import static dev.sluice.gate.Gates.slots;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What once went wrong, each named after what broke. */
class GateRegressionTest {

  @Test
  void a_lane_that_stops_leaves_those_who_wait_to_the_others_holds_and_their_tolerance() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate =
              on(time)
                  .lane("a", slots(1))
                  .lane("b", slots(1))
                  .options(
                      ConnectionPoolOptions.DEFAULTS.withMaxRetryAfterTolerance(
                          Duration.ofSeconds(30)))
                  .build();
          Permit first = gate.acquire();
          Permit second = gate.acquire();
          first.settle(Signal.throttled(Duration.ofMinutes(5)));
          List<String> log = new ArrayList<>();
          Time.Task waiter = caller(time, gate, Run.unbounded(), log, "w");
          time.sleep(SECOND);
          second.settle(Signal.stopped(Signal.Stopped.Reason.SUSPENDED));
          waiter.join();
          assertThat(log).containsExactly("w refused rate_limited@1.0");
        });
  }

  @Test
  void a_caller_that_waits_for_a_time_of_its_own_blocks_nobody() {
    SimulatedTime.run(
        2,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Time.Task backingOff =
              time.start(
                  "backing off",
                  () -> {
                    try {
                      gate.acquire(
                              Run.unbounded(),
                              Ask.plain().notBefore(time.deadline(Duration.ofMinutes(1))))
                          .settle(Signal.success());
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  });
          time.sleep(SECOND);
          requireNonNull(gate.tryAcquire(Run.unbounded()), "nobody stands in line").abandon();
          assertThat(gate.acquireAsync(Run.unbounded())).isCompleted();
          gate.acquireAsync(Run.unbounded()).cancel(true);
          gate.removeLane("a");
          gate.addLane("b", slots(1));
          backingOff.join();
          assertThat(seconds(time)).isEqualTo(60);
        });
  }

  @Test
  void a_caller_in_back_off_fails_at_once_when_the_circuit_opens() {
    SimulatedTime.run(
        3,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(2))).build();
          List<String> log = new ArrayList<>();
          Time.Task backingOff =
              time.start(
                  "backing off",
                  () -> {
                    try {
                      gate.acquire(
                          Run.unbounded(),
                          Ask.plain().notBefore(time.deadline(Duration.ofSeconds(5))));
                    } catch (RefusedException | InterruptedException e) {
                      log.add("refused@" + seconds(time));
                    }
                  });
          time.sleep(SECOND);
          fail(gate, 2);
          backingOff.join();
          assertThat(log).containsExactly("refused@1.0");
        });
  }

  @Test
  void a_listener_that_throws_an_error_does_not_stop_the_gate() {
    SimulatedTime.run(
        4,
        time -> {
          Gate gate =
              on(time)
                  .lane("a", fragile(paced(1)))
                  .listener(
                      event -> {
                        throw new AssertionError("a broken listener");
                      })
                  .build();
          List<String> log = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            callers.add(caller(time, gate, Run.unbounded(), log, "c"));
          }
          callers.add(
              caller(time, gate, Run.unbounded().withLongestHold(Duration.ZERO), log, "impatient"));
          joinAll(callers);
          gate.acquire().settle(Signal.throttled(SECOND));
          gate.acquire().settle(Signal.success());
          assertThat(log).hasSize(4);
        });
  }

  @Test
  void every_move_of_a_circuit_is_told_in_order_whoever_makes_it() {
    SimulatedTime.run(
        5,
        time -> {
          List<CircuitState> states = new ArrayList<>();
          Gate gate =
              on(time)
                  .lane("a", fragile(slots(2)))
                  .listener(
                      event -> {
                        if (event instanceof GateEvent.CircuitMoved moved) {
                          states.add(moved.transition().previous());
                          states.add(moved.transition().state());
                        }
                      })
                  .build();
          fail(gate, 2);
          time.sleep(Duration.ofSeconds(10));
          Permit probe = requireNonNull(gate.tryAcquire(Run.unbounded()), "a probe is due");
          probe.settle(Signal.success());
          fail(gate, 2);
          gate.reopen("a");
          assertThat(states)
              .containsExactly(
                  CircuitState.CLOSED,
                  CircuitState.OPEN,
                  CircuitState.OPEN,
                  CircuitState.HALF_OPEN,
                  CircuitState.HALF_OPEN,
                  CircuitState.CLOSED,
                  CircuitState.CLOSED,
                  CircuitState.OPEN,
                  CircuitState.OPEN,
                  CircuitState.CLOSED);
        });
  }

  @Test
  void a_strategy_of_ones_own_chooses() {
    SimulatedTime.run(
        7,
        time -> {
          Gate gate =
              on(time)
                  .lane("a", slots(1))
                  .lane("b", slots(1))
                  .strategy(() -> (lanes, now) -> lanes.ready(1) ? 1 : -1)
                  .build();
          assertThat(gate.acquire().lane()).isEqualTo("b");
          assertThat(gate.tryAcquire(Run.unbounded())).isNull();
        });
  }

  @Test
  void patience_counts_from_when_an_open_circuit_is_tried_again_though_another_lane_is_held() {
    SimulatedTime.run(
        9,
        time -> {
          Gate gate =
              on(time)
                  .lane("a", slots(1))
                  .lane("b", fragile(slots(2)))
                  .options(ConnectionPoolOptions.DEFAULTS.withAcquireTimeout(SECOND))
                  .build();
          Permit a = requireNonNull(gate.tryAcquire(Run.unbounded()));
          fail(gate, 2); // both on b, which opens until 10 s
          a.settle(Signal.throttled(Duration.ofSeconds(100)));
          List<String> log = new ArrayList<>();
          Permit probe = gate.acquire(); // stays out
          assertThat(probe.lane()).isEqualTo("b");
          assertThat(seconds(time)).isEqualTo(10);
          caller(time, gate, Run.unbounded(), log, "late").join();
          assertThat(log).containsExactly("late refused acquire_timeout@11.0");
        });
  }

  @Test
  void a_policy_that_throws_neither_loses_the_hold_nor_keeps_those_who_wait() {
    SimulatedTime.run(
        10,
        time -> {
          Gate gate = on(time).lane("a", LaneOptions.of(now -> new Broken())).build();
          Permit permit = gate.acquire();
          List<String> log = new ArrayList<>();
          Time.Task waiter = caller(time, gate, Run.unbounded(), log, "w");
          time.sleep(SECOND);
          assertThatThrownBy(() -> permit.settle(Signal.throttled(Duration.ofSeconds(5))))
              .hasMessage("broken");
          waiter.join();
          assertThat(log).containsExactly("w@6.0");
        });
  }

  /** One at a time, and throws at every throttle. */
  private static final class Broken implements Policy {
    @Override
    public int level(long now) {
      return 1;
    }

    @Override
    public long notBefore(long now) {
      return now;
    }

    @Override
    public void started(Attempt attempt, long now) {}

    @Override
    public void settled(Attempt attempt, Signal signal, long now) {
      if (signal instanceof Signal.Throttled) {
        throw new IllegalStateException("broken");
      }
    }

    @Override
    public void abandoned(Attempt attempt, long now) {}
  }

  @Test
  void a_pace_beyond_the_callers_deadline_is_told_as_what_it_is() {
    SimulatedTime.run(
        8,
        time -> {
          Gate gate = on(time).lane("api", paced(0.1)).build();
          gate.acquire().settle(Signal.success());
          assertThatThrownBy(() -> gate.acquire(Run.unbounded(), Ask.plain().within(SECOND)))
              .isInstanceOf(RefusedException.class)
              .hasMessage(
                  "the next request could start on lane api in 10s, but the caller waits for 1s"
                      + " at most");
        });
  }

  @Test
  void one_lanes_pace_and_hold_delay_no_other() {
    SimulatedTime.run(
        6,
        time -> {
          Gate slow = on(time).lane("slow", paced(0.01)).build();
          Gate quick = on(time).lane("quick", paced(10)).build();
          slow.acquire().settle(Signal.throttled(Duration.ofHours(1)));
          List<String> log = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          callers.add(caller(time, slow, Run.unbounded(), log, "slow"));
          for (int i = 0; i < 5; i++) {
            callers.add(caller(time, quick, Run.unbounded(), log, "quick"));
          }
          joinAll(callers);
          assertThat(log)
              .containsExactly(
                  "quick@0.0", "quick@0.1", "quick@0.2", "quick@0.3", "quick@0.4", "slow@3600.0");
        });
  }

  @Test
  void planned_and_pressure_refusals_are_disjoint_in_type_and_in_name() {
    List<Refusal> planned = new ArrayList<>(List.of(Refusal.Budget.values()));
    planned.add(new Refusal.OutOfTime("a", SECOND, SECOND));
    List<Refusal> pressure =
        List.of(
            new Refusal.Held("a", SECOND, SECOND, Refusal.Held.Bound.TOLERANCE),
            new Refusal.GivenUp("a"),
            new Refusal.CircuitOpen(
                "a", SECOND, dev.sluice.control.circuit.CircuitTransition.Reason.THROTTLES));
    assertThat(planned).allMatch(refusal -> refusal instanceof Refusal.Planned);
    assertThat(planned).noneMatch(refusal -> refusal instanceof Refusal.Pressure);
    assertThat(pressure).allMatch(refusal -> refusal instanceof Refusal.Pressure);
    assertThat(pressure).noneMatch(refusal -> refusal instanceof Refusal.Planned);
    assertThat(planned)
        .extracting(Refusal::wireName)
        .doesNotContainAnyElementsOf(pressure.stream().map(Refusal::wireName).toList())
        .containsExactly("request_cap", "wall_clock", "retry_budget", "wall_clock");
  }
}
