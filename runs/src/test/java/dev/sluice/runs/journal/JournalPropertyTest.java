package dev.sluice.runs.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Holder;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.runs.store.TestDatabase.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever happens to the processes that work on it, a journal loses no row and counts none twice.
 *
 * <p>Processes follow each other; each works with several tasks (batches, bisections, remainders,
 * rows that are settled unsent) until it is killed at a write of its store, or stands still until
 * the next has taken over. Each looks at what it finds before it goes on.
 */
class JournalPropertyTest {
  private static final long ROWS = 300;

  private static final List<CrashingStore.Fate> FATES = List.of(CrashingStore.Fate.values());

  /** A history that takes longer than this goes round in circles. */
  private static final Duration LONGEST = Duration.ofHours(2);

  static LongStream seeds() {
    return LongStream.range(0, 250 * Integer.getInteger("sluice.seeds", 1));
  }

  static Stream<Arguments> databasesAndSeeds() {
    return Stream.of(TestDatabase.SQLITE_FILE, TestDatabase.POSTGRESQL)
        .flatMap(
            database ->
                LongStream.range(0, database.seeds(80))
                    .mapToObj(seed -> Arguments.of(database, seed)));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void every_row_is_finished_open_or_never_begun_whenever_the_process_ends(long seed) {
    var unused =
        SimulatedTime.with(seed)
            .limit(LONGEST)
            .run(
                time -> {
                  try (Store disk = Store.inMemory(time)) {
                    new World(time, () -> disk).live();
                  }
                });
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("databasesAndSeeds")
  void so_it_is_on_a_database_that_every_process_opens_anew(TestDatabase kind, long seed) {
    var unused =
        SimulatedTime.with(seed)
            .limit(LONGEST)
            .run(
                time -> {
                  List<Store> opened = new ArrayList<>();
                  try (Database database = kind.create()) {
                    new World(
                            time,
                            () -> {
                              opened.add(database.open(time));
                              return opened.getLast();
                            })
                        .live();
                    opened.forEach(Store::close);
                  }
                });
  }

  /** What is true, whoever knows it. */
  private static final class World {
    final SimulatedTime time;
    final Supplier<Store> disk;
    final Set<Holder> dead = new HashSet<>();
    final List<RowSet> intended = new ArrayList<>();
    RowSet sent = RowSet.EMPTY;
    RowSet settled = RowSet.EMPTY;
    List<Long> rejectFile = List.of();
    int generation;
    long fence;

    World(SimulatedTime time, Supplier<Store> disk) {
      this.time = time;
      this.disk = disk;
    }

    void live() throws InterruptedException {
      RandomGenerator random = time.random();
      List<Attempt> processes = new ArrayList<>();
      List<Time.Task> tasks = new ArrayList<>();
      boolean done = false;
      while (!done) {
        generation++;
        long writes = generation > 12 ? Long.MAX_VALUE : random.nextInt(60);
        CrashingStore.Fate fate = FATES.get(random.nextInt(FATES.size()));
        Attempt process =
            new Attempt(this, new CrashingStore(disk.get(), time, fate, writes), generation);
        processes.add(process);
        Time.Task task = time.start("process " + generation, process::work);
        tasks.add(task);
        while (!task.join(time.deadline(Duration.ofSeconds(1))) && !process.store.standsStill()) {}
        if (process.store.standsStill()) {
          time.sleep(Duration.ofSeconds(61 + random.nextInt(60))); // its lease expires
        }
        if (process.store.isDead()) {
          dead.add(process.self);
        }
        done = processes.stream().anyMatch(any -> any.completed);
      }
      for (Time.Task task : tasks) {
        task.join(); // those who stood still wake up, and find that they are late
      }
      for (Attempt process : processes) {
        process.bury();
      }
    }
  }

  private static final class Attempt {
    final World world;
    final CrashingStore store;
    final Holder self;
    final List<Long> file = new ArrayList<>();
    final List<RowSet> unread = new ArrayList<>();
    final List<Lease> leases = new ArrayList<>();
    long next;
    boolean completed;

    Attempt(World world, CrashingStore store, int generation) {
      this.world = world;
      this.store = store;
      this.self = new Holder("mars", generation, "", "mars");
    }

    void work() {
      try {
        Lease lease = take();
        world.fence = Math.max(world.fence, lease.fence());
        Runs runs = new Runs(store, world.time);
        if (runs.last("load", "a").filter(last -> !last.resumable()).isPresent()) {
          completed = true;
          return;
        }
        RunRecord run =
            runs.last("load", "a")
                .map(last -> runs.resume(lease, last, ""))
                .orElseGet(() -> runs.begin(lease, "load", "a", ""));
        Journal journal = Journal.open(store, world.time, lease, run, this::sync);
        look(journal.resume());
        send(journal);
        journal.close();
        Resume end = journal.now();
        assertThat(end.open()).isEmpty();
        assertThat(end.neverBegun()).isEqualTo(RowSet.EMPTY);
        assertThat(end.done() + end.rejected()).isEqualTo(ROWS);
        runs.end(lease, run, new Outcome.Completed(), Map.of("done", end.done()));
        assertThat(file).doesNotHaveDuplicates().hasSize((int) end.rejected());
        completed = true;
      } catch (StoreException e) {
        assertThat(store.isDead()).as("killed: %s", e).isTrue();
      } catch (LeaseLostException e) {
        assertThat(store.standsStill()).as("stood still: %s", e).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private Lease take() throws InterruptedException {
      Leases here = new Leases(store, world.time, self, world.dead::contains);
      while (true) {
        if (here.take("a") instanceof Claim.Taken(Lease lease)) {
          leases.add(lease);
          return lease;
        }
        world.time.sleep(Duration.ofSeconds(1)); // one that had stood still was faster
      }
    }

    /** A process that is gone renews nothing. */
    void bury() {
      leases.forEach(Lease::close);
    }

    private long sync() {
      world.rejectFile = file;
      return file.size();
    }

    /** What this process finds against what is true. */
    private void look(Resume found) {
      RowSet open = RowSet.EMPTY;
      for (Composition composition : found.open()) {
        RowSet rows = composition.rows();
        assertThat(open.intersect(rows)).as("open twice").isEqualTo(RowSet.EMPTY);
        assertThat(world.intended).as("sent as a whole").anyMatch(all -> all.containsAll(rows));
        open = open.union(rows);
      }
      assertThat(open.intersect(found.neverBegun())).isEqualTo(RowSet.EMPTY);
      RowSet all = RowSet.range(0, found.highest());
      assertThat(all.containsAll(open.union(found.neverBegun()))).isTrue();
      RowSet finished = all.minus(open).minus(found.neverBegun());
      assertThat(found.done() + found.rejected()).isEqualTo(finished.size());
      assertThat(world.settled.containsAll(finished)).as("finished without outcome").isTrue();
      assertThat(open.union(finished).containsAll(world.sent)).as("sent but forgotten").isTrue();
      assertThat(found.chain()).isEqualTo(found.isEmpty() ? 0 : chain(found.highest()));

      assertThat(found.sidecarLength()).isEqualTo(found.rejected());
      if (found.rejected() > 0) {
        file.addAll(world.rejectFile.subList(0, (int) found.sidecarLength()));
      }
      assertThat(file).doesNotHaveDuplicates().allMatch(finished::contains);

      for (Composition composition : found.open()) {
        again.add(composition);
      }
      if (!found.neverBegun().isEmpty()) {
        unread.add(found.neverBegun());
      }
      next = found.highest() + 1;
    }

    final List<Composition> again = new ArrayList<>();

    private void send(Journal journal) throws InterruptedException {
      List<Time.Task> tasks = new ArrayList<>();
      int workers = 1 + world.time.random().nextInt(6);
      List<RuntimeException> thrown = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        tasks.add(
            world.time.start(
                "worker " + i,
                () -> {
                  try {
                    Worker worker = new Worker(this, journal);
                    while (worker.step()) {}
                  } catch (StoreException | LeaseLostException e) {
                    thrown.add(e);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }));
      }
      for (Time.Task task : tasks) {
        task.join();
      }
      if (!thrown.isEmpty()) {
        throw thrown.getFirst();
      }
    }

    /** The next rows to be worked on; a batch may leave out rows, which come later. */
    RowSet take(RandomGenerator random) {
      if (!unread.isEmpty()) {
        return unread.removeLast();
      }
      long last = Math.min(ROWS, next + 1 + random.nextInt(20)) - 1;
      RowSet rows = RowSet.range(next, last);
      next = last + 1;
      if (random.nextInt(4) == 0 && rows.size() > 2) {
        RowSet later = RowSet.of(rows.first() + random.nextLong(rows.size()));
        unread.addFirst(later);
        return rows.minus(later);
      }
      return rows;
    }
  }

  /** One task of a process. */
  private static final class Worker {
    final Attempt process;
    final World world;
    final Journal journal;
    final RandomGenerator random;

    Worker(Attempt process, Journal journal) {
      this.process = process;
      this.world = process.world;
      this.journal = journal;
      this.random = world.time.random();
    }

    boolean step() throws InterruptedException {
      if (!process.again.isEmpty()) {
        Composition composition = process.again.removeLast();
        answer(composition.id(), composition.rows());
        return true;
      }
      RowSet rows = process.take(random);
      if (rows.isEmpty()) {
        return false;
      }
      if (random.nextInt(6) == 0) {
        long rejected = random.nextLong(rows.size() + 1);
        world.settled = world.settled.union(rows);
        journal.settle(
            rows, chain(rows.last()), rows.size() - rejected, rejected, lines(rows, rejected));
      } else {
        begin(List.of(), rows);
      }
      return true;
    }

    private void begin(List<Long> parents, RowSet rows) throws InterruptedException {
      world.intended.add(rows);
      long id = journal.begin(parents, rows, chain(rows.last()));
      assertThat(process.leases.getFirst().fence()).as("may send").isEqualTo(world.fence);
      world.sent = world.sent.union(rows);
      world.time.sleep(Duration.ofMillis(random.nextInt(50)));
      answer(id, rows);
    }

    private void answer(long id, RowSet rows) throws InterruptedException {
      int what = rows.size() < 2 ? 0 : random.nextInt(4);
      RowSet half = RowSet.range(0, (rows.first() + rows.last()) / 2).intersect(rows);
      switch (what) {
        case 1 -> { // all of it failed: both halves, one after the other
          begin(List.of(id), half);
          begin(List.of(id), rows.minus(half));
        }
        case 2 -> { // some of it has its outcome, the rest goes again
          journal.begin(List.of(id), half, chain(half.last()));
          finish(id, rows.minus(half));
          process.again.add(last(half));
        }
        default -> finish(id, rows);
      }
    }

    private Composition last(RowSet rows) {
      return journal.now().open().stream()
          .filter(composition -> composition.rows().equals(rows))
          .findFirst()
          .orElseThrow();
    }

    private void finish(long id, RowSet rows) {
      long rejected = random.nextInt(3) == 0 ? random.nextLong(rows.size() + 1) : 0;
      world.settled = world.settled.union(rows);
      journal.finish(id, rows.size() - rejected, rejected, lines(rows, rejected));
    }

    private Sidecar.Lines lines(RowSet rows, long rejected) {
      List<Long> refused = rows.rows().limit(rejected).boxed().toList();
      return () -> process.file.addAll(refused);
    }
  }

  private static long chain(long row) {
    return row * 0x9e3779b97f4a7c15L + 1;
  }

  @Test
  void callers_at_the_same_time_share_commits() {
    var unused =
        SimulatedTime.run(
            7,
            time -> {
              try (Store disk = Store.inMemory(time)) {
                CrashingStore store =
                    new CrashingStore(disk, time, CrashingStore.Fate.BEFORE, Long.MAX_VALUE);
                Claim claim = new Leases(store, time).take("a");
                try (Lease lease = ((Claim.Taken) claim).lease()) {
                  RunRecord run = new Runs(store, time).begin(lease, "load", "a", "");
                  Journal journal = Journal.open(store, time, lease, run, Sidecar.NONE);
                  int before = store.writes();
                  List<Time.Task> tasks = new ArrayList<>();
                  for (int i = 0; i < 32; i++) {
                    RowSet row = RowSet.of(i);
                    tasks.add(time.start("caller " + i, () -> begin(journal, row)));
                  }
                  for (Time.Task task : tasks) {
                    task.join();
                  }
                  assertThat(store.writes() - before).isEqualTo(2); // the first, and all others
                  assertThat(journal.now().open()).hasSize(32);
                  journal.close();
                }
              }
            });
  }

  private static void begin(Journal journal, RowSet rows) {
    try {
      long unused = journal.begin(List.of(), rows, 0);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
