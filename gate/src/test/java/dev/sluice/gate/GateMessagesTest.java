package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.fail;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.retry.RetryBudget;
import dev.sluice.control.retry.RetryOptions;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What people read when a gate says no: what happened, to what, and what they can do. */
class GateMessagesTest {
  private static final Run RUN = Run.unbounded();

  private static Call<String, RuntimeException> answering(Signal signal) {
    return permit -> new Call.Reply<>("answer", signal);
  }

  @Test
  void a_plain_throttle_is_told_without_the_words_of_one_service() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("billing", slots(1)).build();
          CallOptions once = CallOptions.DEFAULTS.withRetries(new RetryOptions(0, 1, false));
          assertThatThrownBy(() -> gate.call(RUN, once, answering(Signal.throttled(SECOND))))
              .hasMessage(
                  "connection billing is throttled after 1 attempt; try again in 1s, add lanes, or"
                      + " allow for more waits (maxThrottleRetries)");
        });
  }

  @Test
  void a_code_that_means_nothing_here_is_told_without_a_facet() {
    assertThat(
            new ServiceProtectionException(new Refusal.GivenUp("a"), "a", 0x1234, SECOND, 2)
                .getMessage())
        .startsWith("connection a is throttled (code 0x00001234) after 2 attempts;");
  }

  @Test
  void a_hold_that_is_too_long_names_the_option_that_says_so() {
    SimulatedTime.run(
        2,
        time -> {
          Gate gate =
              on(time)
                  .lane("a", slots(1))
                  .options(
                      ConnectionPoolOptions.DEFAULTS.withMaxRetryAfterTolerance(
                          Duration.ofSeconds(30)))
                  .build();
          Signal throttle = Signal.throttled(Duration.ofMinutes(5));
          assertThatThrownBy(() -> gate.call(RUN, answering(throttle)))
              .hasMessage(
                  "connection a is throttled after 1 attempt; lane a, the first to be free, is held"
                      + " back for another 5m, longer than the 30s of the gate's"
                      + " maxRetryAfterTolerance; come back then, add lanes, or allow for longer"
                      + " waits");
          assertThatThrownBy(gate::acquire)
              .hasMessageContaining("longer than the 30s of the gate's maxRetryAfterTolerance;");
          Run hasty = RUN.withLongestHold(Duration.ofSeconds(20));
          assertThatThrownBy(() -> gate.acquire(hasty))
              .hasMessageContaining("longer than the 20s of the run's longestHold;");
          Run patient = RUN.withLongestHold(Duration.ofHours(1));
          assertThatThrownBy(() -> gate.acquire(patient))
              .hasMessageContaining("longer than the 30s of the gate's maxRetryAfterTolerance;");

          Gate tolerant = on(time).lane("a", slots(1)).build();
          tolerant.acquire().settle(throttle);
          assertThatThrownBy(() -> tolerant.acquire(RUN, Ask.plain().within(SECOND)))
              .hasMessageContaining("longer than the 1s that are left of the caller's time-out");
        });
  }

  @Test
  void a_pool_without_slots_says_how_many_permits_are_out_and_that_some_may_be_forgotten() {
    SimulatedTime.run(
        3,
        time -> {
          Gate gate = on(time).lane("a", slots(2)).build();
          List<Permit> forgotten = List.of(gate.acquire(), gate.acquire());
          assertThatThrownBy(gate::acquire)
              .isInstanceOf(PoolExhaustedException.class)
              .hasMessage(
                  "no permit within 2m on 1 lane (2 at once: all of these are in flight, and the next"
                      + " request waits for an answer); 2 permits are out: if some were forgotten,"
                      + " settle or close each; if not, send less at once, add lanes or raise"
                      + " acquireTimeout");
          forgotten.forEach(Permit::close);
        });
    assertThat(new Refusal.TimedOut(SECOND, 3, 1, "").message())
        .isEqualTo(
            "no permit within 1s on 3 lanes; 1 permit is out: if it was forgotten, settle or close"
                + " it; if not, send less at once, add lanes or raise acquireTimeout");
    assertThat(new Refusal.TimedOut(SECOND, 3, 0, "4/s: busy").message())
        .isEqualTo(
            "no permit within 1s on 3 lanes (4/s: busy); send less at once, add lanes or raise"
                + " acquireTimeout");
  }

  @Test
  void a_circuit_opened_by_permits_that_nobody_settled_says_so() {
    SimulatedTime.run(
        4,
        time -> {
          Gate gate = on(time).lane("a", slots(10)).build();
          for (int i = 0; i < 8; i++) {
            gate.acquire().close();
          }
          assertThatThrownBy(gate::acquire)
              .hasMessage(
                  "the circuit of lane a is open after too many permits closed without being"
                      + " settled (by code that forgot to, or by calls that threw); it is tried"
                      + " again in 1m");
          gate.reopen("a");
          fail(gate, 8);
          assertThatThrownBy(gate::acquire)
              .hasMessageContaining("too many failures (errors of the service, or no answer);");
        });
  }

  @Test
  void what_a_run_has_used_up_names_the_run() {
    SimulatedTime.run(
        5,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Run capped = Run.within("nightly", RunBudget.of(OptionalLong.of(1), Optional.empty()));
          gate.acquire(capped).settle(Signal.success());
          String spent =
              "run nightly has used up its request cap; what is left can be resumed by another run";
          assertThatThrownBy(() -> gate.acquire(capped)).hasMessage(spent);
          assertThatThrownBy(() -> gate.acquireAsync(capped).join()).hasMessageContaining(spent);

          RetryBudget empty = RetryBudget.forRequestCap(OptionalLong.of(1));
          while (empty.tryWithdraw()) {}
          Run poor = Run.within("", RunBudget.unbounded()).withRetryBudget(empty);
          assertThatThrownBy(() -> gate.call(poor, answering(Signal.throttled(SECOND))))
              .hasMessageStartingWith("the run has nothing left in its retry budget;");
        });
  }

  @Test
  void a_promised_permit_that_is_refused_later_names_the_run() {
    SimulatedTime.run(
        6,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Permit taken = gate.acquire();
          Run brief = Run.within("brief", RunBudget.of(OptionalLong.empty(), Optional.of(SECOND)));
          var late = gate.acquireAsync(brief);
          time.sleep(Duration.ofSeconds(2));
          assertThatThrownBy(late::join)
              .hasMessageContaining("run brief has used up its wall clock");
          taken.settle(Signal.success());
        });
  }

  @Test
  void a_wall_clock_that_ends_before_the_next_turn_is_not_said_to_be_used_up() {
    SimulatedTime.run(
        7,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Run brief = Run.within("brief", RunBudget.of(OptionalLong.empty(), Optional.of(SECOND)));
          Ask later = Ask.plain().notBefore(time.nanos() + Duration.ofSeconds(90).toNanos());
          assertThatThrownBy(() -> gate.acquire(brief, later))
              .hasMessageStartingWith(
                  "the next request may start on lane a in 1m30s, but the run may last for 1s more;")
              .hasMessageEndingWith("by another run, then or with more time");
        });
  }

  @Test
  @SuppressWarnings("NullAway") // callers need not be checked for null
  void what_is_missing_is_named() throws InterruptedException {
    Gate gate = Gate.over("a", LaneOptions.fixed(4));
    assertNames("name", () -> Gate.over(null, LaneOptions.fixed(1)));
    assertNames("options", () -> Gate.over("a", null));
    assertNames("name", () -> Gate.builder().lane(null, LaneOptions.fixed(1)));
    assertNames("name", () -> gate.addLane(null, LaneOptions.fixed(1)));
    assertNames("options", () -> gate.addLane("b", null));
    assertNames("run", () -> gate.acquire(null));
    assertNames("ask", () -> gate.acquire(RUN, null));
    assertNames("run", () -> gate.acquireAsync(null));
    assertNames("run", () -> gate.tryAcquire(null));
    assertNames("run", () -> gate.call(null, answering(Signal.success())));
    assertNames("options", () -> gate.call(RUN, null, answering(Signal.success())));
    assertNames("the call's reply", () -> gate.call(RUN, permit -> null));
    assertNames("signal", () -> gate.acquire().settle(null));
    assertNames("connection", () -> gate.throttleTracker().isThrottled(null));
  }

  private static void assertNames(String parameter, ThrowingCallable code) {
    assertThatThrownBy(code).isInstanceOf(NullPointerException.class).hasMessage(parameter);
  }
}
