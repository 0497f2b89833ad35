package dev.sluice.collect.run;

import dev.sluice.collect.run.MortalProcess.Fate;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.store.TestDatabase;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link CollectionSeedsTest} shows in memory, on databases that outlive their processes: each
 * process opens its own. The system property {@code sluice.seed} repeats one seed alone here, too.
 */
class CollectionDatabasesTest {
  /** Few enough that many processes come to it. */
  private static final int LAST_STEP = 50;

  static Stream<Arguments> someSeeds() {
    return seeds(0, 2);
  }

  static Stream<Arguments> manySeeds() {
    return seeds(2, 22);
  }

  private static Stream<Arguments> seeds(long from, long to) {
    Long only = Long.getLong("sluice.seed");
    return Stream.of(TestDatabase.SQLITE_FILE, TestDatabase.POSTGRESQL)
        .flatMap(
            kind ->
                (only == null ? LongStream.range(from, to) : LongStream.of(only))
                    .mapToObj(seed -> Arguments.of(kind, seed)));
  }

  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("someSeeds")
  void killed_at_some_steps_everything_is_collected_once(TestDatabase kind, long seed) {
    stumble(kind, seed, 3);
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("manySeeds")
  void killed_at_many_steps_everything_is_collected_once(TestDatabase kind, long seed) {
    stumble(kind, seed, 10);
  }

  private static void stumble(TestDatabase kind, long seed, int times) {
    RandomGenerator random = new SplittableRandom(seed);
    Depot.Kind depot = any(Depot.Kind.values(), random);
    SimulatedTime.run(
        seed,
        time -> {
          try (Ordeal ordeal = new Ordeal(seed, time, kind, depot)) {
            for (int i = 0; i < times; i++) {
              long unused = ordeal.meet(any(Fate.values(), random), random.nextInt(LAST_STEP));
            }
            ordeal.calmDown();
            ordeal.check();
          }
        });
  }

  private static <T> T any(T[] values, RandomGenerator random) {
    return List.of(values).get(random.nextInt(values.length));
  }
}
