package dev.sluice.runs.gap;

import static dev.sluice.runs.gap.GapWorld.COLLECTION;
import static dev.sluice.runs.gap.GapWorld.NOT_SENT;
import static dev.sluice.runs.gap.GapWorld.PUT_OFF;
import static dev.sluice.runs.gap.GapWorld.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs that note, drain and crash at random, against what the rules say in one plain question. */
@ParameterizedClass
@EnumSource
@TestInstance(Lifecycle.PER_CLASS)
class DetailGapsPropertyTest {
  private static final String ELIGIBLE =
      """
      select record_key from detail_gap
      where collection = ? and state = 'pending' and first_seen < ? and due <= ? and turn < ?
        and tried_in <> ?
      order by turn, id
      """;

  @Parameter TestDatabase database = TestDatabase.SQLITE_IN_MEMORY;

  LongStream seeds() {
    return LongStream.range(0, database.seeds(20));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void every_gap_that_may_be_tried_is_tried_once_per_run_in_order_and_draining_ends(long seed) {
    database.simulate(
        seed, (time, store) -> new Story(new GapWorld(time, store), time.random()).tell());
  }

  private static final class Story {
    private final GapWorld world;
    private final RandomGenerator random;
    private final Map<String, Long> versions = new HashMap<>();
    private long run = 1;

    Story(GapWorld world, RandomGenerator random) {
      this.world = world;
      this.random = random;
    }

    void tell() throws InterruptedException {
      for (; run < 12; run++) {
        noteSome();
        world.time().sleep(Duration.ofSeconds(1 + random.nextInt(10_000)));
        drain(random.nextInt(4) == 0 ? random.nextInt(20) : Integer.MAX_VALUE);
      }
      everythingIsServedInTheEnd();
    }

    private void noteSome() {
      for (int i = random.nextInt(30); i > 0; i--) {
        noteAny();
      }
    }

    private void noteAny() {
      String key = "k" + random.nextInt(40);
      world.note(key, "x".repeat(random.nextInt(3_000)), run, anyMiss());
      long version = versions.merge(key, 1L, Long::sum);
      assertThat(world.now(key).version()).isEqualTo(version);
    }

    private Miss anyMiss() {
      return switch (random.nextInt(4)) {
        case 0 -> NOT_SENT;
        case 1 -> REFUSED;
        case 2 -> PUT_OFF;
        default ->
            new Miss.PutOff(
                Reason.Pressure.RATE_LIMITED,
                Optional.of(world.time().instant().plusSeconds(random.nextInt(20_000) - 5_000)));
      };
    }

    /** Goes on until a page is empty, or crashes after so many. */
    private void drain(int most) throws InterruptedException {
      Instant began = world.time().instant();
      Set<String> tried = new HashSet<>();
      int served = 0;
      while (true) {
        int expired = world.store().write(t -> LeasedGaps.returnExpired(t, COLLECTION));
        assertThat(expired).isGreaterThanOrEqualTo(0);
        List<String> eligible = eligible(began);
        List<DetailGap> page = world.page(run, began, LeasedGaps.LEAST_PAGE_BYTES);
        List<String> keys = page.stream().map(DetailGap::recordKey).toList();
        assertThat(keys).isEqualTo(eligible.subList(0, keys.size()));
        if (page.isEmpty()) {
          assertThat(eligible).isEmpty();
          return;
        }
        for (DetailGap gap : page) {
          if (++served > most) {
            return; // a crash: its leases expire
          }
          assertThat(tried.add(gap.recordKey())).as("tried once in a run").isTrue();
          settle(gap);
        }
      }
    }

    private List<String> eligible(Instant began) {
      return world
          .store()
          .read(
              transaction ->
                  transaction.rows(
                      ELIGIBLE,
                      row -> row.text(1),
                      COLLECTION,
                      began,
                      transaction.now(),
                      began,
                      run));
    }

    private void settle(DetailGap gap) throws InterruptedException {
      world.time().sleep(Duration.ofMillis(random.nextInt(500)));
      boolean seenAgain = random.nextInt(10) == 0;
      if (seenAgain) {
        world.note(gap.recordKey(), "{}", run, PUT_OFF);
        versions.merge(gap.recordKey(), 1L, Long::sum);
      }
      switch (random.nextInt(4)) {
        case 0 -> assertThat(world.recovered(gap)).isEqualTo(!seenAgain);
        case 1 -> assertThat(world.gone(gap, run)).isEqualTo(!seenAgain);
        case 2 -> assertThat(world.missed(gap, run, REFUSED)).isNotEqualTo(State.LEASED);
        default -> assertThat(world.missed(gap, run, PUT_OFF)).isEqualTo(State.PENDING);
      }
    }

    /** Once the provider serves everything, one more run leaves nothing pending. */
    private void everythingIsServedInTheEnd() throws InterruptedException {
      world.time().sleep(Duration.ofHours(7));
      Instant began = world.time().instant();
      for (List<DetailGap> page = world.page(run, began); !page.isEmpty(); ) {
        page.forEach(gap -> assertThat(world.recovered(gap)).isTrue());
        page = world.page(run, began);
      }
      List<GapCount> counts = world.store().read(DetailGaps::counts);
      assertThat(counts).extracting(GapCount::state).doesNotContain(State.PENDING, State.LEASED);
    }
  }
}
