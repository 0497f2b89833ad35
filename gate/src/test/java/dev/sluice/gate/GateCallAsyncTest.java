package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.seconds;
import static dev.sluice.gate.Gates.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole call that does not block its caller: no permit is ever in anybody's hands. */
@Timeout(60)
class GateCallAsyncTest {
  private static final Run RUN = Run.unbounded();

  /** A call that takes ten seconds of simulated time. */
  private static Call<String, IOException> slow(Time time, AtomicInteger sent) {
    return permit -> {
      sent.incrementAndGet();
      time.sleep(Duration.ofSeconds(10));
      return new Call.Reply<>("done", Signal.success());
    };
  }

  private static void assertNothingIsLeft(Gate gate) throws InterruptedException {
    assertThat(gate.statistics().inFlight()).as("permits out").isZero();
    assertThat(gate.statistics().waiting()).as("callers that wait").isZero();
  }

  @Test
  void it_promises_what_the_call_returns_retries_included() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          List<String> log = new ArrayList<>();
          AtomicInteger attempts = new AtomicInteger();
          var unused =
              gate.callAsync(
                      RUN,
                      CallOptions.DEFAULTS,
                      permit ->
                          attempts.incrementAndGet() == 1
                              ? new Call.Reply<>("throttled", Signal.throttled(SECOND))
                              : new Call.Reply<>("done", Signal.success()))
                  .thenAccept(value -> log.add(value + "@" + seconds(time)));
          assertThat(log).isEmpty();
          time.sleep(Duration.ofSeconds(2));
          assertThat(log).containsExactly("done@1.0");
          assertNothingIsLeft(gate);
        });
  }

  @Test
  void what_the_call_throws_and_what_the_gate_refuses_complete_the_future() {
    SimulatedTime.run(
        2,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          CompletableFuture<String> failing =
              gate.callAsync(
                  RUN,
                  CallOptions.DEFAULTS,
                  permit -> {
                    throw new IOException("reset");
                  });
          time.sleep(SECOND);
          assertThatThrownBy(failing::join)
              .hasCauseInstanceOf(IOException.class)
              .hasMessageContaining("reset");
          gate.close();
          CompletableFuture<String> late =
              gate.callAsync(RUN, CallOptions.DEFAULTS, slow(time, new AtomicInteger()));
          time.sleep(SECOND);
          assertThatThrownBy(late::join).hasCauseInstanceOf(RefusedException.class);
        });
  }

  @Test
  void cancelled_while_it_waits_it_gives_up_its_turn_and_sends_nothing() {
    SimulatedTime.run(
        3,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Permit taken = gate.acquire();
          AtomicInteger sent = new AtomicInteger();
          CompletableFuture<String> call =
              gate.callAsync(RUN, CallOptions.DEFAULTS, slow(time, sent));
          time.sleep(SECOND);
          assertThat(gate.statistics().waiting()).isEqualTo(1);
          assertThat(call.cancel(true)).isTrue();
          time.sleep(SECOND);
          taken.settle(Signal.success());
          assertNothingIsLeft(gate);
          assertThat(sent).hasValue(0);
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void given_up_while_its_request_is_out_it_settles_its_permit(boolean cancelled) {
    SimulatedTime.run(
        4,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          AtomicInteger sent = new AtomicInteger();
          CompletableFuture<String> call =
              gate.callAsync(RUN, CallOptions.DEFAULTS, slow(time, sent));
          time.sleep(SECOND);
          assertThat(gate.statistics().inFlight()).isEqualTo(1);
          assertThat(cancelled ? call.cancel(true) : call.completeExceptionally(timeout()))
              .isTrue();
          time.sleep(Duration.ofMillis(1));
          assertNothingIsLeft(gate);
          assertThat(sent).hasValue(1);
        });
  }

  private static TimeoutException timeout() {
    return new TimeoutException("the caller's own");
  }

  @Test
  void cancelled_before_it_began_it_sends_nothing() {
    for (long seed = 0; seed < 20; seed++) {
      SimulatedTime.run(
          seed,
          time -> {
            Gate gate = on(time).lane("a", slots(1)).build();
            AtomicInteger sent = new AtomicInteger();
            gate.callAsync(RUN, CallOptions.DEFAULTS, slow(time, sent)).cancel(true);
            time.sleep(SECOND);
            assertNothingIsLeft(gate);
            assertThat(sent).hasValue(0);
          });
    }
  }

  @Test
  void cancelled_at_any_moment_it_leaves_nothing_behind() {
    for (long seed = 0; seed < 100; seed++) {
      SimulatedTime.run(
          seed,
          time -> {
            Gate gate = on(time).lane("a", slots(2)).build();
            AtomicInteger sent = new AtomicInteger();
            List<CompletableFuture<String>> calls = new ArrayList<>();
            List<Time.Task> cancellers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
              CompletableFuture<String> call =
                  gate.callAsync(RUN, CallOptions.DEFAULTS, slow(time, sent));
              calls.add(call);
              Duration when = Duration.ofSeconds(time.random().nextInt(4) * 5L);
              cancellers.add(
                  time.start(
                      "canceller",
                      () -> {
                        try {
                          time.sleep(when);
                          call.cancel(true);
                        } catch (InterruptedException e) {
                          throw new AssertionError(e);
                        }
                      }));
            }
            Gates.joinAll(cancellers);
            time.sleep(Duration.ofMinutes(1));
            assertThat(calls).allMatch(CompletableFuture::isDone);
            assertNothingIsLeft(gate);
          });
    }
  }

  @Test
  void cancelling_a_future_that_depends_on_it_lets_the_call_end_by_itself() {
    SimulatedTime.run(
        5,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          CompletableFuture<String> call =
              gate.callAsync(RUN, CallOptions.DEFAULTS, slow(time, new AtomicInteger()));
          call.thenApply(String::length).cancel(true);
          time.sleep(Duration.ofSeconds(11));
          assertThat(call).isCompletedWithValue("done");
          assertNothingIsLeft(gate);
        });
  }

  @Test
  void in_real_time_a_cancelled_call_is_interrupted_and_settled() throws InterruptedException {
    Gate gate = Gate.over("a", LaneOptions.fixed(1));
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    CompletableFuture<String> out =
        gate.callAsync(
            RUN,
            CallOptions.DEFAULTS,
            permit -> {
              sent.countDown();
              never.await();
              return new Call.Reply<>("done", Signal.success());
            });
    CompletableFuture<String> waiting =
        gate.callAsync(
            RUN, CallOptions.DEFAULTS, permit -> new Call.Reply<>("second", Signal.success()));
    sent.await();
    assertThat(out.cancel(true)).isTrue();
    assertThat(waiting.join()).isEqualTo("second");
    assertThat(gate.drain(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // callers need not be checked for null
  void nothing_is_started_for_a_call_that_is_not_one() {
    Gate gate = Gate.over("a", LaneOptions.fixed(1));
    assertThatThrownBy(() -> gate.callAsync(RUN, CallOptions.DEFAULTS, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("call");
  }
}
