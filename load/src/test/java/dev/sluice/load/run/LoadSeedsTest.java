package dev.sluice.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dataverse.DataverseClient;
import dev.sluice.load.run.SeededInput.Kind;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.FaultKind;
import dev.sluice.simulator.dataverse.FaultRule;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** Whatever goes wrong: every record is in once, or rejected once with its reason. */
@ParameterizedClass
@EnumSource
@TestInstance(Lifecycle.PER_CLASS)
class LoadSeedsTest {
  /** A load that gives up for now is called again; so often it must have come through. */
  private static final int MOST_RUNS = 12;

  @TempDir Path folder;

  @Parameter TestDatabase database = TestDatabase.SQLITE_IN_MEMORY;

  LongStream seeds() {
    return LongStream.rangeClosed(1, database.seeds(40));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void every_record_is_in_once_or_rejected_once_with_its_reason(long seed) throws Exception {
    SplittableRandom chance = new SplittableRandom(seed);
    SeededInput input = new SeededInput(folder, chance);
    Scene.in(
        database,
        environment(chance),
        seed,
        scene -> {
          prepare(scene, input);
          finish(scene, input, chance);
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_load_that_dies_at_any_moment_goes_on_and_ends_the_same(long seed) throws Exception {
    SplittableRandom chance = new SplittableRandom(~seed);
    SeededInput input = new SeededInput(folder, chance);
    Scene.in(
        database,
        environment(chance),
        seed,
        scene -> {
          prepare(scene, input);
          int deaths = chance.nextInt(1, 5);
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

  private static void finish(Scene scene, SeededInput input, SplittableRandom chance)
      throws Exception {
    LoadResult result = run(scene, scene.store(), input, chance);
    for (int run = 1; run < MOST_RUNS && isDeferred(result); run++) {
      result = run(scene, scene.store(), input, chance);
      assertThat(result.resumed()).isTrue();
    }
    assertThat(result.outcome())
        .isEqualTo(
            input.rejected.isEmpty()
                ? new Outcome.Completed()
                : new Outcome.CompletedWithRejections());
    assertThat(result.complete()).isTrue();
    assertThat(result.deferred()).isZero();
    assertThat(result.progress().read()).isEqualTo(input.records);
    assertThat(result.progress().done()).isEqualTo(input.good());
    assertThat(result.progress().rejected()).isEqualTo(input.rejected.size());
    input.assertThatTheTableHoldsIt(scene.environment());
    input.assertThatRejectsHaveTheirReasons();
  }

  /** Returns whether there is something to go on with. */
  private static boolean die(Scene scene, SeededInput input, SplittableRandom chance)
      throws Exception {
    MortalStore mortal = new MortalStore(scene.store(), chance.nextInt(40), chance.nextBoolean());
    try {
      LoadResult unused = run(scene, mortal, input, chance);
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining("the process is dead");
    }
    // Nobody can prove that this process is dead: its lease has to run out.
    scene.time().sleep(Leases.TERM.plusSeconds(1));
    List<RunRecord> last = new Runs(scene.store(), scene.time()).latest(1);
    return last.isEmpty() || last.getFirst().resumable();
  }

  private static LoadResult run(
      Scene scene, Store store, SeededInput input, SplittableRandom chance) throws Exception {
    try (DataverseClient client = scene.connect()) {
      LoadRequest request = request(client, input);
      trouble(scene, chance);
      LoadResult result = scene.load(client, store, request);
      LoadProgress progress = result.progress();
      assertThat(progress.done() + progress.rejected() + result.deferred())
          .isEqualTo(progress.read());
      return result;
    } finally {
      calm(scene);
    }
  }

  private static LoadRequest request(DataverseClient client, SeededInput input) throws Exception {
    Kind kind = input.kind;
    return Scene.request(client.table(kind.table), kind.operation, input.file, kind.key(), false);
  }

  private static boolean isDeferred(LoadResult result) {
    return switch (result.outcome()) {
      case Outcome.Deferred deferred -> true;
      // Of very many messages, some have their token refused twice.
      case Outcome.Failed failed -> failed.reason() == Reason.Failure.AUTH_FAILURE;
      default -> false;
    };
  }

  static EnvironmentOptions environment(SplittableRandom chance) {
    return EnvironmentOptions.of(Scene.USERS)
        .withFarm(
            FarmOptions.DEFAULTS
                .withProtection(ProtectionOptions.UNLIMITED)
                .withServers(chance.nextInt(1, 4))
                .withJitter(0.5))
        .withParallelism(chance.nextInt(1, 9))
        .withPreparation(chance.nextBoolean())
        .withTokenLife(Duration.ofSeconds(chance.nextInt(20, 600)));
  }

  private static void prepare(Scene scene, SeededInput input) throws Exception {
    if (input.kind == Kind.CREATE) {
      try (DataverseClient client = scene.connect()) {
        assertThat(
                client
                    .createMultiple(
                        "account",
                        List.of(Map.of("name", "old", "accountnumber", SeededInput.TAKEN)))
                    .progress()
                    .done())
            .isEqualTo(1);
      }
    }
  }

  /** From here on things go wrong; signing in has its own tests. */
  static void trouble(Scene scene, SplittableRandom chance) {
    List<FaultRule> faults = new ArrayList<>();
    for (FaultKind kind : FaultKind.values()) {
      double rate = chance.nextBoolean() ? 0 : chance.nextDouble(0.06);
      faults.add(FaultRule.rate(kind, rate).lasting(Duration.ofSeconds(chance.nextInt(1, 30))));
    }
    scene.environment().strike(faults);
    scene
        .environment()
        .limit(
            ProtectionOptions.DOCUMENTED
                .withWindow(Duration.ofSeconds(chance.nextInt(5, 60)))
                .withRequests(chance.nextInt(5, 60))
                .withExecutionTime(Duration.ofMillis(chance.nextInt(500, 10_000)))
                .withConcurrent(chance.nextInt(1, 10))
                .withWaits(Duration.ofSeconds(1), Duration.ofSeconds(chance.nextInt(1, 60))));
  }

  static void calm(Scene scene) {
    scene.environment().strike(List.of());
    scene.environment().limit(ProtectionOptions.UNLIMITED);
  }
}
