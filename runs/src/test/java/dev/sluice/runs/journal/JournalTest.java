package dev.sluice.runs.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
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
class JournalTest {
  private static final Sidecar.Lines NONE = Sidecar.Lines.NONE;

  @Parameter TestDatabase database = TestDatabase.SQLITE_IN_MEMORY;

  /** One process with a lease and a run; its store takes a few milliseconds for each write. */
  private static final class World implements AutoCloseable {
    final SimulatedTime time;
    final Store disk;
    final CrashingStore store;
    final Lease lease;
    final RunRecord run;

    World(SimulatedTime time, Store disk) {
      this.time = time;
      this.disk = disk;
      this.store = new CrashingStore(disk, time, CrashingStore.Fate.BEFORE, Long.MAX_VALUE);
      this.lease = lease();
      this.run = new Runs(disk, time).begin(lease, "load", "a", "");
    }

    Lease lease() {
      return ((Claim.Taken) new Leases(disk, time).take("a")).lease();
    }

    Journal open() {
      return open(Sidecar.NONE);
    }

    Journal open(Sidecar sidecar) {
      return Journal.open(store, time, lease, run, sidecar);
    }

    /** What the next process would find if this one ended now. */
    Resume found() {
      return open().resume();
    }

    Time.Task begins(Journal journal, RowSet rows) {
      return time.start(
          "begins " + rows,
          () -> {
            try {
              long unused = journal.begin(List.of(), rows, 0);
            } catch (InterruptedException e) {
              throw new CompletionException(e);
            }
          });
    }

    @Override
    public void close() {
      lease.close();
    }
  }

  private interface Story {
    void tell(World world) throws Exception;
  }

  private void simulate(long seed, Story story) {
    database.simulate(
        seed,
        (time, disk) -> {
          try (World world = new World(time, disk)) {
            story.tell(world);
          }
        });
  }

  private void simulate(Story story) {
    simulate(1, story);
  }

  LongStream seeds() {
    return LongStream.range(0, database.seeds(100));
  }

  @Test
  void a_new_journal_has_nothing_to_resume() {
    simulate(world -> assertThat(world.open().resume()).isEqualTo(Resume.NOTHING));
  }

  @Test
  void what_is_stored_with_an_outcome_is_durable_when_that_is_and_not_before() {
    simulate(
        world -> {
          Journal journal = world.open();
          long id = journal.begin(List.of(), RowSet.range(0, 9), 7);
          journal.finish(id, 10, 0, Sidecar.Lines.NONE, waiting(world.run.origin(), 1));
          journal.settle(
              RowSet.of(10), 8, 0, 1, Sidecar.Lines.NONE, waiting(world.run.origin(), 2));
          assertThat(stored(world)).isEmpty();
          journal.flush();
          assertThat(stored(world)).containsExactly(1L, 2L);
        });
  }

  @Test
  void rows_that_are_rejected_after_all_are_no_longer_done() {
    simulate(
        world -> {
          Journal journal = world.open();
          long id = journal.begin(List.of(), RowSet.range(0, 9), 7);
          journal.finish(id, 9, 1);
          journal.amend(2, Sidecar.Lines.NONE, waiting(world.run.origin(), 3));
          journal.amend(0, Sidecar.Lines.NONE, Entry.NONE);
          assertThatThrownBy(() -> journal.amend(8, Sidecar.Lines.NONE, Entry.NONE))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessage("8 rows rejected after all, but 7 are done");
          journal.close();
          Resume found = world.found();
          assertThat(found.done()).isEqualTo(7);
          assertThat(found.rejected()).isEqualTo(3);
          assertThat(stored(world)).containsExactly(3L);
        });
  }

  private static Entry waiting(long run, long row) {
    return transaction -> {
      int unused = transaction.update("insert into waiting_row values (?, ?, 0)", run, row);
    };
  }

  private static List<Long> stored(World world) {
    return world.disk.read(
        transaction ->
            transaction.rows(
                "select row_index from waiting_row order by row_index", row -> row.number(1)));
  }

  @Test
  void a_composition_is_durable_when_begin_returns_and_its_end_rides_on_the_next() {
    simulate(
        world -> {
          Journal journal = world.open();
          long first = journal.begin(List.of(), RowSet.range(0, 9), 77);
          assertThat(world.found())
              .isEqualTo(
                  new Resume(
                      List.of(new Composition(first, RowSet.range(0, 9))),
                      RowSet.EMPTY,
                      9,
                      77,
                      0,
                      0,
                      0));
          journal.finish(first, 9, 1);
          assertThat(world.found().open()).hasSize(1);
          long second = journal.begin(List.of(), RowSet.range(10, 19), 78);
          Resume found = world.found();
          assertThat(found.open()).containsExactly(new Composition(second, RowSet.range(10, 19)));
          assertThat(found.done()).isEqualTo(9);
          assertThat(found.rejected()).isEqualTo(1);
        });
  }

