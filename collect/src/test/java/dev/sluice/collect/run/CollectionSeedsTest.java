package dev.sluice.collect.run;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.store.TestDatabase;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Collections drawn by chance, in simulated time, by processes that are killed or stand still at
 * any write and any request, two at a time, while the wall clock is set back and forward: what
 * {@link Ordeal#check} says holds.
 */
class CollectionSeedsTest {
  private static final long SEEDS = 20L * Integer.getInteger("sluice.seeds", 1);

  static LongStream seeds() {
    Long only = Long.getLong("sluice.seed");
    return only == null ? LongStream.range(0, SEEDS) : LongStream.of(only);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void two_workers_killed_anywhere_collect_everything_once(long seed) {
    Shelf.Kind[] shelves = Shelf.Kind.values();
    SimulatedTime.run(
        seed,
        time -> {
          try (Ordeal ordeal =
              new Ordeal(
                  seed,
                  time,
                  TestDatabase.SQLITE_IN_MEMORY,
                  shelves[(int) (seed % shelves.length)])) {
            ordeal.rage();
            ordeal.calmDown();
            ordeal.check();
          }
        });
  }
}
