package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.cli.SimulatedLoad.Look;
import dev.sluice.cli.SimulatedLoad.Seen;
import dev.sluice.dataverse.bulk.BulkProgress;
import dev.sluice.gate.PoolStatistics;
import dev.sluice.gate.time.Time;
import dev.sluice.load.reject.RejectReasons;
import dev.sluice.load.run.LoadProgress;
import dev.sluice.runs.run.Outcome;
import dev.sluice.simulator.dataverse.ServiceTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much longer a load takes, as its line says it, beside how much longer it took. */
class LoadHistoryTest {
  /** What is said is at most so many times what is true, and at least that part of it. */
  private static final double FACTOR = 3;

  /** Or it is off by less than this: when a budget comes back, nobody knows before it is spent. */
  private static final Duration WINDOW = SimulatedLoad.LIMITS.window();

  private static final ServiceTimes SLOW = ServiceTimes.TYPICAL.times(5);

  @TempDir Path folder;

  @Test
  void the_time_to_go_is_right_within_a_factor_of_three_or_a_window_from_a_fifth_on() {
    SimulatedLoad.in(
        1,
        SimulatedLoad.environment(1).withTimes(SLOW),
        scene -> {
          Seen seen = scene.load(SimulatedLoad.file(folder, 30_000), 100, Long.MAX_VALUE);
          assertThat(seen.result().outcome()).isEqualTo(new Outcome.Completed());
          assertRight(seen, 0);
        });
  }

  @Test
  void the_time_to_go_is_right_for_a_load_that_goes_on_at_nine_tenths() {
    SimulatedLoad.in(
        1,
        SimulatedLoad.environment(1).withTimes(SLOW),
        scene -> {
          Path file = SimulatedLoad.file(folder, 200_000);
          Seen first = scene.load(file, 100, 180_000);
          assertThat(first.result().outcome()).isEqualTo(new Outcome.Cancelled());
          long before = first.result().progress().done();
          Seen second = scene.load(file, 100, Long.MAX_VALUE);
          assertThat(second.result().resumed()).isTrue();
          assertThat(second.result().progress().done()).isEqualTo(200_000);
          assertRight(second, before);
        });
  }

  @Test
  void the_time_to_go_is_right_for_a_load_of_300_rows() {
    SimulatedLoad.in(
        1,
        SimulatedLoad.environment(1).withTimes(SLOW.times(2)),
        scene -> {
          Seen seen = scene.load(SimulatedLoad.file(folder, 300), 10, Long.MAX_VALUE);
          assertThat(seen.looks()).isNotEmpty();
          assertNothingWrong(seen, seen.looks()); // most of it is too early to tell
        });
  }

  @Test
  void the_time_to_go_is_right_with_a_throttle_in_the_middle() {
    SimulatedLoad.in(
        1,
        SimulatedLoad.environment(1).withTimes(SLOW),
        scene -> {
          Time.Task neighbour =
              scene
                  .time()
                  .start(
                      "neighbour",
                      () -> {
                        try {
                          scene.time().sleep(Duration.ofSeconds(100));
                          scene.useUp();
                        } catch (InterruptedException e) {
                          Thread.currentThread().interrupt();
                        }
                      });
          Seen seen = scene.load(SimulatedLoad.file(folder, 40_000), 100, Long.MAX_VALUE);
          neighbour.join();
          assertThat(seen.history().all().held().values()).anyMatch(held -> held > 5);
          assertRight(seen, 0);
        });
  }

  /** From a fifth of this run's rows on, and there is something to see from there. */
  private static void assertRight(Seen seen, long before) {
    long rows = seen.result().progress().done();
    List<Look> late =
        seen.looks().stream()
            .filter(look -> look.progress().done() - before >= 0.2 * (rows - before))
            .toList();
    assertThat(late).isNotEmpty();
    long told = late.stream().filter(look -> look.left().isPresent()).count();
    assertThat((double) told / late.size()).isGreaterThan(0.5);
    assertNothingWrong(seen, late);
  }

  private static void assertNothingWrong(Seen seen, List<Look> looks) {
    for (Look look : looks) {
      look.left()
          .ifPresent(
              left -> {
                Duration truth = Duration.ofNanos(seen.ended() - look.nanos());
                String where =
                    "after %,d rows: said %s, true %s"
                        .formatted(look.progress().done(), left, truth);
                double ratio = (double) left.toMillis() / truth.toMillis();
                Duration off = left.minus(truth).abs();
                assertThat(off.compareTo(WINDOW) < 0 || (ratio < FACTOR && ratio > 1 / FACTOR))
                    .as(where)
                    .isTrue();
              });
    }
  }

  @Test
  void a_long_load_is_kept_in_few_slots_and_nothing_is_lost() {
    LoadHistory history = new LoadHistory(SimulatedLoad.LIMITS);
    PoolStatistics nobody = new PoolStatistics(0, 0, 0, 0, 0, "", 0, List.of());
    for (int i = 0; i <= 100_000; i++) {
      history.sample(progress(i), nobody, i * LoadHistory.EVERY.toNanos());
    }
    assertThat(history.slots()).hasSizeBetween(300, 600);
    assertThat(history.all().rows()).isEqualTo(100_000);
    assertThat(history.all().seconds()).isCloseTo(25_000, within(1e-6));
    assertThat(history.slices(100))
        .hasSize(100)
        .allSatisfy(slice -> assertThat(slice.seconds()).isCloseTo(250, within(1e-6)))
        .allSatisfy(slice -> assertThat(slice.rows()).isCloseTo(1_000, within(1e-3)));
  }

  private static LoadProgress progress(long done) {
    return new LoadProgress(
        done,
        done,
        0,
        RejectReasons.NONE,
        new LoadProgress.Lookups(0, 0),
        OptionalLong.empty(),
        new BulkProgress(
            done, 0, 0, 0, 100, Duration.ZERO, 0, 0, 0, 0, Map.of(), Map.of(), Map.of(), ""));
  }
}
