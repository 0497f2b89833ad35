package dev.sluice.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dataverse.DataverseClient;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever goes wrong: every row ends with the look-ups to other rows that its record has. */
@ParameterizedClass
@EnumSource
@TestInstance(Lifecycle.PER_CLASS)
class LinkSeedsTest {
  private static final int MOST_RUNS = 20;

  @TempDir Path folder;

  @Parameter TestDatabase database = TestDatabase.SQLITE_IN_MEMORY;

  LongStream seeds() {
    return LongStream.rangeClosed(1, database.seeds(40));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void every_look_up_within_the_file_is_set_or_rejected_once_with_its_reason(long seed)
      throws Exception {
    SplittableRandom chance = new SplittableRandom(seed);
    LinkedInput input = new LinkedInput(folder, chance);
    Scene.in(
        database, LoadSeedsTest.environment(chance), seed, scene -> finish(scene, input, chance));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_load_that_dies_in_either_pass_goes_on_and_ends_the_same(long seed) throws Exception {
    SplittableRandom chance = new SplittableRandom(~seed);
    LinkedInput input = new LinkedInput(folder, chance);
    Scene.in(
        database,
        LoadSeedsTest.environment(chance),
        seed,
        scene -> {
          int deaths = chance.nextInt(1, 6);
          while (deaths > 0 && die(scene, input, chance)) {
            deaths--;
          }
          if (deaths == 0) {
            finish(scene, input, chance);
          } else { // it was through before it died, or in that moment
            input.assertThatTheTableHoldsIt(scene.environment());
            input.assertThatRejectsHaveTheirReasons();
          }
        });
  }

  private static void finish(Scene scene, LinkedInput input, SplittableRandom chance)
      throws Exception {
    LoadResult result = run(scene, scene.store(), input, chance);
    for (int run = 1; run < MOST_RUNS && result.outcome().resumable(); run++) {
      result = run(scene, scene.store(), input, chance);
      assertThat(result.resumed()).isTrue();
    }
    assertThat(result.outcome())
        .isEqualTo(
            input.rejected.isEmpty()
                ? new Outcome.Completed()
                : new Outcome.CompletedWithRejections());
    LoadProgress progress = result.progress();
    assertThat(progress.read()).isEqualTo(input.records);
    assertThat(progress.rejected()).isEqualTo(input.rejected.size());
    assertThat(progress.done()).isEqualTo(input.records - input.rejected.size());
    assertThat(progress.lookups().waiting()).isZero();
    assertThat(result.deferred()).isZero();
    input.assertThatTheTableHoldsIt(scene.environment());
    input.assertThatRejectsHaveTheirReasons();
    assertThat(left(scene.store())).as("names that are kept for nothing").isZero();
  }

  private static long left(Store store) {
    return store.read(
        transaction ->
            transaction
                .row(
                    "select (select count(*) from row_name) + (select count(*) from waiting_row)",
                    row -> row.number(1))
                .orElseThrow());
  }

  /** Returns whether there is something to go on with. */
  private static boolean die(Scene scene, LinkedInput input, SplittableRandom chance)
      throws Exception {
    MortalStore mortal = new MortalStore(scene.store(), chance.nextInt(60), chance.nextBoolean());
    try {
      LoadResult unused = run(scene, mortal, input, chance);
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining("the process is dead");
    }
    scene.time().sleep(Leases.TERM.plusSeconds(1));
    List<RunRecord> last = new Runs(scene.store(), scene.time()).latest(1);
    return last.isEmpty() || last.getFirst().resumable();
  }

  private static LoadResult run(
      Scene scene, Store store, LinkedInput input, SplittableRandom chance) throws Exception {
    try (DataverseClient client = scene.connect()) {
      LoadRequest request =
          Scene.request(
              client.table("account"),
              input.kind.operation,
              input.file,
              input.kind.key(),
              input.mapping,
              false);
      LoadSeedsTest.trouble(scene, chance);
      LoadResult result = scene.load(client, store, request);
      LoadProgress progress = result.progress();
      assertThat(progress.done() + progress.rejected() + result.deferred())
          .isEqualTo(progress.read());
      assertThat(progress.done()).isNotNegative();
      assertThat(result.deferred()).isGreaterThanOrEqualTo(progress.lookups().waiting());
      return result;
    } finally {
      LoadSeedsTest.calm(scene);
    }
  }
}
