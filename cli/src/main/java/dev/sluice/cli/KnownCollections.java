package dev.sluice.cli;

import dev.sluice.collect.run.Collector;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.words.Spelling;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.GapCount;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import java.util.Set;
import java.util.TreeSet;

/** The collections that a store knows of. */
final class KnownCollections {
  private final Store store;
  private final Time time;

  KnownCollections(Store store, Time time) {
    this.store = store;
    this.time = time;
  }

  /** Whether a collection of this name ever ran. */
  boolean has(String name) {
    return new Runs(store, time).last(Collector.KIND, name).isPresent();
  }

  /** What is said about a name that none has: what was probably meant, and where they are told. */
  String missing(String name) {
    return "there is no collection '%s' here%s; sluice gaps lists what is missing, sluice runs what ran"
        .formatted(
            name,
            Spelling.closest(name, withGaps())
                .map(close -> "; did you mean '%s'?".formatted(close))
                .orElse(""));
  }

  private Set<String> withGaps() {
    return store.read(
        transaction -> {
          Set<String> names = new TreeSet<>();
          StreamGaps.all(transaction).forEach(gap -> names.add(gap.track().collection()));
          DetailGaps.counts(transaction).stream().map(GapCount::collection).forEach(names::add);
          return names;
        });
  }
}
