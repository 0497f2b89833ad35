package dev.sluice.gate.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real waits, of milliseconds: what is watched for is a task that has left simulated time. */
@Timeout(60)
class StallWatchTest {
  private static final Duration PERIOD = Duration.ofMillis(5);

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final CompletableFuture<String> real = new CompletableFuture<>();

  @Test
  void a_task_that_blocks_on_something_real_is_named_with_its_place() {
    // What the watch says is what the task waits for: it would hang here for ever otherwise.
    StallWatch watch =
        new StallWatch(
            PERIOD,
            words -> {
              said.add(words);
              real.complete(words);
            });
    SimulatedTime time = new SimulatedTime(SimulatedTime.with(1), watch);
    time.run(
        () -> {
          Time.Task stuck = time.start("stuck", () -> real.join());
          stuck.join();
        });
    assertThat(said).hasSize(1);
    assertThat(said.get(0))
        .contains("task 'stuck' has blocked on something real for PT0.005S", "StallWatchTest");
  }

  @Test
  void a_turn_is_spoken_of_once_and_only_if_its_thread_waits_at_two_looks() throws Exception {
    StallWatch watch = new StallWatch(PERIOD, said::add);
    SimulatedTask idle = task("idle");
    watch.look(idle);
    watch.look(idle); // not started: it does not wait
    assertThat(said).isEmpty();

    SimulatedTask stuck = task("stuck");
    stuck.thread.start();
    while (stuck.thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    watch.look(stuck);
    assertThat(said).as("the first look").isEmpty();
    stuck.turns++;
    watch.look(stuck);
    assertThat(said).as("another turn").isEmpty();
    watch.look(stuck);
    watch.look(stuck);
    assertThat(said).hasSize(1);
    stuck.turns++;
    watch.look(stuck);
    watch.look(stuck);
    assertThat(said).hasSize(2);
    stuck.thread.interrupt();
  }

  private static SimulatedTask task(String name) {
    Simulation options = SimulatedTime.with(1);
    Scheduler scheduler =
        new Scheduler(options, new Trace(false), new StallWatch(PERIOD, words -> {}));
    return new SimulatedTask(
        scheduler, 2, name, () -> new CompletableFuture<String>().get(), new SplitMix(1, 1));
  }
}
