package dev.sluice.runs.reset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.HadDetails;
import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.gap.MissedDetails;
import dev.sluice.runs.gap.MissingDetail;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ResetTest {
  private static final Track STEADY = new Track("hub", "issues", "", Mode.STEADY);
  private static final Track CATCH_UP = new Track("hub", "issues", "", Mode.CATCH_UP);
  private static final Track NORTH = new Track("hub", "orders", "north", Mode.STEADY);
  private static final Track SOUTH = new Track("hub", "orders", "south", Mode.STEADY);
  private static final Track OTHER = new Track("lab", "issues", "", Mode.STEADY);

  private final TestDatabase database;

  ResetTest(TestDatabase database) {
    this.database = database;
  }

  private record World(SimulatedTime time, Store store) {
    Reset reset(String collection, String... streamAndSplit) {
      return new Reset(
          store,
          time,
          new Leases(store, time),
          new Scope(
              collection,
              streamAndSplit.length > 0 ? Optional.of(streamAndSplit[0]) : Optional.empty(),
              streamAndSplit.length > 1 ? Optional.of(streamAndSplit[1]) : Optional.empty()));
    }

    Optional<Bookmark> find(Track track) {
      return store.read(transaction -> Bookmarks.find(transaction, track));
    }

    List<Track> anew() {
      return List.of(STEADY, CATCH_UP, NORTH, SOUTH, Track.recovery("hub"), OTHER).stream()
          .filter(track -> find(track).map(Bookmark::anew).orElse(false))
          .toList();
    }

    String horizon(String proposed) {
      return store.write(
          transaction -> Bookmarks.horizon(transaction, "hub", "issues", "", proposed));
    }

    RunRecord lastRun() {
      return new Runs(store, time).last(Reset.KIND, "hub").orElseThrow();
    }
  }

  private interface Story {
    void tell(World world) throws Exception;
  }

  /** A collection with a list on both sides of a horizon, one in two parts, and another one. */
  private void simulate(Story story) {
    database.simulate(
        1,
        (time, store) -> {
          World world = new World(time, store);
          assertThat(world.horizon("2026-01-01")).isEqualTo("2026-01-01");
          store.write(
              transaction -> {
                Bookmarks.move(transaction, STEADY, "7", "files");
                Bookmarks.shrink(transaction, STEADY);
                Bookmarks.move(transaction, CATCH_UP, "3", "files");
                Bookmarks.finish(transaction, CATCH_UP);
                Bookmarks.move(transaction, NORTH, "n", "files");
                Bookmarks.move(transaction, SOUTH, "s", "files");
                Bookmarks.move(transaction, Track.recovery("hub"), null, "files");
                Bookmarks.move(transaction, OTHER, "9", "files");
                StreamGaps.note(
                    transaction,
                    STEADY,
                    Optional.of("7"),
                    Reason.Failure.STORAGE,
                    "",
                    Instant.EPOCH,
                    1);
                HadDetails.note(transaction, STEADY, "comments", "k", "first", 1);
                noteMissing(transaction, STEADY);
                noteMissing(transaction, NORTH);
                return null;
              });
          story.tell(world);
        });
  }

  private static void noteMissing(Transaction transaction, Track track) {
    boolean unused =
        MissedDetails.note(
            transaction,
            new MissingDetail(
                track.collection(), "comments", track.stream(), "k", track.split(), "{}"),
            1,
            new Miss.NotSent(Reason.Planned.REQUEST_CAP));
  }

  @Test
  void a_stream_that_is_reset_finds_again_what_is_missing_of_its_records() {
    simulate(
        world -> {
          assertThat(world.reset("hub", "issues").carryOut()).isEmpty();
          List<DetailGap> left =
              world.store.read(t -> DetailGaps.list(t, "hub", Optional.empty(), 9));
          assertThat(left).extracting(DetailGap::parentStream).containsExactly(NORTH.stream());
        });
  }

  @Test
  void nothing_is_reset_while_somebody_recovers_what_would_be_forgotten() {
    simulate(
        world -> {
          Leases others = new Leases(world.store, world.time);
          String recovery = Track.recovery("hub").leaseName();
          try (Lease lease = ((Claim.Taken) others.take(recovery)).lease()) {
            assertThat(lease.name()).isEqualTo(recovery);
            assertThat(world.reset("hub", "issues").carryOut()).isPresent();
          }
          assertThat(world.anew()).isEmpty();
        });
  }

  @Test
  void a_stream_that_is_reset_stands_at_its_beginning_in_both_modes() {
    simulate(
        world -> {
          assertThat(world.reset("hub", "issues").carryOut()).isEmpty();
          for (Track track : List.of(STEADY, CATCH_UP)) {
            assertThat(world.find(track))
                .contains(
                    new Bookmark(
                        track,
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        0,
                        world.time.instant(),
                        true));
          }
          assertThat(world.horizon("2026-02-02")).isEqualTo("2026-02-02");
          assertThat(world.store.<List<?>>read(t -> StreamGaps.of(t, "hub"))).isEmpty();
          assertThat(
                  world.store.<Optional<String>>read(
                      t -> HadDetails.edition(t, STEADY, "comments", "k")))
              .isEmpty();
        });
  }

  @Test
  void what_was_not_named_stays_where_it_is() {
    simulate(
        world -> {
          assertThat(world.reset("hub", "orders", "north").carryOut()).isEmpty();
          assertThat(world.anew()).containsExactly(NORTH);
          assertThat(world.horizon("2026-02-02")).isEqualTo("2026-01-01");
          assertThat(world.find(SOUTH)).flatMap(Bookmark::cursor).contains("s");
          assertThat(world.reset("hub").carryOut()).isEmpty();
          assertThat(world.anew())
              .containsExactly(STEADY, CATCH_UP, NORTH, SOUTH, Track.recovery("hub"));
        });
  }

  @Test
  void a_bookmark_that_moves_again_is_no_longer_anew() {
    simulate(
        world -> {
          assertThat(world.reset("hub").carryOut()).isEmpty();
          world.store.write(
              transaction -> {
                Bookmarks.move(transaction, STEADY, "1", "new files");
                return null;
              });
          assertThat(world.find(STEADY)).map(Bookmark::anew).contains(false);
          assertThat(world.find(STEADY)).flatMap(Bookmark::mark).contains("new files");
        });
  }

  @Test
  void a_track_that_never_moved_begins_anew_too_because_a_sink_may_hold_a_slice_of_it() {
    simulate(
        world -> {
          Track waiting = new Track("hub", "events", "", Mode.CATCH_UP);
          String unused =
              world.store.write(t -> Bookmarks.horizon(t, "hub", "events", "", "2026-01-01"));
          assertThat(world.reset("hub", "events").tracks())
              .containsEntry(waiting, Optional.empty());
          assertThat(world.reset("hub", "events").carryOut()).isEmpty();
          assertThat(world.find(waiting)).map(Bookmark::anew).contains(true);
        });
  }

  @Test
  void nothing_is_reset_while_somebody_is_at_one_of_the_tracks() {
    simulate(
        world -> {
          Leases leases = new Leases(world.store, world.time);
          try (Lease held = ((Claim.Taken) leases.take(STEADY.leaseName())).lease()) {
            assertThat(world.reset("hub").carryOut())
                .hasValueSatisfying(by -> assertThat(by.name()).isEqualTo(held.name()));
            assertThat(world.anew()).isEmpty();
            assertThat(new Runs(world.store, world.time).last(Reset.KIND, "hub")).isEmpty();
            // What was free was given back.
            assertThat(leases.held(NORTH.leaseName())).isEmpty();
            assertThat(world.reset("hub", "orders").carryOut()).isEmpty();
          }
          assertThat(world.reset("hub").carryOut()).isEmpty();
          assertThat(leases.held(STEADY.leaseName())).isEmpty();
        });
  }

  @Test
  void it_is_listed_as_a_run_with_what_began_anew_as_its_evidence() {
    simulate(
        world -> {
          assertThat(world.reset("hub", "issues").carryOut()).isEmpty();
          RunRecord run = world.lastRun();
          assertThat(run.outcome()).contains(new Outcome.Completed());
          assertThat(run.counts()).containsEntry("tracks", 2L);
          List<Evidence> evidence =
              world.store.read(transaction -> EvidenceLog.latest(transaction, run.id(), 99));
          assertThat(evidence)
              .extracting(Evidence::kind)
              .containsExactly(Evidence.Kind.BOOKMARK_RESET, Evidence.Kind.BOOKMARK_RESET);
          assertThat(evidence)
              .extracting(each -> each.facts().get("mode"))
              .containsExactly("catch_up", "steady");
        });
  }

  @Test
  void what_is_not_there_cannot_be_reset() {
    simulate(
        world -> {
          assertThat(world.reset("hub", "nothing").tracks()).isEmpty();
          assertThatIllegalStateException()
              .isThrownBy(() -> world.reset("hub", "nothing").carryOut());
          assertThatIllegalArgumentException()
              .isThrownBy(() -> new Scope("hub", Optional.empty(), Optional.of("north")));
        });
  }
}
