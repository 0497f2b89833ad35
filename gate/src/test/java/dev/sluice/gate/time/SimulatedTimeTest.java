package dev.sluice.gate.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sluice.gate.time.Time.Bell;
import dev.sluice.gate.time.Time.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks, order and generators of simulated time; failures have a test of their own. */
class SimulatedTimeTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void the_clock_moves_by_what_is_slept_and_by_nothing_else() {
    SimulatedTime.run(
        1,
        time -> {
          assertThat(time.nanos()).isZero();
          assertThat(time.nanos()).isZero();
          time.sleep(Duration.ofHours(1));
          assertThat(time.nanos()).isEqualTo(Duration.ofHours(1).toNanos());
          time.sleep(Duration.ZERO);
          time.sleep(Duration.ofNanos(1));
          assertThat(time.nanos()).isEqualTo(Duration.ofHours(1).toNanos() + 1);
        });
  }

  @Test
  void a_wait_that_is_rung_leaves_no_timer_behind_to_end_the_next_one() {
    SimulatedTime.run(
        1,
        time -> {
          Bell bell = time.bell();
          Task waiter =
              time.start(
                  "waiter",
                  () -> {
                    await(bell, time.deadline(SECOND));
                    assertThat(time.nanos()).isEqualTo(1_000_000);
                    await(bell, Time.NEVER);
                    assertThat(time.nanos()).isEqualTo(Duration.ofHours(1).toNanos());
                  });
          time.sleep(Duration.ofMillis(1));
          bell.ring();
          time.sleepUntil(Duration.ofHours(1).toNanos());
          bell.ring();
          waiter.join();
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -7_500_000_000L, Long.MIN_VALUE, Long.MAX_VALUE - 1_500_000_000})
  void timers_come_in_order_wherever_the_clock_starts(long origin) {
    List<String> order = new ArrayList<>();
    SimulatedTime.with(1)
        .origin(origin)
        .run(
            time -> {
              for (int second : new int[] {3, 1, 5, 2, 4}) {
                time.start(
                    "after " + second,
                    () -> {
                      sleep(time, Duration.ofSeconds(second));
                      assertThat(time.nanos() - origin).isEqualTo(second * 1_000_000_000L);
                      order.add(Thread.currentThread().getName());
                    });
              }
            });
    assertThat(order).containsExactly("after 1", "after 2", "after 3", "after 4", "after 5");
  }

  @Test
  void all_timers_of_an_instant_become_runnable_together() {
    Set<String> first = new HashSet<>();
    Set<Integer> placesOfLatecomer = new HashSet<>();
    for (long seed = 0; seed < 200; seed++) {
      List<String> order = ordersOfOneInstant(seed);
      assertThat(order).hasSize(5);
      first.add(order.get(0));
      placesOfLatecomer.add(order.indexOf("latecomer"));
    }
    // Anybody may be first; who becomes runnable only then competes with all who have not run yet.
    assertThat(first).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(placesOfLatecomer).containsExactlyInAnyOrder(1, 2, 3, 4);
  }

  /** Four tasks wake at one instant; the first to run starts another. */
  private static List<String> ordersOfOneInstant(long seed) {
    List<String> order = new ArrayList<>();
    SimulatedTime.run(
        seed,
        time -> {
          for (String name : List.of("a", "b", "c", "d")) {
            time.start(
                name,
                () -> {
                  sleep(time, SECOND);
                  assertThat(time.nanos()).isEqualTo(SECOND.toNanos());
                  if (order.isEmpty()) {
                    time.start("latecomer", () -> order.add("latecomer"));
                  }
                  order.add(name);
                });
          }
        });
    return order;
  }

  @Test
  void a_ring_at_the_deadline_comes_in_time_in_some_orders_and_too_late_in_others() {
    Set<Boolean> rang = new HashSet<>();
    for (long seed = 0; seed < 50; seed++) {
      rang.add(
          SimulatedTime.with(seed)
              .call(
                  time -> {
                    Bell bell = time.bell();
                    long deadline = time.deadline(SECOND);
                    time.start(
                        "ringer",
                        () -> {
                          sleep(time, SECOND);
                          bell.ring();
                        });
                    return bell.await(deadline);
                  }));
    }
    assertThat(rang).containsExactlyInAnyOrder(true, false);
  }

  @Test
  void every_wait_lets_others_go_first_even_if_there_is_nothing_to_wait_for() {
    Set<List<String>> orders = new HashSet<>();
    for (long seed = 0; seed < 50; seed++) {
      List<String> order = new ArrayList<>();
      SimulatedTime.run(
          seed,
          time -> {
            Bell bell = time.bell();
            bell.ring();
            time.start("other", () -> order.add("other"));
            order.add("before");
            assertThat(bell.await(Time.NEVER)).isTrue();
            order.add("after");
          });
      orders.add(order);
    }
    assertThat(orders)
        .containsExactlyInAnyOrder(
            List.of("before", "other", "after"), List.of("before", "after", "other"));
  }

  @Test
  void starting_and_ringing_do_not_give_up_the_turn() {
    for (long seed = 0; seed < 50; seed++) {
      SimulatedTime.run(
          seed,
          time -> {
            Bell bell = time.bell();
            List<String> order = new ArrayList<>();
            time.start("waiter", () -> await(bell, Time.NEVER));
            time.start("other", () -> order.add("other"));
            bell.ring();
            assertThat(order).isEmpty();
          });
    }
  }

  @Test
  void equal_seeds_give_equal_traces() {
    Trace one = busyRun(SimulatedTime.with(42).traced(true));
    Trace two = busyRun(SimulatedTime.with(42).traced(true));
    assertThat(one.events()).isEqualTo(two.events()).hasSizeGreaterThan(1_000);
    assertThat(one.hash()).isEqualTo(two.hash());
    assertThat(one.steps()).isEqualTo(two.steps()).isGreaterThan(500);
  }

  @Test
  void different_seeds_give_different_orders() {
    Set<Long> hashes = new HashSet<>();
    for (long seed = 0; seed < 100; seed++) {
      Trace trace =
          SimulatedTime.run(
              seed,
              time -> {
                for (int i = 0; i < 20; i++) {
                  time.start("task " + i, () -> sleep(time, SECOND));
                }
              });
      hashes.add(trace.hash());
    }
    assertThat(hashes).hasSize(100);
  }

  @Test
  void the_trace_depends_neither_on_the_origin_nor_on_being_kept() {
    long expected = busyRun(SimulatedTime.with(42)).hash();
    assertThat(busyRun(SimulatedTime.with(42).origin(-5)).hash()).isEqualTo(expected);
    assertThat(busyRun(SimulatedTime.with(42).traced(true)).hash()).isEqualTo(expected);
  }

  @Test
  void the_trace_keeps_its_events_only_if_asked() {
    assertThat(busyRun(SimulatedTime.with(42)).events()).isEmpty();
  }

  @Test
  void the_trace_says_who_did_what_when() {
    Trace trace =
        SimulatedTime.with(1)
            .traced(true)
            .run(
                time -> {
                  time.sleep(SECOND);
                  time.start("child", () -> {}).join();
                });
    assertThat(trace.events().stream().map(Trace.Event::toString))
        .containsExactly(
            "0 ns main STARTED",
            "0 ns main TURN",
            "0 ns main SLEEPS",
            "1000000000 ns main TURN",
            "1000000000 ns child STARTED",
            "1000000000 ns main JOINS",
            "1000000000 ns child TURN",
            "1000000000 ns child ENDED",
            "1000000000 ns main TURN",
            "1000000000 ns main ENDED");
    assertThat(trace).hasToString("4 steps, hash %016x".formatted(trace.hash()));
  }

  /** Ten tasks that sleep, ring, await, interrupt and join. */
  static Trace busyRun(Simulation simulation) {
    return simulation.run(
        time -> {
          Bell bell = time.bell();
          Task waiter =
              time.start(
                  "waiter",
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      await(bell, time.deadline(Duration.ofMillis(7)));
                    }
                  });
          List<Task> tasks = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            tasks.add(
                time.start(
                    "task " + i,
                    () -> {
                      for (int n = 0; n < 50; n++) {
                        sleep(time, Duration.ofMillis(time.random().nextInt(10)));
                        bell.ring();
                      }
                    }));
          }
          time.sleep(Duration.ofMillis(20));
          waiter.interrupt();
          for (Task task : tasks) {
            task.join();
          }
        });
  }

  @Test
  void the_wall_clock_starts_where_told_passes_with_time_and_can_be_set() {
    Instant start = Instant.parse("2024-02-29T23:59:59Z");
    SimulatedTime.with(1)
        .wallClock(start)
        .origin(-500)
        .run(
            time -> {
              assertThat(time.instant()).isEqualTo(start);
              time.sleep(SECOND);
              assertThat(time.instant()).isEqualTo("2024-03-01T00:00:00Z");
              time.jumpWallClock(Duration.ofHours(-3));
              assertThat(time.instant()).isEqualTo("2024-02-29T21:00:00Z");
              assertThat(time.nanos()).isEqualTo(SECOND.toNanos() - 500);
              time.jumpWallClock(Duration.ofDays(1));
              time.sleep(SECOND);
              assertThat(time.instant()).isEqualTo("2024-03-01T21:00:01Z");
            });
  }

  @Test
  void each_task_has_a_generator_of_its_own_that_follows_from_the_seed() {
    List<Long> drawn = draws(5);
    assertThat(drawn).doesNotHaveDuplicates().isEqualTo(draws(5));
    assertThat(drawn).doesNotContainAnyElementsOf(draws(6));
  }

  private static List<Long> draws(long seed) {
    return SimulatedTime.with(seed)
        .call(
            time -> {
              List<Long> drawn = new ArrayList<>();
              for (int i = 0; i < 3; i++) {
                Runnable draw = () -> drawn.add(time.random().nextLong());
                time.start("task", draw).join();
              }
              drawn.add(time.random().nextLong());
              drawn.add(time.random().nextLong());
              return drawn;
            });
  }

  @Test
  void what_a_task_draws_does_not_change_who_runs_when() {
    Set<Long> hashes = new HashSet<>();
    for (int draws = 0; draws < 3; draws++) {
      int count = draws;
      Trace trace =
          SimulatedTime.run(
              9,
              time -> {
                for (int i = 0; i < 5; i++) {
                  time.start("task " + i, () -> sleep(time, SECOND));
                }
                assertThat(time.random().longs(count)).hasSize(count);
                time.sleep(SECOND);
              });
      hashes.add(trace.hash());
    }
    assertThat(hashes).hasSize(1);
  }

  @Test
  void a_thread_that_is_no_task_is_refused_while_the_run_goes_on_and_afterwards() {
    AtomicReference<SimulatedTime> kept = new AtomicReference<>();
    AtomicReference<Bell> bell = new AtomicReference<>();
    AtomicReference<Task> task = new AtomicReference<>();
    SimulatedTime.run(
        1,
        time -> {
          kept.set(time);
          bell.set(time.bell());
          task.set(time.start("task", () -> {}));
          Thread stranger =
              Thread.ofPlatform()
                  .name("stranger")
                  .unstarted(() -> everythingIsRefused(time, bell.get(), task.get()));
          AtomicReference<Throwable> thrown = new AtomicReference<>();
          stranger.setUncaughtExceptionHandler((thread, e) -> thrown.set(e));
          stranger.start();
          stranger.join();
          assertThat(thrown).hasNullValue();
        });
    everythingIsRefused(kept.get(), bell.get(), task.get());
    assertThat(kept.get().nanos()).isZero();
  }

  private static void everythingIsRefused(SimulatedTime time, Bell bell, Task task) {
    List<ThrowingCallable> calls =
        List.of(
            () -> time.sleepUntil(0),
            () -> bell.await(0),
            () -> task.join(0),
            bell::ring,
            task::interrupt,
            time::random,
            () -> time.jumpWallClock(SECOND),
            () -> time.start("another", () -> {}));
    for (ThrowingCallable call : calls) {
      assertThatIllegalStateException()
          .isThrownBy(call)
          .withMessageContaining(
              "thread '%s' is not a task of this simulation", Thread.currentThread().getName());
    }
  }

  @Test
  void simulations_may_be_nested_and_do_not_disturb_each_other() {
    Trace expected = busyRun(SimulatedTime.with(3));
    SimulatedTime.run(
        8,
        time -> {
          time.sleep(SECOND);
          assertThat(busyRun(SimulatedTime.with(3)).hash()).isEqualTo(expected.hash());
          assertThat(time.nanos()).isEqualTo(SECOND.toNanos());
        });
  }

  @Test
  void an_interrupt_of_the_bare_thread_is_told_when_the_wait_ends() {
    SimulatedTime.run(
        1,
        time -> {
          AtomicReference<Thread> thread = new AtomicReference<>();
          Bell bell = time.bell();
          Task waiter =
              time.start(
                  "waiter",
                  () -> {
                    thread.set(Thread.currentThread());
                    await(bell, Time.NEVER);
                    assertThat(Thread.interrupted()).isTrue();
                  });
          time.sleep(SECOND);
          thread.get().interrupt();
          time.sleep(SECOND);
          bell.ring();
          waiter.join();
        });
  }

  static void sleep(Time time, Duration duration) {
    try {
      time.sleep(duration);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  static void await(Bell bell, long deadline) {
    try {
      boolean unused = bell.await(deadline);
    } catch (InterruptedException e) {
      // the callers go on regardless
    }
  }
}
