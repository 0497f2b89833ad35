package dev.sluice.bench;

import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.CollectionResult;
import dev.sluice.collect.run.Collector;
import dev.sluice.collect.run.ProviderGates;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.jsonlines.JsonLinesSink;
import dev.sluice.collect.sink.sql.Dialect;
import dev.sluice.collect.sink.sql.SqlSink;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a whole collection costs beside a bare loop that makes the same slices durable: slices of 20
 * records per second, from a provider in memory that answers at once. The collection has its gate,
 * leases, bookmarks and evidence; the loop reads the same answers, and makes one commit per slice
 * with the same settings of SQLite, and one append and sync per slice where records go into a file.
 * They take turns, and each turn is one measurement; one more turn, which is not timed, counts
 * commits and syncs.
 *
 * <p>Arguments: slices in a turn (default 2,000), turns (default 5), and the folder in which to
 * write (default: the system's for temporary files, which should be on a disk).
 */
public final class CollectBesideBareLoop {
  static final int RECORDS = 20;

  private final Time time = Time.real();
  private final int slices;
  private final Path folder;
  private final MemoryProvider provider;
  private final BareSlices bare;

  private CollectBesideBareLoop(int slices, Path folder) {
    this.slices = slices;
    this.folder = folder;
    this.provider = MemoryProvider.of("memory", slices, RECORDS);
    this.bare = new BareSlices(provider, slices, time);
  }

  /** Who takes turns. */
  private enum Runner {
    LOOP_ROWS("bare loop, rows"),
    COLLECTION_ROWS("collection, rows in the state database"),
    LOOP_FILE("bare loop, lines in a file"),
    COLLECTION_FILE("collection, JSON Lines");

    private final String words;

    Runner(String words) {
      this.words = words;
    }

    /** The loop that it is beside. */
    Runner loop() {
      return switch (this) {
        case LOOP_ROWS, COLLECTION_ROWS -> LOOP_ROWS;
        case LOOP_FILE, COLLECTION_FILE -> LOOP_FILE;
      };
    }
  }

  /**
   * One turn.
   *
   * @param commits as SQLite counted them
   */
  record Turn(double rate, long commits) {}

  /** Measures, and prints a table in Markdown. */
  public static void main(String[] args) throws Exception {
    int slices = args.length > 0 ? Math.clamp(Integer.parseInt(args[0]), 10, 100_000) : 2_000;
    int turns = args.length > 1 ? Math.clamp(Integer.parseInt(args[1]), 1, 100) : 5;
    try (Scratch scratch = Scratch.in(args.length > 2 ? Path.of(args[2]) : null)) {
      new CollectBesideBareLoop(slices, scratch.folder()).run(turns);
    }
  }

  private void run(int turns) throws Exception {
    Map<Runner, double[]> rates = new EnumMap<>(Runner.class);
    Runner[] runners = Runner.values();
    for (Runner runner : runners) {
      rates.put(runner, new double[turns]);
    }
    for (int turn = -1; turn < turns; turn++) { // the first warms up
      for (int i = 0; i < runners.length; i++) {
        Runner runner = runners[Math.floorMod(i + turn, runners.length)];
        double rate = turn(runner).rate;
        if (turn >= 0) {
          rates.getOrDefault(runner, new double[0])[turn] = rate;
        }
      }
    }
    System.out.println(
        "| | slices per second, by turn | share of the loop, median (range) | commits per slice"
            + " | file syncs per slice |");
    System.out.println("|---|---|---:|---:|---:|");
    for (Runner runner : runners) {
      print(
          runner,
          rates.getOrDefault(runner, new double[0]),
          rates.getOrDefault(runner.loop(), new double[0]));
    }
  }

  private void print(Runner runner, double[] rates, double[] loop) throws Exception {
    double[] shares = new double[rates.length];
    StringBuilder each = new StringBuilder();
    for (int i = 0; i < rates.length; i++) {
      shares[i] = 100 * rates[i] / loop[i];
      each.append(i == 0 ? "" : " · ").append(String.format(Locale.ROOT, "%.0f", rates[i]));
    }
    Arrays.sort(shares);
    AtomicLong commits = new AtomicLong();
    String syncs =
        FileSyncs.during(() -> commits.set(turn(runner).commits))
            .map(count -> perSlice(count))
            .orElse("needs Java 25");
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.1f %% (%.1f to %.1f) | %s | %s |%n",
        runner.words,
        each,
        shares[shares.length / 2],
        shares[0],
        shares[shares.length - 1],
        perSlice(commits.get()),
        syncs);
  }

  private String perSlice(long count) {
    return String.format(Locale.ROOT, "%.3f (%d of %d)", (double) count / slices, count, slices);
  }

  private Turn turn(Runner runner) throws Exception {
    Path here = Files.createTempDirectory(folder, "turn");
    System.gc(); // what the turn before left behind is not collected in this one
    Turn turn =
        switch (runner) {
          case LOOP_ROWS -> bare.rows(here);
          case LOOP_FILE -> bare.lines(here);
          case COLLECTION_ROWS -> collection(here, SqlSink.inStore(Dialect.SQLITE, time));
          case COLLECTION_FILE -> collection(here, new JsonLinesSink(here.resolve("data")));
        };
    Scratch.delete(here);
    return turn;
  }

  private Turn collection(Path here, Sink sink) throws IOException, InterruptedException {
    Path file = here.resolve("state.db");
    try (Store store = Store.open(file, time);
        ProviderGates gates = new ProviderGates(store, time);
        Sink closed = sink) {
      CommitCount commits = CommitCount.of(file);
      long start = time.nanos();
      CollectionResult result =
          new Collector(
                  CollectionRequest.of("mine", provider), closed, store, gates, provider, time)
              .run();
      double rate = slices / ((time.nanos() - start) / 1e9);
      if (!result.outcome().equals(new Outcome.Completed())
          || result.progress().records() != (long) slices * RECORDS) {
        throw new IllegalStateException("not everything was collected: " + result);
      }
      return new Turn(rate, commits.since());
    }
  }
}
