package dev.sluice.bench;

import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.CollectionResult;
import dev.sluice.collect.run.Collector;
import dev.sluice.collect.run.ProviderGates;
import dev.sluice.collect.sink.jsonlines.JsonLinesSink;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.gap.MissedDetails;
import dev.sluice.runs.gap.MissingDetail;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shows a collection with a thousand to a million details missing: how long it takes until the
 * first of them is asked for, and what recovering one costs, neither of which must grow with the
 * backlog; and what the end of the run costs, which counts the gaps that are left. Meant for a
 * small heap: {@code -Xmx256m}.
 *
 * <p>Arguments: the largest backlog (default a million), how many gaps each run recovers (default
 * 1,000), runs at each backlog (default 5), and the folder in which to write (default: the system's
 * for temporary files, which should be on a disk). The provider answers from memory, at once;
 * records go into JSON Lines, the state is an SQLite file.
 */
public final class ManyGaps {
  private static final List<Integer> BACKLOGS = List.of(1_000, 100_000, 1_000_000);
  private static final int NOTED_TOGETHER = 10_000;
  private static final String COLLECTION = "mine";

  private final Time time = Time.real();
  private final MemoryProvider provider = MemoryProvider.of("memory", 0, 0);
  private final Path folder;
  private final int recovered;
  private final int runs;

  private ManyGaps(Path folder, int recovered, int runs) {
    this.folder = folder;
    this.recovered = recovered;
    this.runs = runs;
  }

  /** Prints a table in Markdown. */
  public static void main(String[] args) throws Exception {
    int largest = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int recovered = args.length > 1 ? Math.clamp(Integer.parseInt(args[1]), 1, 100_000) : 1_000;
    int runs = args.length > 2 ? Math.clamp(Integer.parseInt(args[2]), 1, 100) : 5;
    try (Scratch scratch = Scratch.in(args.length > 3 ? Path.of(args[3]) : null)) {
      ManyGaps bench = new ManyGaps(scratch.folder(), recovered, runs);
      String unused = bench.row("warm-up", recovered);
      System.out.printf(
          Locale.ROOT,
          "| backlog | first request after, ms: median (range) | µs per recovered gap, of %,d:"
              + " median (range) | end of the run, ms: median |%n",
          recovered);
      System.out.println("|---:|---:|---:|---:|");
      for (int backlog : BACKLOGS) {
        if (backlog <= largest) {
          System.out.println(bench.row("gaps-" + backlog, Math.max(backlog, recovered)));
        }
      }
    }
  }

  private String row(String name, int backlog) throws Exception {
    double[] first = new double[runs];
    double[] each = new double[runs];
    double[] end = new double[runs];
    Path here = folder.resolve(name);
    try (Store store = Store.open(here.resolve("state.db"), time)) {
      long noted = 0;
      for (int run = 0; run < runs; run++) {
        long wanted = backlog + (long) run * recovered; // as many as the runs before have had
        note(store, noted, wanted);
        noted = wanted;
        time.sleep(Duration.ofMillis(10)); // gaps are older than the run that recovers them
        System.gc();
        Moments moments = recover(store, here.resolve("data"));
        first[run] = (moments.first - moments.start) / 1e6;
        each[run] = (moments.last - moments.first) / 1e3 / recovered;
        end[run] = (moments.end - moments.last) / 1e6;
      }
    }
    Scratch.delete(here);
    return String.format(
        Locale.ROOT,
        "| %,d | %s | %s | %.0f |",
        backlog,
        medianAndRange(first),
        medianAndRange(each),
        median(end));
  }

  private static double median(double[] figures) {
    Arrays.sort(figures);
    return figures[figures.length / 2];
  }

  private static String medianAndRange(double[] figures) {
    return String.format(
        Locale.ROOT,
        "%.0f (%.0f to %.0f)",
        median(figures),
        figures[0],
        figures[figures.length - 1]);
  }

  /** As a run notes them that had to stop before it asked for them. */
  private static void note(Store store, long from, long to) {
    for (long begin = from; begin < to; begin += NOTED_TOGETHER) {
      long first = begin;
      long last = Math.min(to, begin + NOTED_TOGETHER);
      store.write(
          transaction -> {
            for (long id = first; id < last; id++) {
              boolean unused =
                  MissedDetails.note(
                      transaction,
                      new MissingDetail(
                          COLLECTION,
                          MemoryProvider.DETAIL,
                          MemoryProvider.LIST,
                          String.valueOf(id),
                          "",
                          "{\"id\":\"%d\"}".formatted(id)),
                      1,
                      new Miss.NotSent(Reason.Planned.REQUEST_CAP));
            }
            return null;
          });
    }
  }

  /** When the run began, asked for the first and the last detail, and was over. */
  private record Moments(long start, long first, long last, long end) {}

  private Moments recover(Store store, Path data) throws InterruptedException {
    AtomicLong first = new AtomicLong();
    AtomicLong last = new AtomicLong();
    Transport watched =
        request -> {
          long now = time.nanos();
          boolean unused = first.compareAndSet(0, now);
          last.set(now);
          return provider.send(request);
        };
    long start = time.nanos();
    try (ProviderGates gates = new ProviderGates(store, time)) {
      CollectionResult result =
          new Collector(
                  CollectionRequest.of(COLLECTION, provider)
                      .withEnvelope(Envelope.UNBOUNDED.withRequestCap(recovered)),
                  new JsonLinesSink(data),
                  store,
                  gates,
                  watched,
                  time)
              .run();
      long end = time.nanos();
      if (result.progress().recovered() != recovered) {
        throw new IllegalStateException("not so many were recovered: " + result);
      }
      return new Moments(start, first.get(), last.get(), end);
    }
  }
}
