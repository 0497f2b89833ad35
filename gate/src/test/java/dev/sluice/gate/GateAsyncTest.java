package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.paced;
import static dev.sluice.gate.Gates.seconds;
import static dev.sluice.gate.Gates.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The form of the same thing that does not block. */
class GateAsyncTest {

  @Test
  void a_promised_permit_comes_in_turn_at_the_pace() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("api", paced(1)).build();
          List<String> log = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            int number = i;
            var unused =
                gate.acquireAsync(Run.unbounded())
                    .thenAccept(
                        permit -> {
                          log.add(number + "@" + seconds(time));
                          permit.settle(Signal.success());
                        });
          }
          time.sleep(Duration.ofSeconds(10));
          assertThat(log).containsExactly("0@0.0", "1@1.0", "2@2.0", "3@3.0");
        });
  }

  @Test
  void continuations_never_run_on_the_thread_that_settles() {
    SimulatedTime.run(
        2,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Permit taken = gate.acquire();
          Thread settler = Thread.currentThread();
          List<Thread> ran = new ArrayList<>();
          var unused =
              gate.acquireAsync(Run.unbounded())
                  .thenAccept(
                      permit -> {
                        ran.add(Thread.currentThread());
                        permit.settle(Signal.success());
                      });
          taken.settle(Signal.success());
          time.sleep(SECOND);
          assertThat(ran).hasSize(1).doesNotContain(settler);
        });
  }

  @Test
  void a_cancelled_future_gives_up_its_turn() {
    SimulatedTime.run(
        3,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Permit taken = gate.acquire();
          CompletableFuture<Permit> first = gate.acquireAsync(Run.unbounded());
          CompletableFuture<Permit> second = gate.acquireAsync(Run.unbounded());
          assertThat(first.cancel(true)).isTrue();
          assertThat(gate.statistics().waiting()).isEqualTo(1);
          taken.settle(Signal.success());
          time.sleep(SECOND);
          second.join().settle(Signal.success());
          assertThat(gate.statistics().inFlight()).isZero();
        });
  }

  @Test
  void a_permit_that_comes_after_its_future_was_completed_otherwise_is_not_lost() {
    SimulatedTime.run(
        4,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Permit taken = gate.acquire();
          CompletableFuture<Permit> given = gate.acquireAsync(Run.unbounded());
          given.completeExceptionally(new TimeoutException("the caller's own"));
          taken.settle(Signal.success());
          time.sleep(SECOND);
          assertThat(gate.statistics().inFlight()).isZero();
          assertThat(gate.statistics().waiting()).isZero();
          gate.acquire().settle(Signal.success());
        });
  }

  @Test
  void cancelling_while_the_permit_is_being_granted_loses_nothing() {
    for (long seed = 0; seed < 50; seed++) {
      SimulatedTime.run(
          seed,
          time -> {
            Gate gate = on(time).lane("a", slots(1)).build();
            Permit taken = gate.acquire();
            CompletableFuture<Permit> future = gate.acquireAsync(Run.unbounded());
            var settler = time.start("settler", () -> taken.settle(Signal.success()));
            var canceller = time.start("canceller", () -> future.cancel(true));
            settler.join();
            canceller.join();
            time.sleep(SECOND);
            if (!future.isCancelled()) {
              future.join().settle(Signal.success());
            }
            assertThat(gate.statistics().inFlight()).isZero();
          });
    }
  }

  @Test
  void a_refusal_completes_the_future_with_its_exception() {
    SimulatedTime.run(
        5,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Permit taken = gate.acquire();
          CompletableFuture<Permit> late =
              gate.acquireAsync(Run.unbounded(), Ask.plain().within(SECOND));
          time.sleep(Duration.ofSeconds(2));
          assertThatThrownBy(late::join)
              .isInstanceOf(CompletionException.class)
              .hasCauseInstanceOf(PoolExhaustedException.class);
          taken.settle(Signal.success());
          gate.close();
          assertThat(gate.acquireAsync(Run.unbounded())).isCompletedExceptionally();
        });
  }
}