  @Test
  void flush_and_close_make_ends_durable() {
    simulate(
        world -> {
          Journal journal = world.open();
          long first = journal.begin(List.of(), RowSet.range(0, 4), 0);
          long second = journal.begin(List.of(), RowSet.range(5, 9), 0);
          journal.finish(first, 5, 0);
          journal.flush();
          assertThat(world.found().done()).isEqualTo(5);
          journal.finish(second, 5, 0);
          journal.close();
          assertThat(world.found().done()).isEqualTo(10);
          int writes = world.store.writes();
          journal.close();
          assertThat(world.store.writes()).isEqualTo(writes);
          assertThatThrownBy(() -> journal.begin(List.of(), RowSet.of(10), 0))
              .hasMessageContaining("closed");
        });
  }

  @Test
  void the_chain_is_that_of_the_highest_row_whatever_was_begun_last() {
    simulate(
        world -> {
          Journal journal = world.open();
          long unused = journal.begin(List.of(), RowSet.range(10, 19), 20);
          long unusedToo = journal.begin(List.of(), RowSet.range(0, 4), 5);
          Resume found = world.found();
          assertThat(found.highest()).isEqualTo(19);
          assertThat(found.chain()).isEqualTo(20);
          assertThat(found.neverBegun()).isEqualTo(RowSet.range(5, 9));
        });
  }

  @Test
  void halves_replace_their_parent_and_what_was_not_begun_yet_stays_with_it() {
    simulate(
        world -> {
          Journal journal = world.open();
          long parent = journal.begin(List.of(), RowSet.range(0, 9), 0);
          long half = journal.begin(List.of(parent), RowSet.range(0, 4), 0);
          assertThat(world.found().open())
              .containsExactly(
                  new Composition(parent, RowSet.range(5, 9)),
                  new Composition(half, RowSet.range(0, 4)));
          long other = journal.begin(List.of(parent), RowSet.range(5, 9), 0);
          assertThat(world.found().open()).extracting(Composition::id).containsExactly(half, other);
        });
  }

  @Test
  void remainders_of_two_parents_can_be_sent_together_and_the_rest_finished() {
    simulate(
        world -> {
          Journal journal = world.open();
          long a = journal.begin(List.of(), RowSet.range(0, 9), 0);
          long b = journal.begin(List.of(), RowSet.range(10, 19), 0);
          RowSet rest = RowSet.of(3, 15);
          long c = journal.begin(List.of(a, b), rest, 0);
          journal.finish(a, 9, 0);
          journal.finish(b, 8, 1);
          journal.flush();
          assertThat(world.found().open()).containsExactly(new Composition(c, rest));
          assertThat(world.found().done()).isEqualTo(17);
        });
  }

  @Test
  void rows_that_are_settled_unsent_are_finished_and_never_read_again() {
    simulate(
        world -> {
          Journal journal = world.open();
          journal.settle(RowSet.of(0, 2), 3, 0, 2, NONE);
          long unused = journal.begin(List.of(), RowSet.of(1), 2);
          Resume found = world.found();
          assertThat(found.neverBegun()).isEqualTo(RowSet.EMPTY);
          assertThat(found.highest()).isEqualTo(2);
          assertThat(found.chain()).isEqualTo(3);
          assertThat(found.rejected()).isEqualTo(2);
        });
  }

  @Test
  void settled_rows_do_not_pile_up_in_memory_though_nobody_needs_a_commit() {
    simulate(
        world -> {
          Journal journal = world.open();
          for (long row = 0; row < 5_000; row++) {
            journal.settle(RowSet.of(row), row, 0, 1, NONE);
          }
          assertThat(world.found().rejected()).isGreaterThanOrEqualTo(4_000);
        });
  }

