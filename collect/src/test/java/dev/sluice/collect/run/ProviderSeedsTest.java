package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.Catalogue;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Signal;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Collections from simulated providers with the manners of real ones, by processes that are killed
 * at any write and any request: in the end every record is there, once, and nothing is left to do.
 *
 * <p>A failure names its seed; the system property {@code sluice.seed} repeats it alone.
 */
class ProviderSeedsTest {
  private static final long SEEDS = 20L * Integer.getInteger("sluice.seeds", 1);
  private static final int MOST_RUNS = 200;

  static LongStream seeds() {
    Long only = Long.getLong("sluice.seed");
    return only == null ? LongStream.range(0, SEEDS) : LongStream.of(only);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void killed_anywhere_everything_is_collected_once(long seed) {
    SimulatedTime.run(seed, time -> new Story(seed, time).happen());
  }

  private static final class Story {
    private static final List<String> LIMITS =
        List.of("none", "20/10s", "sliding:30/1m", "bucket:5:60/1m", "first:15/30s");
    private static final List<Misbehaviour> TROUBLE =
        List.of(
            Misbehaviour.CONNECTION_DROPS,
            Misbehaviour.BODY_TRUNCATED,
            Misbehaviour.RETRY_AFTER_AS_DATE,
            Misbehaviour.RETRY_AFTER_IN_DECIMALS,
            Misbehaviour.BLOCK_PAGE);

    private final RandomGenerator random;
    private final SimulatedTime time;
    private final int count;
    private final Items items;
    private final Provider provider;
    private final Store disk;
    private final MemorySink sink = new MemorySink();
    private final List<String> comments;

    Story(long seed, SimulatedTime time) {
      this.random = new SplittableRandom(seed);
      this.time = time;
      this.count = random.nextInt(1, 60);
      Items plain =
          Items.of(random.nextInt(1, 20))
              .paced(random.nextBoolean() ? LaneOptions.fixed(2) : LaneOptions.learning());
      boolean commented = random.nextBoolean();
      this.items = commented ? plain.withComments() : plain;
      CatalogueOptions catalogue = CatalogueOptions.DEFAULTS.withItems(count).withSeed(seed);
      this.comments = commented ? comments(catalogue) : List.of();
      this.provider =
          new Provider(
              ProviderOptions.DEFAULTS.withCatalogue(catalogue).withService(service()), time);
      this.disk = Store.inMemory(time);
    }

    /** Those of all items, in a catalogue like the provider's. */
    private List<String> comments(CatalogueOptions options) {
      Catalogue same = new Catalogue(options, time.instant(), time.nanos());
      return LongStream.rangeClosed(1, count)
          .mapToObj(id -> same.item(id).orElseThrow())
          .flatMap(item -> item.comments().stream())
          .map(comment -> String.valueOf(comment.id()))
          .toList();
    }

    private ServiceOptions service() {
      Set<Misbehaviour> misbehaviours = EnumSet.noneOf(Misbehaviour.class);
      for (Misbehaviour each : TROUBLE) {
        if (random.nextInt(4) == 0) {
          misbehaviours.add(each);
        }
      }
      return ServiceOptions.DEFAULTS
          .withLimit(LimitOptions.parse(LIMITS.get(random.nextInt(LIMITS.size()))))
          .withSignal(random.nextBoolean() ? Signal.RETRY_AFTER : Signal.BARE_503)
          .withMisbehaviours(misbehaviours);
    }

    void happen() throws Exception {
      int runs = 0;
      while (!isDone()) {
        assertThat(runs++).as("runs of a collection of %d items", count).isLessThan(MOST_RUNS);
        // Longer than a lease lasts, and than what was planned to be left rests.
        time.sleep(Duration.ofMinutes(random.nextInt(2, 40)));
      }
      assertThat(sink.keys("items"))
          .containsExactlyElementsOf(
              IntStream.rangeClosed(1, count).mapToObj(String::valueOf).toList());
      assertThat(sink.keys("comments")).containsExactlyInAnyOrderElementsOf(comments);
    }

    private boolean isDone() throws Exception {
      long life = random.nextInt(3) == 0 ? MortalProcess.IMMORTAL : random.nextInt(1, 60);
      MortalProcess.Fate fate =
          random.nextBoolean() ? MortalProcess.Fate.KILLED_BEFORE : MortalProcess.Fate.KILLED_AFTER;
      MortalProcess process =
          new MortalProcess(disk, new ProviderTransport(provider), time, fate, life);
      Envelope envelope =
          random.nextInt(3) == 0
              ? Envelope.UNBOUNDED.withRequestCap(random.nextInt(2, 30))
              : Envelope.UNBOUNDED;
      AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
      process.run(
          () ->
              outcome.set(
                  process
                      .collect(CollectionRequest.of("mine", items).withEnvelope(envelope), sink)
                      .outcome()));
      return !process.isDead() && outcome.get() instanceof Outcome.Completed;
    }
  }
}
