package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.fail;
import static dev.sluice.gate.Gates.fragile;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.paced;
import static dev.sluice.gate.Gates.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaPolicy;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Whatever makes a lane slower than it could be is said in one sentence by the statistics. */
class GateReasonTest {
  private static final Signal TOLD = Signal.throttled(Duration.ofSeconds(30));

  private interface Walk {
    /** Leads a gate to where its first lane is slower than it could be. */
    Gate walk(Time time) throws InterruptedException;
  }

  /** The reason is a regular expression. */
  private record Step(Walk walk, String reason) {}

  private static Gate after(Time time, LaneOptions options, Signal signal)
      throws InterruptedException {
    Gate gate = on(time).lane("app1", options).build();
    gate.acquire().settle(signal);
    return gate;
  }

  private static Gate failed(Time time) throws InterruptedException {
    Gate gate = on(time).lane("app1", fragile(slots(2))).build();
    fail(gate, 2);
    return gate;
  }

  private static Gate taken(Gate gate, int permits) throws InterruptedException {
    for (int i = 0; i < permits; i++) {
      Permit unused = gate.acquire();
    }
    return gate;
  }

  private static LaneOptions dataverse() {
    return LaneOptions.dataverse(
        AdaptiveRateOptions.DEFAULTS,
        ResilienceOptions.DEFAULTS,
        ConnectionPoolOptions.DEFAULTS,
        2);
  }

  /** Five requests in ten seconds, on one server. */
  private static LaneOptions quota() {
    QuotaOptions few =
        new QuotaOptions(5, Duration.ofMinutes(1), Duration.ofSeconds(10), 52, OptionalInt.of(1));
    return LaneOptions.of(now -> new QuotaPolicy(few, Observed.recommending(8), now));
  }

  private static Gate quotaSpent(Time time) throws InterruptedException {
    Gate gate = on(time).lane("app1", quota()).build();
    for (Permit permit = gate.acquire(); permit != null; ) {
      permit.settle(Signal.success());
      permit = gate.tryAcquire(Run.unbounded());
    }
    return gate;
  }

  private static Gate resting(Time time) throws InterruptedException {
    Gate gate = on(time).lane("app1", slots(1)).lane("app2", slots(1)).build();
    for (int throttles = 0; throttles < 3; time.sleep(SECOND)) {
      Permit permit = gate.acquire();
      boolean here = permit.lane().equals("app1");
      permit.settle(here ? Signal.throttled(SECOND) : Signal.success());
      throttles += here ? 1 : 0;
    }
    return gate;
  }

  private static Map<String, Step> steps() {
    Map<String, Step> steps = new LinkedHashMap<>();
    steps.put(
        "a told wait",
        new Step(
            time -> after(time, slots(1), TOLD), "held for another 30 s: the provider said so"));
    steps.put(
        "a default hold",
        new Step(
            time -> after(time, dataverse(), Signal.throttled()),
            "held for another 30 s: the provider refused and did not say for how long"));
    steps.put(
        "single probes",
        new Step(
            time -> after(time, slots(1), Signal.throttled()),
            "held for another 1 s: the provider refused and did not say for how long; then one"
                + " request is tried"));
    steps.put(
        "a hold of another process",
        new Step(
            time -> {
              Gate gate = on(time).lane("app1", slots(1)).build();
              gate.hold("app1", Duration.ofSeconds(5));
              return gate;
            },
            "held for another 5 s: it was told elsewhere"));
    steps.put(
        "the pace",
        new Step(
            time -> after(time, paced(0.2), Signal.success()),
            "12/min: that is the declared rate"));
    steps.put(
        "all slots taken",
        new Step(
            time -> taken(on(time).lane("app1", slots(4)).build(), 4),
            "4 at once: all of these are in flight, and the next request waits for an answer"));
    steps.put(
        "one slot, taken",
        new Step(
            time -> taken(on(time).lane("app1", slots(1)).build(), 1),
            "1 request at a time: the next one waits for its answer"));
    steps.put(
        "requests after a hold start one after another",
        new Step(
            time -> {
              Gate gate = after(time, slots(4), TOLD);
              time.sleep(Duration.ofSeconds(30));
              return taken(gate, 1);
            },
            "the next request is sent in 250 ms: after a wait they start one after another"));
    steps.put(
        "an open circuit",
        new Step(
            GateReasonTest::failed, "the circuit is open for another 10 s: too many calls failed"));
    steps.put(
        "a half-open circuit",
        new Step(
            time -> {
              Gate gate = failed(time);
              time.sleep(Duration.ofSeconds(10));
              return gate;
            },
            "one request at a time finds out whether it works again: too many calls failed"));
    steps.put(
        "a policy that learns",
        new Step(
            time -> on(time).lane("app1", LaneOptions.learning()).build(),
            "4/s and 1 at once: the limit is not known yet; it rises while requests succeed"));
    steps.put(
        "a rest after repeated throttles",
        new Step(
            GateReasonTest::resting,
            "left alone for another 3 s while other lanes have room: throttled 3 times in a row"));
    steps.put(
        "a quota that is spent by the books",
        new Step(
            GateReasonTest::quotaSpent,
            "waits 1[01] s, because 5 of 5 requests were spent in the last 10 s"));
    for (Signal.Stopped.Reason reason : Signal.Stopped.Reason.values()) {
      steps.put(
          "stopped: " + reason,
          new Step(
              time -> after(time, slots(1), Signal.stopped(reason)),
              "stopped until somebody reopens it: the "
                  + switch (reason) {
                    case SUSPENDED -> "account is suspended";
                    case QUOTA_SPENT -> "quota is spent";
                    case AUTH_FAILURE -> "credentials were refused";
                  }));
    }
    return steps;
  }