  @Test
  void what_cannot_be_is_refused_and_changes_nothing() {
    simulate(
        world -> {
          Journal journal = world.open();
          long id = journal.begin(List.of(), RowSet.range(0, 9), 0);
          Resume before = journal.now();
          assertThatThrownBy(() -> journal.begin(List.of(), RowSet.EMPTY, 0))
              .hasMessageContaining("without rows");
          assertThatThrownBy(() -> journal.begin(List.of(), RowSet.range(8, 12), 0))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("rows 8-9 were begun before");
          assertThatThrownBy(() -> journal.begin(List.of(id), RowSet.of(20), 0))
              .hasMessageContaining("is no parent");
          assertThatThrownBy(() -> journal.begin(List.of(99L), RowSet.of(20), 0))
              .hasMessageContaining("99 is not open");
          assertThatThrownBy(() -> journal.finish(id, 9, 0)).hasMessageContaining("9 rows done");
          assertThatThrownBy(() -> journal.finish(id, 11, -1))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> journal.finish(99, 1, 0))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> journal.settle(RowSet.of(20), 0, 0, 2, NONE))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> journal.settle(RowSet.of(3, 20), 0, 0, 2, NONE))
              .isInstanceOf(IllegalStateException.class);
          assertThat(journal.now()).isEqualTo(before);
        });
  }

  @Test
  void the_sidecar_is_exactly_as_long_as_the_outcomes_that_are_durable() {
    simulate(
        world -> {
          List<String> file = new ArrayList<>();
          Journal journal = world.open(file::size);
          long first = journal.begin(List.of(), RowSet.of(0), 0);
          journal.finish(first, 0, 1, () -> file.add("row 0"));
          assertThat(file).isEmpty(); // not before the commit that counts it
          long unused = journal.begin(List.of(), RowSet.of(1), 0);
          assertThat(file).containsExactly("row 0");
          assertThat(world.found().sidecarLength()).isEqualTo(1);
        });
  }

  @Test
  void a_sidecar_that_fails_ends_the_journal_and_the_commit_did_not_happen() {
    simulate(
        world -> {
          Journal journal =
              world.open(
                  () -> {
                    throw new IOException("no space left");
                  });
          assertThatThrownBy(() -> journal.begin(List.of(), RowSet.of(0), 0))
              .isInstanceOf(StoreException.class)
              .hasMessageContaining("no space left");
          assertThatThrownBy(() -> journal.settle(RowSet.of(1), 0, 1, 0, NONE))
              .isInstanceOf(StoreException.class);
          assertThatThrownBy(journal::flush).isInstanceOf(StoreException.class);
          journal.close();
          assertThat(world.found()).isEqualTo(Resume.NOTHING);
        });
  }

  @Test
  void a_lost_lease_ends_the_journal_for_everybody_who_waits() {
    simulate(
        world -> {
          Journal journal = world.open();
          world.time.jumpWallClock(Duration.ofMinutes(2));
          try (Lease fresh = world.lease()) {
            List<Time.Task> tasks = new ArrayList<>();
            for (int row = 0; row < 5; row++) {
              tasks.add(world.begins(journal, RowSet.of(row)));
            }
            for (Time.Task task : tasks) {
              assertThatThrownBy(task::join).hasCauseInstanceOf(LeaseLostException.class);
            }
            world.disk.write(
                transaction -> {
                  fresh.guard(transaction);
                  return null;
                });
          }
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void an_interrupt_at_any_moment_strands_nobody_else(long seed) {
    simulate(
        seed,
        world -> {
          Journal journal = world.open();
          List<Time.Task> tasks = new ArrayList<>();
          for (int row = 0; row < 12; row++) {
            tasks.add(world.begins(journal, RowSet.of(row)));
          }
          List<Integer> interrupted = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            world.time.sleep(Duration.ofNanos(world.time.random().nextInt(3_000_000)));
            int victim = world.time.random().nextInt(12);
            tasks.get(victim).interrupt();
            interrupted.add(victim);
          }
          for (int row = 0; row < 12; row++) {
            try {
              tasks.get(row).join();
            } catch (CompletionException e) {
              assertThat(interrupted).contains(row);
              assertThat(e).hasRootCauseInstanceOf(InterruptedException.class);
            }
          }
          journal.close();
          assertThat(world.found().open()).hasSize(12); // begun, if not sent
        });
  }

  @Test
  void works_with_different_origins_do_not_meet() {
    simulate(
        world -> {
          Journal one = world.open();
          long unused = one.begin(List.of(), RowSet.range(0, 9), 0);
          RunRecord other = new Runs(world.disk, world.time).begin(world.lease, "load", "b", "");
          Journal two = Journal.open(world.store, world.time, world.lease, other, Sidecar.NONE);
          assertThat(two.resume().isEmpty()).isTrue();
          long unusedToo = two.begin(List.of(), RowSet.of(3), 0);
          assertThat(world.found().open()).hasSize(1);
        });
  }
}
