package dev.sluice.gate.time;

import static dev.sluice.gate.time.SimulatedTimeTest.await;
import static dev.sluice.gate.time.SimulatedTimeTest.sleep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.gate.time.Time.Bell;
import dev.sluice.gate.time.Time.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a simulated run fails: by name, with its seed, and leaving no task behind. */
@Timeout(60) // a run that hangs is the failure that these tests are about
class SimulatedFailureTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void what_the_body_throws_is_the_cause_and_the_message_names_the_seed() {
    IOException thrown = new IOException("broken pipe");
    assertThatExceptionOfType(SimulationFailedException.class)
        .isThrownBy(
            () ->
                SimulatedTime.run(
                    42,
                    time -> {
                      throw thrown;
                    }))
        .withMessage(
            "failed with seed 42; repeat with SimulatedTime.with(42):"
                + " java.io.IOException: broken pipe")
        .satisfies(e -> assertThat(e.seed()).isEqualTo(42))
        .havingCause()
        .isSameAs(thrown);
  }

  @Test
  void the_stack_trace_shows_who_called_run() {
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(1),
            time -> {
              throw new IOException("no");
            });
    assertThat(failed.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("the_stack_trace_shows_who_called_run"));
  }

  @Test
  void a_failing_body_ends_the_run_at_once_and_everybody_who_waits() {
    List<String> ended = new ArrayList<>();
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(1),
            time -> {
              Bell bell = time.bell();
              startTracked(time, ended, "waiter", () -> await(bell, Time.NEVER));
              startTracked(time, ended, "sleeper", () -> sleep(time, Duration.ofDays(1)));
              time.sleep(SECOND);
              time.start("never runs", () -> ended.add("never runs"));
              throw new AssertionError("found it");
            });
    assertThat(failed).hasCauseInstanceOf(AssertionError.class).hasNoSuppressedExceptions();
    assertThat(ended).containsExactlyInAnyOrder("waiter", "sleeper");
  }

  private static void startTracked(Time time, List<String> ended, String name, Runnable body) {
    time.start(
        name,
        () -> {
          try {
            body.run();
          } finally {
            ended.add(name);
          }
        });
  }

  @Test
  void a_task_that_will_not_end_does_not_keep_the_failure_from_being_told() {
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(1),
            time -> {
              Bell bell = time.bell();
              time.start(
                  "stubborn",
                  () -> {
                    while (true) {
                      try {
                        await(bell, Time.NEVER);
                      } catch (Throwable e) {
                        assertThat(e).hasMessageContaining("the simulation has failed");
                      }
                    }
                  });
              time.sleep(SECOND);
              throw new IOException("no");
            });
    assertThat(failed).hasCauseInstanceOf(IOException.class);
  }

  @Test
  void a_task_that_throws_while_it_is_ended_is_told_beside_the_failure() {
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(1),
            time -> {
              time.start(
                  "clumsy",
                  () -> {
                    try {
                      sleep(time, Duration.ofDays(1));
                    } finally {
                      failWith("clean-up failed");
                    }
                  });
              time.sleep(SECOND);
              throw new IOException("no");
            });
    assertThat(failed.getSuppressed()).hasSize(1);
    assertThat(failed.getSuppressed()[0])
        .hasMessageContaining("clumsy")
        .hasRootCauseMessage("clean-up failed");
  }

  @Test
  void a_deadlock_names_everybody_who_waits_what_for_and_where() {
    SimulatedDeadlockException deadlock =
        catchThrowableOfType(
            SimulatedDeadlockException.class,
            () ->
                SimulatedTime.run(
                    7,
                    time -> {
                      Bell bell = time.bell();
                      Task waiter = time.start("waiter", () -> await(bell, Time.NEVER));
                      time.start("dreamer", () -> sleep(time, Duration.ofDays(1_000_000)));
                      time.start("done", () -> {});
                      time.sleep(SECOND);
                      waiter.join();
                    }));
    assertThat(deadlock.seed()).isEqualTo(7);
    assertThat(deadlock)
        .hasMessageContainingAll(
            "seed 7",
            "deadlock after PT1S of simulated time",
            "task 'main' waits for task 'waiter' to end, at ",
            "task 'waiter' waits for a bell, at ",
            "task 'dreamer' waits for the end of its sleep, at ");
    assertThat(deadlock.waiting())
        .extracting(WaitingTask::name)
        .containsExactly("main", "waiter", "dreamer");
    assertThat(deadlock.waiting().get(0).place())
        .contains("SimulatedFailureTest")
        .contains("a_deadlock_names_everybody_who_waits");
    assertThat(deadlock.waiting().get(1).place()).contains("SimulatedTimeTest.await");
  }

  @Test
  void a_task_left_waiting_after_the_body_has_ended_is_a_deadlock() {
    assertThatExceptionOfType(SimulatedDeadlockException.class)
        .isThrownBy(
            () ->
                SimulatedTime.run(
                    1, time -> time.start("left", () -> await(time.bell(), Time.NEVER))))
        .satisfies(
            e -> assertThat(e.waiting()).extracting(WaitingTask::name).containsExactly("left"));
  }

  @Test
  void the_run_goes_on_until_every_task_has_ended() {
    List<Long> ends = new ArrayList<>();
    SimulatedTime.run(
        1,
        time ->
            time.start(
                "long",
                () -> {
                  sleep(time, Duration.ofHours(5));
                  ends.add(time.nanos());
                }));
    assertThat(ends).containsExactly(Duration.ofHours(5).toNanos());
  }

  @Test
  void a_long_list_of_the_waiting_is_cut_short_in_the_message_only() {
    SimulatedDeadlockException deadlock =
        catchThrowableOfType(
            SimulatedDeadlockException.class,
            () ->
                SimulatedTime.run(
                    1,
                    time -> {
                      for (int i = 0; i < 50; i++) {
                        time.start("waiter " + i, () -> await(time.bell(), Time.NEVER));
                      }
                    }));
    assertThat(deadlock).hasMessageEndingWith("and 30 more");
    assertThat(deadlock.waiting()).hasSize(50);
  }

  @Test
  void a_deadlock_because_a_task_failed_tells_that_too() {
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(1),
            time -> {
              Bell bell = time.bell();
              time.start("ringer", () -> failWith("before it rang"));
              boolean unused = bell.await(Time.NEVER);
            });
    assertThat(failed).isInstanceOf(SimulatedDeadlockException.class);
    assertThat(failed.getSuppressed()).hasSize(1);
    assertThat(failed.getSuppressed()[0])
        .hasMessageContaining("ringer")
        .hasRootCauseMessage("before it rang");
  }

  @Test
  void a_task_that_fails_and_is_not_joined_fails_the_run_at_its_end() {
    List<String> seen = new ArrayList<>();
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(5),
            time -> {
              time.start("first", () -> failWith("one"));
              time.sleep(SECOND);
              time.start("second", () -> failWith("two"));
              time.sleep(SECOND);
              seen.add("the body ended");
            });
    assertThat(seen).containsExactly("the body ended");
    assertThat(failed)
        .hasMessageContainingAll("seed 5", "task 'first' failed, and nobody joined it", "one")
        .hasRootCauseMessage("one");
    assertThat(failed.getSuppressed()).hasSize(1);
    assertThat(failed.getSuppressed()[0]).hasRootCauseMessage("two");
  }

  @Test
  void a_task_that_fails_and_is_joined_does_not_fail_the_run() {
    for (long seed = 0; seed < 20; seed++) {
      SimulatedTime.run(
          seed,
          time -> {
            Task task = time.start("task", () -> failWith("no"));
            assertThatExceptionOfType(CompletionException.class).isThrownBy(task::join);
          });
    }
  }

  @Test
  void a_join_that_gives_up_before_the_task_fails_has_not_been_told() {
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(1),
            time -> {
              Task task =
                  time.start(
                      "task",
                      () -> {
                        sleep(time, Duration.ofHours(1));
                        failWith("later");
                      });
              assertThat(task.join(time.deadline(SECOND))).isFalse();
            });
    assertThat(failed).hasRootCauseMessage("later");
  }

  @Test
  void a_run_without_end_fails_at_its_limit_of_simulated_time() {
    Simulation simulation = SimulatedTime.with(3).limit(Duration.ofHours(2));
    SimulationFailedException failed =
        failureOf(
            simulation,
            time -> {
              while (true) {
                time.sleep(Duration.ofMinutes(7));
                assertThat(time.nanos()).isLessThanOrEqualTo(Duration.ofHours(2).toNanos());
              }
            });
    assertThat(failed)
        .isInstanceOf(SimulatedLimitException.class)
        .hasMessageContainingAll(
            "SimulatedTime.with(3).limit(Duration.parse(\"PT2H\"))",
            "longer than its limit of PT2H of simulated time",
            "task 'main' waits for the end of its sleep");
  }

  @Test
  void a_run_may_last_as_long_as_its_limit() {
    SimulatedTime.with(3).limit(Duration.ofHours(2)).run(time -> time.sleep(Duration.ofHours(2)));
  }

  @Test
  void a_sleep_of_centuries_fails_at_the_limit_too() {
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(3),
            time -> {
              time.sleep(SECOND);
              time.sleepUntil(Time.NEVER - 1);
            });
    assertThat(failed)
        .isInstanceOf(SimulatedLimitException.class)
        .hasMessageContaining("longer than its limit of PT876600H");
    SimulationFailedException overflowing =
        failureOf(
            SimulatedTime.with(3).origin(-10),
            time -> {
              time.sleep(SECOND);
              time.sleepUntil(time.nanos() + Long.MAX_VALUE);
            });
    assertThat(overflowing).isInstanceOf(SimulatedLimitException.class);
  }

  @Test
  void a_run_without_end_fails_at_its_limit_of_steps_and_names_the_busiest() {
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(3).steps(1_000),
            time -> {
              time.start(
                  "poller",
                  () -> {
                    while (true) {
                      sleep(time, Duration.ZERO);
                    }
                  });
              time.sleep(SECOND);
            });
    assertThat(failed)
        .isInstanceOf(SimulatedLimitException.class)
        .hasMessageContainingAll(
            "limit of 1000 steps", "by task 'poller'", "task 'main' waits for");
    assertThat(((SimulatedLimitException) failed).waiting())
        .extracting(WaitingTask::name)
        .containsExactly("main", "poller");
    assertThat(failed.trace().steps()).isEqualTo(1_000);
  }

  @Test
  void a_task_that_spins_on_the_clock_is_refused_by_name() {
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(3),
            time -> {
              Task spinner =
                  time.start(
                      "spinner",
                      () -> {
                        long deadline = time.deadline(SECOND);
                        long reads = 0;
                        while (time.nanos() - deadline < 0) {
                          reads++;
                        }
                        assertThat(reads).isZero();
                      });
              spinner.join();
            });
    assertThat(failed)
        .rootCause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("task 'spinner' read the clock");
  }

  @Test
  void a_run_whose_caller_is_interrupted_fails_and_says_who_was_running() {
    Thread caller = Thread.currentThread();
    AtomicReference<Thread> loop = new AtomicReference<>();
    SimulationFailedException failed =
        failureOf(
            SimulatedTime.with(3),
            time -> {
              loop.set(Thread.currentThread());
              caller.interrupt();
              while (true) {
                time.sleep(SECOND);
              }
            });
    assertThat(Thread.interrupted()).isTrue();
    assertThat(failed).hasMessageContainingAll("interrupted while task 'main' ran", "seed 3");
    assertThat(failed).hasCauseInstanceOf(InterruptedException.class);
    assertThat(loop.get()).satisfies(thread -> thread.join());
  }

  @Test
  void a_failure_carries_the_trace_that_led_to_it() {
    Simulation simulation = SimulatedTime.with(11).traced(true);
    Simulation.Body body =
        time -> {
          Bell bell = time.bell();
          time.start("ringer", bell::ring);
          time.sleep(SECOND);
          assertThat(bell.await(Time.NEVER)).isTrue();
          boolean unused = bell.await(Time.NEVER);
        };
    Trace one = failureOf(simulation, body).trace();
    Trace two = failureOf(simulation, body).trace();
    assertThat(one.events()).isEqualTo(two.events()).isNotEmpty();
    assertThat(one.events().getLast())
        .isEqualTo(new Trace.Event(SECOND.toNanos(), "main", Trace.Kind.AWAITS));
  }

  private static SimulationFailedException failureOf(Simulation simulation, Simulation.Body body) {
    return catchThrowableOfType(SimulationFailedException.class, () -> simulation.run(body));
  }

  private static void failWith(String message) {
    throw new IllegalArgumentException(message);
  }
}