  @Test
  void every_reason_that_makes_a_lane_slower_is_told_in_one_sentence() {
    SoftAssertions softly = new SoftAssertions();
    steps()
        .forEach(
            (what, step) ->
                SimulatedTime.run(
                    1,
                    time -> {
                      Gate gate = step.walk.walk(time);
                      softly
                          .assertThat(gate.statistics().lanes().getFirst().reason())
                          .as(what)
                          .matches(step.reason)
                          .hasSizeLessThan(120);
                    }));
    softly.assertAll();
  }

  @Test
  void a_lane_that_nothing_slows_down_has_no_reason() {
    SimulatedTime.run(
        1,
        time -> {
          PoolStatistics idle = after(time, slots(1), Signal.success()).statistics();
          assertThat(idle.lanes().getFirst().reason()).isEmpty();
          assertThat(idle.reason()).isEmpty();
        });
  }

  @Test
  void callers_that_wait_for_a_budget_are_told_whose_it_is_and_that_it_is_spent() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = quotaSpent(time);
          assertThat(gate.statistics().reason()).as("nobody waits").isEmpty();
          CompletableFuture<Permit> later = gate.acquireAsync(Run.unbounded());
          time.sleep(Duration.ofSeconds(4));
          assertThat(gate.statistics().reason())
              .matches("app1: waits [67] s, because 5 of 5 requests were spent in the last 10 s");
          assertThat(gate.heldTime()).as("by its own books, no hold").isZero();
          time.sleep(Duration.ofSeconds(8));
          assertThat(later).isCompleted();
          assertThat(gate.statistics().reason()).isEmpty();
        });
  }

  @Test
  void callers_that_wait_for_a_hold_are_told_whose_ends_first() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("app1", slots(1)).lane("app2", slots(1)).build();
          gate.hold("app1", Duration.ofSeconds(30));
          assertThat(gate.heldTime()).as("one lane is free").isZero();
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(5)));
          CompletableFuture<Permit> later = gate.acquireAsync(Run.unbounded());
          assertThat(gate.statistics().reason())
              .isEqualTo("app2: held for another 5 s: the provider said so");
          time.sleep(Duration.ofSeconds(8));
          assertThat(later).isCompleted();
          assertThat(gate.heldTime()).isEqualTo(Duration.ofSeconds(5));
        });
  }

  @Test
  void a_wait_that_an_error_tells_one_call_is_said_by_the_statistics() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("app1", slots(2)).build();
          AtomicInteger sent = new AtomicInteger();
          CompletableFuture<String> call =
              gate.callAsync(
                  Run.unbounded(),
                  CallOptions.DEFAULTS.repeatable(),
                  permit -> new Call.Reply<>("", answer(sent.getAndIncrement() == 0 ? 500 : 200)));
          time.sleep(Duration.ofSeconds(10));
          assertThat(gate.statistics().reason()).isEqualTo("1 call waits 20 s before it may start");
          assertThat(gate.statistics().lanes().getFirst().reason()).as("the lane").isEmpty();
          CompletableFuture<Permit> later =
              gate.acquireAsync(Run.unbounded(), Ask.plain().notBefore(time.nanos() + 1));
          assertThat(gate.statistics().reason())
              .isEqualTo("2 calls wait before they may start, the first one for 1 ms");
          time.sleep(Duration.ofSeconds(30));
          assertThat(gate.statistics().reason()).isEmpty();
          assertThat(call).isCompleted();
          assertThat(later).isCompleted();
        });
  }

  private static Signal answer(int status) {
    Map<String, List<String>> headers =
        status == 500 ? Map.of("Retry-After", List.of("30")) : Map.of();
    return Signals.builder().build().read(Answer.of(status, headers, Instant.EPOCH)).signal();
  }
}
