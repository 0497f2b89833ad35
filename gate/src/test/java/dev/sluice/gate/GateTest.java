package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.caller;
import static dev.sluice.gate.Gates.joinAll;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.paced;
import static dev.sluice.gate.Gates.seconds;
import static dev.sluice.gate.Gates.slots;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waiting at the gate, in simulated time. */
class GateTest {

  @Test
  void a_free_lane_grants_at_once() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("app1", slots(2)).build();
          try (Permit permit = gate.acquire()) {
            assertThat(permit.lane()).isEqualTo("app1");
            assertThat(gate.statistics().inFlight()).isEqualTo(1);
            permit.settle(Signal.success());
          }
          assertThat(gate.statistics().inFlight()).isZero();
        });
  }

  @Test
  void a_gate_says_when_time_alone_lets_it_grant() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          assertThat(gate.readyAt()).isEqualTo(time.nanos());
          Permit permit = requireNonNull(gate.tryAcquire(Run.unbounded()));
          assertThat(gate.readyAt()).as("only an answer frees the slot").isEqualTo(Time.NEVER);
          permit.settle(Signal.throttled(SECOND));
          long held = time.nanos() + SECOND.toNanos();
          assertThat(gate.readyAt()).isEqualTo(held);
          assertThat(gate.tryAcquire(Run.unbounded())).isNull();
          time.sleepUntil(held);
          assertThat(gate.tryAcquire(Run.unbounded())).isNotNull();
          gate.close();
          assertThat(gate.readyAt()).isEqualTo(Time.NEVER);
        });
  }

  @Test
  void a_freed_slot_goes_to_whoever_came_first() {
    SimulatedTime.run(
        2,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          Permit first = gate.acquire();
          List<String> log = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            callers.add(caller(time, gate, Run.unbounded(), log, "c" + i));
            time.sleep(SECOND);
          }
          first.settle(Signal.success());
          joinAll(callers);
          assertThat(log)
              .extracting(line -> line.substring(0, line.indexOf('@')))
              .containsExactlyElementsOf(named(20));
        });
  }

  private static List<String> named(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("c" + i);
    }
    return names;
  }

  @Test
  void a_slot_freed_is_a_slot_refilled_without_waiting_for_the_slowest() {
    SimulatedTime.run(
        3,
        time -> {
          Gate gate = on(time).lane("app1", slots(2)).build();
          Permit slow = gate.acquire();
          int done = 0;
          long start = time.nanos();
          for (int i = 0; i < 10; i++) {
            try (Permit quick = gate.acquire()) {
              time.sleep(SECOND);
              quick.settle(Signal.success());
              done++;
            }
          }
          assertThat(done).isEqualTo(10);
          assertThat(time.nanos() - start).isEqualTo(Duration.ofSeconds(10).toNanos());
          slow.settle(Signal.success());
        });
  }

  @Test
  void waiters_are_released_at_the_pace_and_in_order() {
    SimulatedTime.run(
        4,
        time -> {
          Gate gate = on(time).lane("api", paced(2)).build();
          List<String> log = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            callers.add(caller(time, gate, Run.unbounded(), log, "c" + i));
            time.sleep(Duration.ofMillis(1));
          }
          joinAll(callers);
          assertThat(log).containsExactly("c0@0.0", "c1@0.5", "c2@1.0", "c3@1.5", "c4@2.0");
        });
  }

  @Test
  void hold_and_pace_and_backoff_combine_by_maximum_not_by_sum() {
    SimulatedTime.run(
        5,
        time -> {
          Gate gate = on(time).lane("api", paced(0.1)).build();
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(7)));
          // Pace says 10 s, hold says 7 s, the caller's own back-off says 9 s.
          Permit permit =
              gate.acquire(
                  Run.unbounded(), Ask.plain().notBefore(time.deadline(Duration.ofSeconds(9))));
          assertThat(seconds(time)).isEqualTo(10);
          permit.settle(Signal.success());
        });
  }

  @Test
  void those_who_wait_are_moved_when_a_hold_appears() {
    SimulatedTime.run(
        6,
        time -> {
          Gate gate = on(time).lane("api", paced(1)).build();
          Permit early = gate.acquire();
          List<String> log = new ArrayList<>();
          Time.Task waiter = caller(time, gate, Run.unbounded(), log, "w");
          time.sleep(Duration.ofMillis(500));
          early.settle(Signal.throttled(Duration.ofSeconds(30)));
          waiter.join();
          assertThat(log).containsExactly("w@30.5");
        });
  }

  @Test
  void nothing_is_held_while_waiting_for_a_hold() {
    SimulatedTime.run(
        7,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          gate.acquire().settle(Signal.throttled(Duration.ofMinutes(1)));
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            callers.add(caller(time, gate, Run.unbounded(), new ArrayList<>(), "c" + i));
          }
          time.sleep(SECOND);
          assertThat(gate.statistics().inFlight()).isZero();
          assertThat(gate.statistics().waiting()).isEqualTo(100);
          joinAll(callers);
        });
  }

  @Test
  void waiting_for_a_hold_is_not_waiting_for_a_slot_and_does_not_exhaust_the_pool() {
    SimulatedTime.run(
        8,
        time -> {
          Gate gate =
              on(time)
                  .lane("app1", slots(1))
                  .options(ConnectionPoolOptions.DEFAULTS.withAcquireTimeout(SECOND))
                  .build();
          gate.acquire().settle(Signal.throttled(Duration.ofMinutes(5)));
          Permit permit = gate.acquire();
          assertThat(seconds(time)).isEqualTo(300);
          permit.settle(Signal.success());
        });
  }

  @Test
  void waiting_for_a_slot_longer_than_the_time_out_throws_pool_exhausted() {
    SimulatedTime.run(
        9,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          Permit taken = gate.acquire();
          assertThatThrownBy(gate::acquire)
              .isInstanceOf(PoolExhaustedException.class)
              .hasMessageContaining("2m")
              .hasMessageContaining("acquireTimeout");
          assertThat(seconds(time)).isEqualTo(120);
          assertThat(gate.statistics().waiting()).isZero();
          taken.settle(Signal.success());
          gate.acquire().settle(Signal.success());
        });
  }

  @Test
  void only_the_time_without_a_hold_counts_towards_the_time_out() {
    SimulatedTime.run(
        10,
        time -> {
          Gate gate = on(time).lane("app1", slots(2)).build();
          Permit stays = gate.acquire();
          Permit throttled = gate.acquire();
          throttled.settle(Signal.throttled(Duration.ofSeconds(100)));
          // Held until 100; then one slot is free, and taken here by the first in line.
          Permit second = gate.acquire();
          assertThat(seconds(time)).isEqualTo(100);
          assertThatThrownBy(gate::acquire).isInstanceOf(PoolExhaustedException.class);
          assertThat(seconds(time)).isEqualTo(220);
          second.settle(Signal.success());
          stays.settle(Signal.success());
        });
  }

  @Test
  void a_hold_that_comes_at_the_last_moment_stops_the_time_out_until_it_ends() {
    SimulatedTime.run(
        19,
        time -> {
          Gate gate = on(time).lane("app1", slots(2)).build();
          Permit stays = gate.acquire();
          Permit throttled = gate.acquire();
          List<Double> refusedAt = new ArrayList<>();
          Time.Task waiter =
              time.start(
                  "waiter",
                  () -> {
                    assertThatThrownBy(gate::acquire).isInstanceOf(PoolExhaustedException.class);
                    refusedAt.add(seconds(time));
                  });
          time.sleep(Duration.ofSeconds(119));
          throttled.settle(Signal.throttled(Duration.ofMinutes(5)));
          // At the end of the hold one slot is free again; somebody else is quicker.
          gate.throttleTracker().recordThrottle("app1", Duration.ofMinutes(5));
          time.sleep(Duration.ofSeconds(299));
          gate.removeLane("app1");
          waiter.join();
          assertThat(refusedAt.get(0)).isBetween(419.0, 420.0);
          stays.settle(Signal.success());
        });
  }

  @Test
  void a_patient_caller_waits_for_a_slot_as_long_as_it_takes() {
    SimulatedTime.run(
        11,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          Permit taken = gate.acquire();
          Time.Task holder =
              time.start(
                  "holder",
                  () -> {
                    sleep(time, Duration.ofHours(1));
                    taken.settle(Signal.success());
                  });
          gate.acquire(Run.unbounded(), Ask.patient()).settle(Signal.success());
          assertThat(seconds(time)).isEqualTo(3600);
          holder.join();
        });
  }

  static void sleep(Time time, Duration duration) {
    try {
      time.sleep(duration);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_caller_whose_deadline_lies_before_the_end_of_the_hold_is_refused_on_entry() {
    SimulatedTime.run(
        12,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(30)));
          assertThatThrownBy(
                  () -> gate.acquire(Run.unbounded(), Ask.plain().within(Duration.ofSeconds(29))))
              .isInstanceOfSatisfying(
                  ServiceProtectionException.class,
                  e -> {
                    assertThat(e.connection()).isEqualTo("app1");
                    assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(30));
                    assertThat(e.refusal().wireName()).isEqualTo("rate_limited");
                  });
          assertThat(seconds(time)).isZero();
        });
  }

  @Test
  void a_caller_whose_deadline_lies_before_its_place_in_the_pace_is_refused_on_entry() {
    SimulatedTime.run(
        13,
        time -> {
          Gate gate = on(time).lane("api", paced(0.1)).build();
          gate.acquire().settle(Signal.success());
          assertThatThrownBy(
                  () -> gate.acquire(Run.unbounded(), Ask.plain().within(Duration.ofSeconds(9))))
              .isInstanceOf(RefusedException.class);
          assertThat(seconds(time)).isZero();
        });
  }

  @Test
  void a_hold_that_appears_refuses_those_whose_deadline_lies_before_its_end() {
    SimulatedTime.run(
        14,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          Permit taken = gate.acquire();
          List<Double> refusedAt = new ArrayList<>();
          Time.Task waiter =
              time.start(
                  "waiter",
                  () -> {
                    assertThatThrownBy(
                            () ->
                                gate.acquire(
                                    Run.unbounded(), Ask.plain().within(Duration.ofMinutes(1))))
                        .isInstanceOf(ServiceProtectionException.class);
                    refusedAt.add(seconds(time));
                  });
          time.sleep(SECOND);
          taken.settle(Signal.throttled(Duration.ofSeconds(90)));
          waiter.join();
          assertThat(refusedAt).containsExactly(1.0);
        });
  }

  @Test
  void an_expired_deadline_is_told_as_a_time_out() {
    SimulatedTime.run(
        15,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          Permit taken = gate.acquire();
          assertThatThrownBy(() -> gate.acquire(Run.unbounded(), Ask.plain().within(SECOND)))
              .isInstanceOf(PoolExhaustedException.class);
          assertThat(seconds(time)).isEqualTo(1);
          taken.settle(Signal.success());
        });
  }

  @Test
  void steady_work_goes_before_background_work_which_gets_every_tenth_permit() {
    SimulatedTime.run(
        16,
        time -> {
          Gate gate = on(time).lane("api", paced(1)).build();
          Run background = Run.unbounded().withPriority(Priority.BACKGROUND);
          gate.acquire().settle(Signal.success());
          List<String> log = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            callers.add(caller(time, gate, background, log, "background"));
          }
          for (int i = 0; i < 30; i++) {
            callers.add(caller(time, gate, Run.unbounded(), log, "steady"));
          }
          joinAll(callers);
          List<Integer> backgroundPlaces = new ArrayList<>();
          for (int i = 0; i < log.size(); i++) {
            if (log.get(i).startsWith("background")) {
              backgroundPlaces.add(i + 1);
            }
          }
          assertThat(backgroundPlaces).containsExactly(10, 20, 30);
        });
  }

  @Test
  void an_interrupted_caller_leaves_nothing_behind() {
    SimulatedTime.run(
        17,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          Permit taken = gate.acquire();
          List<String> log = new ArrayList<>();
          Time.Task waiter = caller(time, gate, Run.unbounded(), log, "w");
          time.sleep(SECOND);
          waiter.interrupt();
          waiter.join();
          assertThat(log).containsExactly("w interrupted");
          assertThat(gate.statistics().waiting()).isZero();
          taken.settle(Signal.success());
          gate.acquire().settle(Signal.success());
        });
  }

  @Test
  void a_permit_granted_while_its_caller_is_interrupted_is_handed_back() {
    // The seed decides which comes first: the interrupt or the grant. No order loses the slot.
    for (long seed = 0; seed < 50; seed++) {
      SimulatedTime.run(
          seed,
          time -> {
            Gate gate = on(time).lane("app1", slots(1)).build();
            RunBudget budget = RunBudget.ofRequests(10);
            Run run = Run.within("run", budget);
            Permit taken = gate.acquire();
            Time.Task waiter = caller(time, gate, run, new ArrayList<>(), "w");
            time.sleep(SECOND);
            Time.Task settler = time.start("settler", () -> taken.settle(Signal.success()));
            Time.Task interrupter = time.start("interrupter", waiter::interrupt);
            joinAll(List.of(waiter, settler, interrupter));
            assertThat(gate.statistics().inFlight()).isZero();
            gate.acquire(run, Ask.plain().within(SECOND)).settle(Signal.success());
          });
    }
  }

  @Test
  void try_acquire_never_waits_and_never_overtakes() {
    SimulatedTime.run(
        18,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          Permit taken = requireNonNull(gate.tryAcquire(Run.unbounded()), "a free lane grants");
          assertThat(gate.tryAcquire(Run.unbounded())).isNull();
          Time.Task waiter = caller(time, gate, Run.unbounded(), new ArrayList<>(), "w");
          time.sleep(SECOND);
          assertThat(gate.tryAcquire(Run.unbounded())).isNull();
          taken.settle(Signal.success());
          waiter.join();
        });
  }
}
