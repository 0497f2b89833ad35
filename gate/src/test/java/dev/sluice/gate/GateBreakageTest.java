package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.fail;
import static dev.sluice.gate.Gates.fragile;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.seconds;
import static dev.sluice.gate.Gates.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What broke when it was handled roughly. */
class GateBreakageTest {
  private static final Duration ABSURD = Duration.ofSeconds(Long.MAX_VALUE);

  @Test
  void a_listener_that_waits_at_the_gate_itself_keeps_nobody_else_waiting() {
    SimulatedTime.run(
        1,
        time -> {
          List<Gate> self = new ArrayList<>();
          List<String> log = new ArrayList<>();
          Gate gate =
              on(time)
                  .lane("a", slots(1))
                  .listener(
                      event -> {
                        log.add("told@" + seconds(time));
                        waitAtMost(self.getFirst(), Duration.ofMinutes(1));
                      })
                  .build();
          self.add(gate);
          Permit taken = gate.acquire();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 1; i <= 3; i++) {
            Duration longest = Duration.ofSeconds(i);
            callers.add(
                time.start(
                    "caller" + i,
                    () -> {
                      waitAtMost(gate, longest);
                      log.add("refused@" + seconds(time));
                    }));
          }
          Gates.joinAll(callers);
          assertThat(log)
              .containsExactlyInAnyOrder(
                  "told@1.0", "refused@1.0", "told@2.0", "refused@2.0", "told@3.0", "refused@3.0");
          gate.close();
          taken.settle(Signal.success());
        });
  }

  private static void waitAtMost(Gate gate, Duration longest) {
    try (Permit permit = gate.acquire(Run.unbounded(), Ask.plain().within(longest))) {
      permit.abandon();
    } catch (RefusedException e) {
      // That is what happens here.
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void reopening_a_lane_tells_at_once_that_its_circuit_moved() {
    SimulatedTime.run(
        1,
        time -> {
          List<CircuitState> states = new ArrayList<>();
          Gate gate =
              on(time)
                  .lane("a", fragile(slots(2)))
                  .listener(
                      event -> {
                        if (event instanceof GateEvent.CircuitMoved moved) {
                          states.add(moved.transition().state());
                        }
                      })
                  .build();
          fail(gate, 2);
          gate.reopen("a");
          assertThat(states).containsExactly(CircuitState.OPEN, CircuitState.CLOSED);
        });
  }

  @Test
  void a_policy_that_throws_does_not_free_a_slot_twice() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("a", LaneOptions.of(now -> new Failing())).build();
          assertThatIllegalStateException()
              .isThrownBy(
                  () -> {
                    try (Permit permit = gate.acquire()) {
                      permit.settle(Signal.success());
                    }
                  })
              .withMessage("a bug in a policy");
          assertThat(gate.statistics().inFlight()).isZero();
          assertThat(gate.statistics().lanes().getFirst().inFlight()).isZero();
        });
  }

  private static final class Failing implements Policy {
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
      throw new IllegalStateException("a bug in a policy");
    }

    @Override
    public void abandoned(Attempt attempt, long now) {}
  }

  @Test
  void a_buffer_so_long_that_sums_with_it_overflow_is_refused() {
    assertThat(slots(1).withSkewBuffer(Duration.ofDays(7)).skewBuffer())
        .isEqualTo(Duration.ofDays(7));
    for (Duration buffer : List.of(ABSURD, Duration.ofDays(7).plusNanos(1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> slots(1).withSkewBuffer(buffer))
          .withMessageContaining("skewBuffer is " + buffer);
    }
  }

  @Test
  void an_absurd_duration_of_a_success_delays_nobody_by_years() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("a", slots(2)).build();
          gate.acquire().settle(Signal.success(Duration.ofDays(100 * 365)));
          gate.acquire().settle(Signal.success(ABSURD));
          gate.acquire().settle(Signal.throttled(SECOND));
          gate.acquire(Run.unbounded(), Ask.patient()).settle(Signal.success());
          gate.acquire(Run.unbounded(), Ask.patient()).settle(Signal.success());
          assertThat(seconds(time)).isLessThanOrEqualTo(1 + 1_800);
        });
  }

  @Test
  void a_time_of_ones_own_after_the_deadline_is_refused_on_entry() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Ask later = Ask.plain().notBefore(time.nanos() + Duration.ofMinutes(1).toNanos());
          assertThatExceptionOfType(RefusedException.class)
              .isThrownBy(() -> gate.acquire(Run.unbounded(), later.within(SECOND)))
              .extracting(RefusedException::refusal)
              .isInstanceOf(Refusal.TooLate.class);
          assertThatExceptionOfType(RefusedException.class)
              .isThrownBy(() -> gate.acquire(Run.within("run", RunBudget.ofTime(SECOND)), later))
              .extracting(RefusedException::refusal)
              .isEqualTo(new Refusal.OutOfTime("a", Duration.ofMinutes(1), SECOND));
          assertThat(seconds(time)).isZero();
          gate.acquire(Run.unbounded(), later.within(Duration.ofSeconds(61))).abandon();
          assertThat(seconds(time)).isEqualTo(60);
        });
  }

  @Test
  void a_hold_that_ends_with_the_callers_time_is_not_waited_for_in_vain() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          gate.throttleTracker().recordThrottle("a", SECOND);
          assertThatExceptionOfType(ServiceProtectionException.class)
              .isThrownBy(() -> gate.acquire(Run.unbounded(), Ask.plain().within(SECOND)));
          assertThat(seconds(time)).isZero();
          gate.acquire(Run.unbounded(), Ask.plain().within(SECOND.plusNanos(1))).abandon();
          assertThat(seconds(time)).isEqualTo(1);
          gate.acquire(Run.unbounded(), Ask.plain().within(Duration.ZERO)).abandon();
        });
  }

  @Test
  void a_future_completed_by_its_holder_gives_up_its_turn_at_once() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          try (Permit taken = gate.acquire()) {
            var failed = gate.acquireAsync(Run.unbounded());
            var completed = gate.acquireAsync(Run.unbounded());
            var other = gate.acquireAsync(Run.unbounded());
            failed.completeExceptionally(new TimeoutException("as orTimeout does"));
            completed.complete(taken);
            assertThat(gate.statistics().waiting()).isEqualTo(1);
            other.cancel(true);
            assertThat(gate.statistics().waiting()).isZero();
            taken.settle(Signal.success());
          }
          assertThat(gate.statistics().inFlight()).isZero();
        });
  }

  @Test
  @SuppressWarnings("NullAway") // the point of the test
  void nobody_is_no_listener() {
    @Nullable GateListener nobody = null;
    Gate gate = Gate.over("a", slots(1));
    assertThatNullPointerException().isThrownBy(() -> gate.addListener(nobody));
  }
}
