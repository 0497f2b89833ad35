package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.collect.run.MortalProcess.Fate;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.store.TestDatabase;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Collections drawn by chance, in simulated time, by processes that are killed or stand still at
 * any write and any request, two at a time, while the wall clock is set back and forward: whatever
 * happened, {@link Ordeal#check} finds everything in order.
 *
 * <p>A failure names its seed; the system property {@code sluice.seed} repeats it alone.
 */
class CollectionSeedsTest {
  private static final long SEEDS = 20L * Integer.getInteger("sluice.seeds", 1);

  /** Each is as many stories as a collection has steps. */
  private static final long SEEDS_OF_STEPS = Math.max(3, Math.ceilDiv(SEEDS, 20L));

  private interface Plot {
    void happen(Ordeal ordeal) throws InterruptedException;
  }

  static LongStream seeds() {
    return seeds(SEEDS);
  }

  static LongStream seedsOfSteps() {
    return seeds(SEEDS_OF_STEPS);
  }

  private static LongStream seeds(long count) {
    Long only = Long.getLong("sluice.seed");
    return only == null ? LongStream.range(0, count) : LongStream.of(only);
  }

  private static void play(long seed, Depot.Kind depot, Plot plot) {
    SimulatedTime.run(
        seed,
        time -> {
          try (Ordeal ordeal = new Ordeal(seed, time, TestDatabase.SQLITE_IN_MEMORY, depot)) {
            plot.happen(ordeal);
          }
        });
  }

  private static <T> T any(T[] values, long which) {
    return values[(int) (which % values.length)];
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void two_workers_killed_anywhere_collect_everything_once(long seed) {
    play(
        seed,
        any(Depot.Kind.values(), seed),
        ordeal -> {
          ordeal.rage();
          ordeal.calmDown();
          ordeal.check();
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seedsOfSteps")
  void whichever_step_is_the_last_the_next_process_goes_on(long seed) {
    AtomicLong steps = new AtomicLong();
    play(
        seed,
        any(Depot.Kind.values(), seed),
        ordeal -> steps.set(ordeal.meet(Fate.KILLED_BEFORE, MortalProcess.IMMORTAL)));
    for (long step = 0; step < steps.get(); step++) {
      long last = step;
      Fate fate = any(Fate.values(), step + seed);
      assertThatCode(
              () ->
                  play(
                      seed,
                      any(Depot.Kind.values(), last / Fate.values().length),
                      ordeal -> {
                        long unused = ordeal.meet(fate, last);
                        ordeal.calmDown();
                        ordeal.check();
                      }))
          .as("%s at step %d of %d", fate, step, steps.get())
          .doesNotThrowAnyException();
    }
  }
}
