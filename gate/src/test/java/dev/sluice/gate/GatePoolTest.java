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

import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ThrottleTracker;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A gate over many lanes: the connection pool of the documents. */
class GatePoolTest {

  private static Gate threeUsers(Time time) {
    return on(time).lane("app1", slots(1)).lane("app2", slots(1)).lane("app3", slots(1)).build();
  }

  /** Which lanes the next so many requests take, one after the other. */
  private static List<String> lanesUsed(Gate gate, int requests) throws InterruptedException {
    List<String> used = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      try (Permit permit = gate.acquire()) {
        used.add(permit.lane());
        permit.settle(Signal.success());
      }
    }
    return used;
  }

  @Test
  void a_hold_that_was_told_elsewhere_holds_its_lane_and_counts_as_no_throttle() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = threeUsers(time);
          gate.hold("app2", Duration.ofSeconds(10));
          gate.hold("app2", Duration.ofSeconds(5)); // a shorter one changes nothing
          gate.hold("app3", Duration.ZERO);
          assertThat(lanesUsed(gate, 4)).containsExactly("app1", "app3", "app1", "app3");
          assertThat(gate.statistics().totalThrottleEvents()).isZero();
          time.sleep(Duration.ofSeconds(9));
          assertThat(lanesUsed(gate, 4)).doesNotContain("app2");
          time.sleep(Duration.ofSeconds(1));
          assertThat(lanesUsed(gate, 4)).contains("app2");
        });
  }

  @Test
  void requests_route_around_a_throttled_user_and_come_back_to_it_when_its_hold_ends() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = threeUsers(time);
          try (Permit permit = gate.acquire()) {
            assertThat(permit.lane()).isEqualTo("app1");
            permit.settle(Signal.throttled(Duration.ofMinutes(1)));
          }
          assertThat(lanesUsed(gate, 6)).containsOnly("app2", "app3").hasSize(6);
          time.sleep(Duration.ofMinutes(1));
          assertThat(lanesUsed(gate, 3)).contains("app1");
        });
  }

  /** Throttles the next request through a lane, whenever that is. */
  private static void throttle(Gate gate, Time time, String lane) throws InterruptedException {
    while (true) {
      try (Permit permit = gate.acquire()) {
        boolean here = permit.lane().equals(lane);
        permit.settle(here ? Signal.throttled(SECOND) : Signal.success());
        if (here) {
          return;
        }
      }
      time.sleep(Duration.ofMillis(100));
    }
  }

  @Test
  void a_lane_that_is_throttled_right_after_each_wait_is_left_alone_longer_each_time() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = threeUsers(time);
          List<Long> waits = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            long before = time.nanos();
            throttle(gate, time, "app1");
            waits.add(Math.round((time.nanos() - before) / 1e9));
          }
          assertThat(waits).containsExactly(0L, 1L, 2L, 4L, 8L);
          assertThat(gate.statistics().lanes().getFirst().reason())
              .isEqualTo("held for another 1 s: the provider said so");
          time.sleep(SECOND);
          assertThat(gate.statistics().lanes().getFirst().reason())
              .isEqualTo(
                  "left alone for another 15 s while other lanes have room:"
                      + " throttled 5 times in a row");
          time.sleep(Duration.ofSeconds(15)); // it comes back by itself, and one success is enough
          assertThat(lanesUsed(gate, 6)).contains("app1");
          throttle(gate, time, "app1");
          time.sleep(SECOND);
          assertThat(lanesUsed(gate, 6)).contains("app1");
        });
  }

  @Test
  void a_lane_that_is_left_alone_is_used_when_no_other_has_room() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = threeUsers(time);
          for (int i = 0; i < 5; i++) {
            throttle(gate, time, "app1");
          }
          gate.hold("app2", Duration.ofMinutes(1));
          gate.hold("app3", Duration.ofMinutes(1));
          double before = seconds(time);
          assertThat(lanesUsed(gate, 1)).containsExactly("app1");
          assertThat(seconds(time) - before).isEqualTo(1);
        });
  }

  /** A gate whose first lane rests after three throttles in a row; its last told wait is over. */
  private static Gate withRestingLane(Time time, GateBuilder builder) throws InterruptedException {
    Gate gate = builder.build();
    for (int i = 0; i < 3; i++) {
      throttle(gate, time, "app1");
    }
    time.sleep(Duration.ofSeconds(2));
    assertThat(gate.statistics().lanes().getFirst().reason()).startsWith("left alone for another");
    return gate;
  }

  @Test
  void a_lane_that_is_left_alone_is_used_at_once_while_the_slots_of_all_others_are_taken() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = withRestingLane(time, on(time).lane("app1", slots(1)).lane("app2", slots(1)));
          double before = seconds(time);
          Permit first = gate.acquire();
          Permit second = gate.acquire();
          assertThat(List.of(first.lane(), second.lane())).containsExactly("app2", "app1");
          assertThat(seconds(time) - before).isZero();
        });
  }

  @Test
  void a_lane_that_is_left_alone_is_used_at_once_while_all_others_wait_for_their_pace() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate =
              withRestingLane(time, on(time).lane("app1", slots(1)).lane("app2", paced(0.5)));
          double before = seconds(time);
          assertThat(lanesUsed(gate, 3)).containsExactly("app2", "app1", "app1");
          assertThat(seconds(time) - before).isZero();
        });
  }

  @Test
  void a_caller_that_waits_gets_the_lane_that_is_left_alone_when_its_told_wait_ends() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).lane("app2", slots(1)).build();
          for (int i = 0; i < 3; i++) {
            throttle(gate, time, "app1");
          }
          double before = seconds(time);
          assertThat(gate.acquire().lane()).isEqualTo("app2");
          assertThat(gate.acquire().lane()).isEqualTo("app1");
          assertThat(seconds(time) - before).isEqualTo(1);
        });
  }

  @Test
  void a_lane_without_others_is_never_said_to_be_left_alone() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).build();
          for (int i = 0; i < 3; i++) {
            throttle(gate, time, "app1");
          }
          time.sleep(SECOND);
          assertThat(gate.statistics().lanes().getFirst().reason()).isEmpty();
        });
  }

  @Test
  void a_throttled_lanes_slots_are_not_lent_to_another() {
    SimulatedTime.run(
        2,
        time -> {
          Gate gate = threeUsers(time);
          gate.acquire().settle(Signal.throttled(Duration.ofMinutes(1)));
          assertThat(gate.tryAcquire(Run.unbounded())).isNotNull();
          assertThat(gate.tryAcquire(Run.unbounded())).isNotNull();
          assertThat(gate.tryAcquire(Run.unbounded())).isNull();
        });
  }

  @Test
  void if_all_are_throttled_the_one_whose_hold_ends_first_is_waited_for() {
    SimulatedTime.run(
        3,
        time -> {
          Gate gate = threeUsers(time);
          for (int seconds : List.of(30, 10, 20)) {
            gate.acquire().settle(Signal.throttled(Duration.ofSeconds(seconds)));
          }
          try (Permit permit = gate.acquire()) {
            assertThat(permit.lane()).isEqualTo("app2");
            assertThat(seconds(time)).isEqualTo(10);
            permit.settle(Signal.success());
          }
        });
  }

  @Test
  void if_the_shortest_wait_exceeds_the_tolerance_service_protection_is_thrown_at_once() {
    SimulatedTime.run(
        4,
        time -> {
          Gate gate =
              on(time)
                  .lane("app1", slots(1))
                  .lane("app2", slots(1))
                  .options(
                      ConnectionPoolOptions.DEFAULTS.withMaxRetryAfterTolerance(
                          Duration.ofSeconds(30)))
                  .build();
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(60)));
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(31)));
          assertThatThrownBy(gate::acquire)
              .isInstanceOfSatisfying(
                  ServiceProtectionException.class,
                  e -> {
                    assertThat(e.connection()).isEqualTo("app2");
                    assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(31));
                  });
          assertThat(seconds(time)).isZero();
          time.sleep(SECOND);
          gate.acquire().settle(Signal.success());
          assertThat(seconds(time)).isEqualTo(31);
        });
  }

  @Test
  void those_who_wait_already_are_refused_when_the_shortest_wait_grows_beyond_the_tolerance() {
    SimulatedTime.run(
        5,
        time -> {
          Gate gate =
              on(time)
                  .lane("app1", slots(1))
                  .options(
                      ConnectionPoolOptions.DEFAULTS.withMaxRetryAfterTolerance(
                          Duration.ofSeconds(30)))
                  .build();
          Permit taken = gate.acquire();
          List<String> log = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            callers.add(caller(time, gate, Run.unbounded(), log, "c"));
          }
          time.sleep(SECOND);
          taken.settle(Signal.throttled(Duration.ofSeconds(40)));
          joinAll(callers);
          assertThat(log).containsOnly("c refused rate_limited@1.0").hasSize(3);
        });
  }

  @Test
  void after_a_hold_waiters_are_released_at_the_pace_not_all_at_once() {
    SimulatedTime.run(
        6,
        time -> {
          Gate gate = on(time).lane("app1", slots(4)).build();
          try (Permit permit = gate.acquire()) {
            time.sleep(Duration.ofSeconds(2));
            permit.settle(Signal.success());
          }
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(8)));
          List<String> log = new ArrayList<>();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            callers.add(caller(time, gate, Run.unbounded(), log, "c" + i));
          }
          joinAll(callers);
          // Average duration 2 s, level 4: one start every half second.
          assertThat(log)
              .extracting(line -> line.substring(line.indexOf('@') + 1))
              .containsExactly("10.0", "10.5", "11.0", "11.5");
        });
  }

  @Test
  void lanes_come_and_go_while_callers_wait() {
    SimulatedTime.run(
        7,
        time -> {
          Gate gate = on(time).build();
          List<String> log = new ArrayList<>();
          Time.Task waiter = caller(time, gate, Run.unbounded(), log, "w");
          time.sleep(SECOND);
          gate.addLane("app1", slots(1));
          waiter.join();
          assertThat(log).containsExactly("w@1.0");

          Permit inFlight = gate.acquire();
          gate.removeLane("app1");
          assertThat(gate.statistics().totalConnections()).isZero();
          assertThat(gate.statistics().inFlight()).isEqualTo(1);
          inFlight.settle(Signal.throttled(SECOND));
          assertThat(gate.statistics().inFlight()).isZero();
          assertThat(gate.statistics().totalThrottleEvents()).isEqualTo(1);
        });
  }

  @Test
  void a_name_that_was_never_seen_is_refused_with_the_names_there_are() {
    SimulatedTime.run(
        8,
        time -> {
          Gate gate = threeUsers(time);
          assertThatThrownBy(() -> gate.removeLane("app9"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("app9")
              .hasMessageContaining("app1, app2, app3");
          assertThatThrownBy(() -> gate.reopen("app9")).hasMessageContaining("app9");
          assertThatThrownBy(() -> gate.addLane("app1", slots(1))).hasMessageContaining("app1");
          assertThat(gate.throttleTracker().isThrottled("app9")).isFalse();
        });
  }

  @Test
  void statistics_show_connections_throttled_now_and_throttle_events_so_far() {
    SimulatedTime.run(
        9,
        time -> {
          Gate gate = threeUsers(time);
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(10)));
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(20)));
          assertThat(gate.statistics().totalConnections()).isEqualTo(3);
          assertThat(gate.statistics().throttledConnections()).isEqualTo(2);
          assertThat(gate.statistics().totalThrottleEvents()).isEqualTo(2);
          time.sleep(Duration.ofSeconds(10));
          assertThat(gate.statistics().throttledConnections()).isEqualTo(1);
          assertThat(gate.statistics().totalThrottleEvents()).isEqualTo(2);
        });
  }

  @Test
  void the_throttle_tracker_of_a_gate_is_live_in_both_directions() {
    SimulatedTime.run(
        10,
        time -> {
          Gate gate = threeUsers(time);
          ThrottleTracker tracker = gate.throttleTracker();
          tracker.recordThrottle("app1", Duration.ofSeconds(30));
          tracker.recordThrottle("app3", Duration.ofSeconds(60));
          tracker.recordThrottle("app3", Duration.ofSeconds(5));
          assertThat(lanesUsed(gate, 3)).containsOnly("app2");
          assertThat(tracker.throttledConnections()).containsExactlyInAnyOrder("app1", "app3");
          assertThat(tracker.throttledConnectionCount()).isEqualTo(2);
          assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofSeconds(30));
          assertThat(tracker.throttleExpiry("app3"))
              .contains(time.instant().plus(Duration.ofSeconds(60)));
          assertThat(tracker.totalThrottleEvents()).isEqualTo(3);
          time.sleep(Duration.ofSeconds(60));
          assertThat(tracker.throttledConnections()).isEmpty();
          assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ZERO);
        });
  }
}
