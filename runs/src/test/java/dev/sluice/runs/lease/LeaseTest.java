package dev.sluice.runs.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.runs.store.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@EnumSource
@TestInstance(Lifecycle.PER_CLASS)
class LeaseTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Parameter TestDatabase database = TestDatabase.SQLITE_IN_MEMORY;

  /** A store, and processes that share it. */
  private record World(SimulatedTime time, Store store, Set<Holder> dead) {
    Leases process(int pid) {
      return new Leases(store, time, holder(pid), dead::contains);
    }

    static Holder holder(int pid) {
      return new Holder("mars", pid, "1", "mars");
    }
  }

  private interface Story {
    void tell(World world) throws Exception;
  }

  private void simulate(long seed, Story story) {
    database.simulate(seed, (time, store) -> story.tell(new World(time, store, new HashSet<>())));
  }

  private static Lease taken(Claim claim) {
    assertThat(claim).isInstanceOf(Claim.Taken.class);
    return ((Claim.Taken) claim).lease();
  }

  private static void commit(World world, Lease lease) {
    world.store.write(
        transaction -> {
          lease.guard(transaction);
          return null;
        });
  }

  @Test
  void a_second_process_is_told_who_holds_it_since_when_and_until_when() {
    simulate(
        1,
        world -> {
          try (Lease lease = taken(world.process(1).take("load a"))) {
            world.time.sleep(SECOND);
            assertThat(world.process(2).take("load a"))
                .isEqualTo(
                    new Claim.Held(lease.name(), World.holder(1), START, START.plus(Leases.TERM)));
            assertThat(world.process(2).held("load a").orElseThrow().message())
                .contains("load a", "process 1 on mars", "00:00:00Z", "00:01:00Z");
          }
        });
  }

  @Test
  void leases_of_different_names_do_not_meet() {
    simulate(
        1,
        world -> {
          try (Lease a = taken(world.process(1).take("a"));
              Lease b = taken(world.process(2).take("b"))) {
            commit(world, a);
            commit(world, b);
          }
        });
  }

  @Test
  void a_lease_that_is_renewed_never_expires() {
    simulate(
        1,
        world -> {
          try (Lease lease = taken(world.process(1).take("a"))) {
            for (int i = 0; i < 100; i++) {
              world.time.sleep(Duration.ofSeconds(59));
              assertThat(world.process(2).take("a")).isInstanceOf(Claim.Held.class);
            }
            commit(world, lease);
          }
        });
  }

  @Test
  void a_guarded_transaction_renews_it_unless_that_was_done_within_the_last_second() {
    simulate(
        1,
        world -> {
          Leases process = world.process(1);
          try (Lease lease = taken(process.take("a"))) {
            world.time.sleep(SECOND);
            commit(world, lease);
            Instant renewed = START.plus(SECOND).plus(Leases.TERM);
            assertThat(process.held("a").orElseThrow().until()).isEqualTo(renewed);

            world.time.sleep(Duration.ofMillis(999));
            commit(world, lease);
            assertThat(process.held("a").orElseThrow().until()).isEqualTo(renewed);
          }
        });
  }

  @Test
  void a_lease_that_was_given_back_can_be_taken_at_once_with_a_higher_number() {
    simulate(
        1,
        world -> {
          Lease first = taken(world.process(1).take("a"));
          first.close();
          assertThat(world.process(2).held("a")).isEmpty();
          try (Lease second = taken(world.process(2).take("a"))) {
            assertThat(second.fence()).isGreaterThan(first.fence());
            assertThatThrownBy(() -> commit(world, first)).isInstanceOf(LeaseLostException.class);
            first.close(); // takes nothing from the second
            commit(world, second);
          }
        });
  }

  @Test
  void after_it_is_given_back_its_number_is_refused_even_if_nobody_took_over() {
    simulate(
        1,
        world -> {
          Lease lease = taken(world.process(1).take("a"));
          lease.close();
          assertThatThrownBy(() -> commit(world, lease)).isInstanceOf(LeaseLostException.class);
        });
  }

  /** A process that stands still does not renew: its tasks run in a time that is stopped. */
  private static Lease takenByOneThatStandsStill(World world, int pid) {
    Time still = new StandingTime(world.time);
    return taken(new Leases(world.store, still, World.holder(pid), world.dead::contains).take("a"));
  }

  @Test
  void a_process_that_stood_still_for_a_term_can_commit_nothing_once_another_took_over() {
    simulate(
        1,
        world -> {
          Lease old = takenByOneThatStandsStill(world, 1);
          world.time.sleep(Leases.TERM.minus(SECOND));
          assertThat(world.process(2).take("a")).isInstanceOf(Claim.Held.class);
          world.time.sleep(SECOND);
          try (Lease fresh = taken(world.process(2).take("a"))) {
            assertThat(fresh.fence()).isEqualTo(old.fence() + 1);
            assertThatThrownBy(() -> commit(world, old))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContainingAll("'a'", "another process", "nothing was written");
            commit(world, fresh);
          }
        });
  }

  @Test
  void a_process_that_stood_still_goes_on_if_nobody_took_over() {
    simulate(
        1,
        world -> {
          Lease old = takenByOneThatStandsStill(world, 1);
          world.time.sleep(Duration.ofHours(1));
          commit(world, old);
          assertThat(world.process(2).take("a")).isInstanceOf(Claim.Held.class);
        });
  }

  @Test
  void a_holder_that_is_provably_dead_does_not_make_anybody_wait() {
    simulate(
        1,
        world -> {
          Lease old = takenByOneThatStandsStill(world, 1);
          assertThat(world.process(2).take("a")).isInstanceOf(Claim.Held.class);
          assertThat(world.process(2).held("a")).isPresent();
          world.dead.add(World.holder(1));
          assertThat(world.process(2).held("a")).isEmpty();
          try (Lease fresh = taken(world.process(2).take("a"))) {
            assertThat(fresh.fence()).isGreaterThan(old.fence());
          }
        });
  }

  @Test
  void who_was_taken_over_reads_nothing_that_the_other_may_have_written() {
    simulate(
        1,
        world -> {
          try (Lease old = taken(world.process(1).take("a"))) {
            look(world, old);
            world.dead.add(World.holder(1));
            try (Lease newer = taken(world.process(2).take("a"))) {
              look(world, newer);
              assertThatThrownBy(() -> look(world, old)).isInstanceOf(LeaseLostException.class);
            }
          }
        });
  }

  private static void look(World world, Lease lease) {
    world.store.read(
        transaction -> {
          lease.requireNewest(transaction);
          return null;
        });
  }

  @Test
  void a_clock_set_back_delays_a_takeover_by_one_term_at_most() {
    simulate(
        1,
        world -> {
          Lease unused = takenByOneThatStandsStill(world, 1);
          world.time.jumpWallClock(Duration.ofDays(-1));
          assertThat(world.process(2).take("a")).isInstanceOf(Claim.Held.class);
          world.time.sleep(Leases.TERM);
          taken(world.process(2).take("a")).close();
        });
  }

  @Test
  void a_lease_that_is_lost_is_noticed_by_its_renewal() {
    simulate(
        1,
        world -> {
          CountedStore first = new CountedStore(world.store, new AtomicInteger());
          CountedStore second = new CountedStore(world.store, new AtomicInteger());
          try (Lease old = taken(first.process(world, 1).take("a"))) {
            world.time.jumpWallClock(Duration.ofMinutes(2));
            try (Lease fresh = taken(second.process(world, 2).take("a"))) {
              world.time.sleep(Leases.RENEWED_EVERY.multipliedBy(5).plus(SECOND));
              assertThat(first.writes).as("taken, and one renewal that told it").hasValue(2);
              assertThat(second.writes).as("taken, and renewed ever since").hasValue(6);
              assertThatThrownBy(() -> commit(world, old)).isInstanceOf(LeaseLostException.class);
              commit(world, fresh);
            }
          }
        });
  }

  /** The store as one process sees it. */
  private record CountedStore(Store store, AtomicInteger writes) implements Store {
    Leases process(World world, int pid) {
      return new Leases(this, world.time, World.holder(pid), world.dead::contains);
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> work) {
      int unused = writes.incrementAndGet();
      return store.write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) {
      return store.read(work);
    }

    @Override
    public void close() {}
  }

  LongStream seeds() {
    return LongStream.range(0, database.seeds(50));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void however_processes_come_and_stall_the_number_that_commits_never_goes_down(long seed) {
    simulate(
        seed,
        world -> {
          AtomicInteger commits = new AtomicInteger();
          long[] highest = {0};
          Time.Task[] tasks = new Time.Task[4];
          for (int pid = 0; pid < tasks.length; pid++) {
            int self = pid;
            tasks[pid] =
                world.time.start(
                    "process " + pid, () -> stumble(world, world.process(self), highest, commits));
          }
          for (Time.Task task : tasks) {
            task.join();
          }
          assertThat(commits.get()).isPositive();
        });
  }

  /** Takes the lease if it can, commits now and then, jumps the clock, and looks at the numbers. */
  private static void stumble(World world, Leases leases, long[] highest, AtomicInteger commits) {
    try {
      for (int i = 0; i < 20; i++) {
        world.time.sleep(Duration.ofSeconds(world.time.random().nextInt(30)));
        if (leases.take("a") instanceof Claim.Taken(Lease lease)) {
          try (lease) {
            for (int j = 0; j < 5; j++) {
              world.time.sleep(Duration.ofSeconds(world.time.random().nextInt(30)));
              if (world.time.random().nextInt(10) == 0) {
                world.time.jumpWallClock(
                    Duration.ofSeconds(world.time.random().nextInt(-100, 100)));
              }
              commit(world, lease);
              commits.incrementAndGet();
              assertThat(lease.fence()).isGreaterThanOrEqualTo(highest[0]);
              highest[0] = lease.fence();
            }
          } catch (LeaseLostException e) {
            assertThat(e.fence()).isEqualTo(lease.fence());
          }
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
