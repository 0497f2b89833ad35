package dev.sluice.bench;

import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.CollectionResult;
import dev.sluice.collect.run.Collector;
import dev.sluice.collect.run.ProviderGates;
import dev.sluice.collect.sink.jsonlines.JsonLinesSink;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Shows a thousand collections in one process, each with a provider and a lane of its own, all of
 * them at the same time over one state database; and the same beside one more, whose provider
 * answers everything with a throttle and a wait of an hour, which it sits out: the others must not
 * notice. Turns with and without it alternate.
 *
 * <p>Arguments: collections (default 1,000), slices of each (default 5), turns of each kind
 * (default 3), and the folder in which to write (default: the system's for temporary files, which
 * should be on a disk). The providers answer from memory, at once; records go into JSON Lines.
 */
public final class ManyCollections {
  private static final int RECORDS = 20;
  private static final Duration PATIENCE = Duration.ofHours(2);
  private static final WebAnswer THROTTLE =
      new WebAnswer(
          429,
          HttpHeaders.of(Map.of("Retry-After", List.of("3600")), (name, value) -> true),
          new byte[0]);

  private final Time time = Time.real();
  private final Path folder;
  private final int collections;
  private final int slices;

  private ManyCollections(Path folder, int collections, int slices) {
    this.folder = folder;
    this.collections = collections;
    this.slices = slices;
  }

  /** Measures, and prints a table in Markdown. */
  public static void main(String[] args) throws Exception {
    int collections = args.length > 0 ? Math.clamp(Integer.parseInt(args[0]), 1, 10_000) : 1_000;
    int slices = args.length > 1 ? Math.clamp(Integer.parseInt(args[1]), 1, 1_000) : 5;
    int turns = args.length > 2 ? Math.clamp(Integer.parseInt(args[2]), 1, 100) : 3;
    try (Scratch scratch = Scratch.in(args.length > 3 ? Path.of(args[3]) : null)) {
      new ManyCollections(scratch.folder(), collections, slices).run(turns);
    }
  }

  private void run(int turns) throws Exception {
    double[] alone = new double[turns];
    double[] beside = new double[turns];
    for (int turn = -1; turn < turns; turn++) { // the first warms up
      for (int i = 0; i < 2; i++) {
        boolean throttled = Math.floorMod(i + turn, 2) == 1;
        double seconds = turn(throttled);
        if (turn >= 0) {
          (throttled ? beside : alone)[turn] = seconds;
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "| %,d collections of %d slices | all done after, s, by turn | slices per second, median"
            + " | |%n",
        collections,
        slices);
    System.out.println("|---|---|---:|---:|");
    print("alone", alone, alone);
    print("beside one that is throttled", beside, alone);
  }

  private void print(String name, double[] seconds, double[] alone) {
    String each =
        String.join(
            " · ",
            Arrays.stream(seconds)
                .mapToObj(figure -> String.format(Locale.ROOT, "%.2f", figure))
                .toList());
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.0f | %.1f %% |%n",
        name,
        each,
        collections * slices / median(seconds),
        100 * median(alone) / median(seconds));
  }

  private static double median(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** How many seconds it takes until all are done that are not throttled. */
  private double turn(boolean throttled) throws IOException, InterruptedException {
    Path here = Files.createTempDirectory(folder, "turn");
    System.gc();
    double seconds;
    try (Store store = Store.open(here.resolve("state.db"), time);
        ProviderGates gates = new ProviderGates(store, time)) {
      Optional<Throttled> one =
          throttled ? Optional.of(new Throttled(store, gates, here)) : Optional.empty();
      if (one.isPresent()) {
        one.get().awaitHold();
      }
      seconds = collectAll(store, gates, here);
      if (one.isPresent()) {
        one.get().end();
      }
    }
    Scratch.delete(here);
    return seconds;
  }

  private double collectAll(Store store, ProviderGates gates, Path here)
      throws InterruptedException {
    List<MemoryProvider> providers = new ArrayList<>();
    for (int i = 0; i < collections; i++) {
      providers.add(MemoryProvider.of("provider " + i, slices, RECORDS));
    }
    AtomicInteger completed = new AtomicInteger();
    List<Time.Task> tasks = new ArrayList<>();
    long start = time.nanos();
    for (MemoryProvider provider : providers) {
      String name = "collection of " + provider.provider().lane();
      CollectionRequest request = CollectionRequest.of(name, provider);
      tasks.add(
          time.start(
              name,
              () -> {
                CollectionResult result = collect(request, provider, store, gates, here);
                if (result != null && result.outcome().equals(new Outcome.Completed())) {
                  completed.incrementAndGet();
                }
              }));
    }
    for (Time.Task task : tasks) {
      task.join();
    }
    double seconds = (time.nanos() - start) / 1e9;
    if (completed.get() != collections) {
      throw new IllegalStateException(
          "only %d of %d collections were completed".formatted(completed.get(), collections));
    }
    return seconds;
  }

  private @Nullable CollectionResult collect(
      CollectionRequest request, Transport transport, Store store, ProviderGates gates, Path here) {
    try {
      return new Collector(
              request, new JsonLinesSink(here.resolve("data")), store, gates, transport, time)
          .run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** A collection whose provider wants a rest, which it waits for. */
  private final class Throttled {
    private final AtomicInteger asked = new AtomicInteger();
    private final Collector collector;
    private final Time.Task task;

    Throttled(Store store, ProviderGates gates, Path here) {
      this.collector =
          new Collector(
              CollectionRequest.of("throttled", MemoryProvider.of("throttled", 1, RECORDS))
                  .withInlineWait(PATIENCE),
              new JsonLinesSink(here.resolve("data")),
              store,
              gates,
              request -> {
                asked.incrementAndGet();
                return THROTTLE;
              },
              time);
      this.task =
          time.start(
              "throttled",
              () -> {
                try {
                  CollectionResult unused = collector.run();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
    }

    void awaitHold() throws InterruptedException {
      while (asked.get() == 0) {
        time.sleep(Duration.ofMillis(1));
      }
    }

    /** It has waited all the time, and is not waited for. */
    void end() throws InterruptedException {
      if (asked.get() != 1 || task.join(time.deadline(Duration.ZERO))) {
        throw new IllegalStateException("it did not wait as it was told");
      }
      collector.cancel(Duration.ZERO);
      task.join();
    }
  }
}
