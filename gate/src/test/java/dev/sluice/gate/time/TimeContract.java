package dev.sluice.gate.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sluice.gate.time.Time.Bell;
import dev.sluice.gate.time.Time.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every kind of time promises. Real time is unavoidable in one of them, so waits are tiny. */
@Timeout(60) // a wait that never ends is a failure too
abstract class TimeContract {
  private static final Duration TINY = Duration.ofNanos(200_000);

  /** Part of a test: runs as a task, and may throw. */
  interface Scenario {
    void run(Time time) throws Exception;
  }

  /** Runs a scenario in the time that is tested. */
  abstract void in(Scenario scenario) throws Exception;

  @Test
  void a_sleep_lasts_at_least_as_long_as_asked() throws Exception {
    in(
        time -> {
          long start = time.nanos();
          time.sleep(TINY);
          assertThat(time.nanos() - start).isGreaterThanOrEqualTo(TINY.toNanos());
        });
  }

  @Test
  void a_sleep_whose_time_has_come_returns() throws Exception {
    in(
        time -> {
          time.sleepUntil(time.nanos());
          time.sleep(Duration.ZERO);
          time.sleep(Duration.ofDays(-100_000));
        });
  }

  @Test
  void a_ring_before_the_wait_is_remembered_once() throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          bell.ring();
          bell.ring();
          assertThat(bell.await(Time.NEVER)).isTrue();
          assertThat(bell.await(time.deadline(TINY))).isFalse();
        });
  }

  @Test
  void a_ring_wakes_the_task_that_waits() throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          Outcome outcome = new Outcome();
          Task waiter = time.start("waiter", () -> outcome.of(bell, Time.NEVER));
          time.sleep(TINY);
          bell.ring();
          waiter.join();
          assertThat(outcome.text()).isEqualTo("rang");
        });
  }

  @Test
  void a_ring_long_before_the_deadline_ends_the_wait() throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          Outcome outcome = new Outcome();
          long deadline = time.deadline(Duration.ofDays(10_000));
          Task waiter = time.start("waiter", () -> outcome.of(bell, deadline));
          time.sleep(TINY);
          bell.ring();
          waiter.join();
          assertThat(outcome.text()).isEqualTo("rang");
          assertThat(deadline - time.nanos()).isPositive();
        });
  }

  @Test
  void a_wait_ends_at_its_deadline() throws Exception {
    in(
        time -> {
          long deadline = time.deadline(TINY);
          assertThat(time.bell().await(deadline)).isFalse();
          assertThat(time.nanos() - deadline).isNotNegative();
        });
  }

  @Test
  void a_wait_whose_deadline_has_passed_takes_a_remembered_ring_and_nothing_else()
      throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          bell.ring();
          assertThat(bell.await(time.deadline(Duration.ofNanos(-1)))).isTrue();
          assertThat(bell.await(time.deadline(Duration.ofNanos(-1)))).isFalse();
        });
  }

  @Test
  void a_second_task_that_waits_for_a_bell_is_refused_and_the_first_is_not_disturbed()
      throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          Bell oneIsBack = time.bell();
          Queue<String> outcomes = new ConcurrentLinkedQueue<>();
          Runnable waiting =
              () -> {
                try {
                  outcomes.add(bell.await(Time.NEVER) ? "rang" : "late");
                } catch (IllegalStateException e) {
                  outcomes.add(e.getMessage());
                } catch (InterruptedException e) {
                  outcomes.add("interrupted");
                }
                oneIsBack.ring();
              };
          Task one = time.start("one", waiting);
          Task two = time.start("two", waiting);
          assertThat(oneIsBack.await(Time.NEVER)).isTrue();
          assertThat(outcomes).containsExactly("another task waits for this bell already");
          bell.ring();
          one.join();
          two.join();
          assertThat(outcomes).endsWith("rang").hasSize(2);
        });
  }

  @Test
  void tasks_may_wait_for_a_bell_one_after_the_other() throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          for (String name : List.of("one", "two")) {
            Outcome outcome = new Outcome();
            Task waiter = time.start(name, () -> outcome.of(bell, Time.NEVER));
            bell.ring();
            waiter.join();
            assertThat(outcome.text()).isEqualTo("rang");
          }
          assertThat(bell.await(time.deadline(TINY))).isFalse();
          assertThat(bell.await(time.deadline(TINY))).isFalse();
        });
  }

  @Test
  void an_interrupt_ends_a_wait_for_a_bell_and_the_bell_can_be_used_again() throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          Outcome outcome = new Outcome();
          Task waiter = time.start("waiter", () -> outcome.of(bell, Time.NEVER));
          time.sleep(TINY);
          waiter.interrupt();
          waiter.join();
          assertThat(outcome.text()).isEqualTo("interrupted");
          assertThat(bell.await(time.deadline(TINY))).isFalse();
          bell.ring();
          assertThat(bell.await(Time.NEVER)).isTrue();
        });
  }

  @Test
  void an_interrupt_ends_a_sleep() throws Exception {
    in(
        time -> {
          Outcome outcome = new Outcome();
          Task sleeper =
              time.start("sleeper", () -> outcome.of(() -> time.sleep(Duration.ofDays(1))));
          time.sleep(TINY);
          sleeper.interrupt();
          sleeper.join();
          assertThat(outcome.text()).isEqualTo("interrupted");
        });
  }

  @Test
  void an_interrupt_ends_a_sleep_that_would_never_end() throws Exception {
    in(
        time -> {
          Outcome outcome = new Outcome();
          Task sleeper = time.start("sleeper", () -> outcome.of(() -> time.sleepUntil(Time.NEVER)));
          time.sleep(TINY);
          sleeper.interrupt();
          sleeper.join();
          assertThat(outcome.text()).isEqualTo("interrupted");
        });
  }

  @Test
  void an_interrupt_ends_a_join_but_not_the_task_that_is_joined() throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          Outcome waited = new Outcome();
          Outcome joined = new Outcome();
          Task waiter = time.start("waiter", () -> waited.of(bell, Time.NEVER));
          Task joiner = time.start("joiner", () -> joined.of(waiter::join));
          time.sleep(TINY);
          joiner.interrupt();
          joiner.join();
          assertThat(joined.text()).isEqualTo("interrupted");
          bell.ring();
          waiter.join();
          assertThat(waited.text()).isEqualTo("rang");
        });
  }

  @Test
  void an_interrupt_before_a_wait_is_told_by_it_once_and_takes_no_ring() throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          bell.ring();
          Thread.currentThread().interrupt();
          assertThatExceptionOfType(InterruptedException.class)
              .isThrownBy(() -> bell.await(Time.NEVER));
          assertThat(bell.await(Time.NEVER)).isTrue();

          Thread.currentThread().interrupt();
          assertThatExceptionOfType(InterruptedException.class)
              .isThrownBy(() -> time.sleepUntil(time.nanos()));
          time.sleepUntil(time.nanos());

          Task task = time.start("task", () -> {});
          Thread.currentThread().interrupt();
          assertThatExceptionOfType(InterruptedException.class).isThrownBy(task::join);
          task.join();
        });
  }

  @Test
  void a_task_may_interrupt_itself() throws Exception {
    in(
        time -> {
          AtomicReference<Task> itself = new AtomicReference<>();
          Bell known = time.bell();
          Outcome outcome = new Outcome();
          Task task =
              time.start(
                  "task",
                  () ->
                      outcome.of(
                          () -> {
                            assertThat(known.await(Time.NEVER)).isTrue();
                            itself.get().interrupt();
                            assertThat(Thread.currentThread().isInterrupted()).isTrue();
                            time.sleepUntil(Time.NEVER);
                          }));
          itself.set(task);
          known.ring();
          task.join();
          assertThat(outcome.text()).isEqualTo("interrupted");
        });
  }

  @Test
  void a_task_that_is_interrupted_before_it_runs_finds_out_at_its_first_wait() throws Exception {
    in(
        time -> {
          Outcome outcome = new Outcome();
          Task task = time.start("task", () -> outcome.of(time.bell(), Time.NEVER));
          task.interrupt();
          task.join();
          assertThat(outcome.text()).isEqualTo("interrupted");
        });
  }

  @Test
  void interrupting_a_task_that_has_ended_does_nothing() throws Exception {
    in(
        time -> {
          Task task = time.start("task", () -> {});
          task.join();
          task.interrupt();
          assertThat(task.join(Time.NEVER)).isTrue();
        });
  }

  @Test
  void a_ring_at_the_deadline_is_neither_lost_nor_counted_twice() throws Exception {
    for (int round = 0; round < 20; round++) {
      in(
          time -> {
            Bell bell = time.bell();
            Outcome outcome = new Outcome();
            long deadline = time.deadline(TINY);
            Task waiter = time.start("waiter", () -> outcome.of(bell, deadline));
            time.sleepUntil(deadline);
            bell.ring();
            waiter.join();
            assertThat(outcome.text()).isIn("rang", "late");
            assertThat(bell.await(time.nanos())).isEqualTo(outcome.text().equals("late"));
            assertThat(bell.await(time.nanos())).isFalse();
          });
    }
  }

  @Test
  void a_ring_beside_an_interrupt_is_neither_lost_nor_counted_twice() throws Exception {
    for (int round = 0; round < 20; round++) {
      boolean ringFirst = round % 2 == 0;
      in(
          time -> {
            Bell bell = time.bell();
            Outcome outcome = new Outcome();
            Task waiter = time.start("waiter", () -> outcome.of(bell, Time.NEVER));
            time.sleep(TINY);
            if (ringFirst) {
              bell.ring();
            }
            waiter.interrupt();
            bell.ring();
            waiter.join();
            assertThat(outcome.text()).isIn("rang, interrupted since", "rang", "interrupted");
            boolean left = bell.await(time.nanos());
            if (!ringFirst) {
              assertThat(left).isEqualTo(outcome.text().equals("interrupted"));
            }
            assertThat(bell.await(time.nanos())).isFalse();
          });
    }
  }

  @Test
  void a_join_says_whether_the_task_has_ended() throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          Task task = time.start("task", () -> new Outcome().of(bell, Time.NEVER));
          assertThat(task.join(time.deadline(Duration.ofNanos(-1)))).isFalse();
          assertThat(task.join(time.deadline(TINY))).isFalse();
          bell.ring();
          assertThat(task.join(time.deadline(Duration.ofDays(1)))).isTrue();
          assertThat(task.join(time.deadline(Duration.ofNanos(-1)))).isTrue();
        });
  }

  @Test
  void everybody_who_joins_a_task_learns_that_it_ended() throws Exception {
    in(
        time -> {
          Bell bell = time.bell();
          Task task = time.start("task", () -> new Outcome().of(bell, Time.NEVER));
          AtomicInteger told = new AtomicInteger();
          List<Task> joiners = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            joiners.add(
                time.start(
                    "joiner " + i,
                    () -> {
                      Outcome outcome = new Outcome();
                      outcome.of(task::join);
                      if (outcome.text().equals("done")) {
                        told.incrementAndGet();
                      }
                    }));
          }
          bell.ring();
          for (Task joiner : joiners) {
            joiner.join();
          }
          assertThat(told).hasValue(3);
        });
  }

  @Test
  void whoever_joins_a_task_that_failed_is_told_why_each_time() throws Exception {
    in(
        time -> {
          Exception thrown = new IllegalArgumentException("no");
          Task task =
              time.start(
                  "task",
                  () -> {
                    throw new IllegalArgumentException(thrown);
                  });
          for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(task::join)
                .withMessage("task task failed")
                .havingCause()
                .isInstanceOf(IllegalArgumentException.class)
                .havingCause()
                .isSameAs(thrown);
          }
        });
  }

  @Test
  void a_task_and_its_thread_bear_the_name_it_was_given() throws Exception {
    in(
        time -> {
          AtomicReference<String> seen = new AtomicReference<>();
          Task task = time.start("porter", () -> seen.set(Thread.currentThread().getName()));
          task.join();
          assertThat(task.name()).isEqualTo("porter");
          assertThat(seen).hasValue("porter");
        });
  }

  /** How a wait ended; written by one task, read by another that has joined it. */
  private static final class Outcome {
    private volatile String text = "not yet";

    interface Wait {
      void run() throws InterruptedException;
    }

    String text() {
      return text;
    }

    void of(Bell bell, long deadline) {
      AtomicReference<String> result = new AtomicReference<>();
      of(() -> result.set(bell.await(deadline) ? "rang" : "late"));
      if (text.equals("done")) {
        boolean since = Thread.currentThread().isInterrupted();
        text = result.get() + (since ? ", interrupted since" : "");
      }
    }

    void of(Wait wait) {
      try {
        wait.run();
        text = "done";
      } catch (InterruptedException e) {
        text = "interrupted";
      }
    }
  }
}
