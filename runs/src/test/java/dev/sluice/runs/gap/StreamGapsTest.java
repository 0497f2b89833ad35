package dev.sluice.runs.gap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class StreamGapsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant DUE = START.plus(Duration.ofHours(1));
  private static final Track ISSUES = new Track("mine", "issues", "", Mode.STEADY);
  private static final Track OLD_ISSUES = new Track("mine", "issues", "", Mode.CATCH_UP);
  private static final Track OTHERS = new Track("another", "issues", "north", Mode.STEADY);

  private final TestDatabase database;

  StreamGapsTest(TestDatabase database) {
    this.database = database;
  }

  private record World(SimulatedTime time, Store store) {
    void note(Track track, @Nullable String cursor, Reason reason, long run) {
      store.write(
          transaction -> {
            StreamGaps.note(
                transaction, track, Optional.ofNullable(cursor), reason, "words", DUE, run);
            return null;
          });
    }

    List<StreamGap> all() {
      return store.read(StreamGaps::all);
    }
  }

  private interface Story {
    void tell(World world) throws Exception;
  }

  private void simulate(Story story) {
    database.simulate(1, (time, store) -> story.tell(new World(time, store)));
  }

  @Test
  void a_gap_is_read_as_it_was_noted() {
    simulate(
        world -> {
          world.note(OTHERS, "c9", Reason.Pressure.RATE_LIMITED, 3);
          assertThat(world.all())
              .containsExactly(
                  new StreamGap(
                      OTHERS,
                      Optional.of("c9"),
                      Reason.Pressure.RATE_LIMITED,
                      "words",
                      START,
                      DUE,
                      3));
        });
  }

  @Test
  void a_gap_replaces_the_one_before_it_and_the_modes_have_one_each() {
    simulate(
        world -> {
          world.note(ISSUES, "c1", Reason.Planned.REQUEST_CAP, 1);
          world.note(OLD_ISSUES, "c0", Reason.Planned.WALL_CLOCK, 1);
          world.note(ISSUES, "c2", Reason.Failure.CURSOR_LOOP, 2);
          assertThat(world.all())
              .extracting(StreamGap::track, gap -> gap.cursor().orElseThrow(), StreamGap::reason)
              .containsExactly(
                  tuple(OLD_ISSUES, "c0", Reason.Planned.WALL_CLOCK),
                  tuple(ISSUES, "c2", Reason.Failure.CURSOR_LOOP));
        });
  }

  @Test
  void it_is_missing_since_it_first_stopped_at_that_cursor_and_anew_at_another() {
    simulate(
        world -> {
          for (@Nullable String cursor : new @Nullable String[] {null, "c1"}) {
            Instant first = world.time.instant();
            world.note(ISSUES, cursor, Reason.Planned.REQUEST_CAP, 1);
            world.time.sleep(Duration.ofMinutes(10));
            world.note(ISSUES, cursor, Reason.Pressure.CIRCUIT_OPEN, 2);
            StreamGap gap = world.all().getFirst();
            assertThat(gap.since()).isEqualTo(first);
            assertThat(gap.run()).isEqualTo(2);
            assertThat(gap.reason()).isEqualTo(Reason.Pressure.CIRCUIT_OPEN);
          }
        });
  }

  @Test
  void closing_takes_away_the_gap_of_that_track_alone() {
    simulate(
        world -> {
          world.note(ISSUES, "c1", Reason.Planned.REQUEST_CAP, 1);
          world.note(OLD_ISSUES, "c0", Reason.Planned.REQUEST_CAP, 1);
          for (int i = 0; i < 2; i++) {
            world.store.write(
                transaction -> {
                  StreamGaps.passed(transaction, ISSUES, 7);
                  return null;
                });
          }
          assertThat(
                  world.store.<List<Evidence>>read(
                      transaction -> EvidenceLog.latest(transaction, 7, 99)))
              .as("it was closed once")
              .singleElement()
              .satisfies(
                  evidence -> {
                    assertThat(evidence.kind()).isEqualTo(Evidence.Kind.GAP_CLOSED);
                    assertThat(evidence.facts()).containsEntry("stream", "issues");
                  });
          assertThat(world.all()).extracting(StreamGap::track).containsExactly(OLD_ISSUES);
        });
  }

  @Test
  void a_collection_is_asked_for_its_own_gaps() {
    simulate(
        world -> {
          world.note(ISSUES, "c1", Reason.Planned.REQUEST_CAP, 1);
          world.note(OTHERS, "c1", Reason.Planned.REQUEST_CAP, 1);
          List<StreamGap> mine =
              world.store.read(transaction -> StreamGaps.of(transaction, "mine"));
          assertThat(mine).extracting(StreamGap::track).containsExactly(ISSUES);
        });
  }
}
