package dev.sluice.runs.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.SimulatedTime;
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
class BookmarksTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final TestDatabase database;

  BookmarksTest(TestDatabase database) {
    this.database = database;
  }

  private record World(SimulatedTime time, Store store) {
    void move(Track track, @Nullable String cursor, @Nullable String mark, boolean finished) {
      store.write(
          transaction -> {
            Bookmarks.move(transaction, track, cursor, mark);
            if (finished) {
              Bookmarks.finish(transaction, track);
            }
            return null;
          });
    }

    void shrink(Track track) {
      store.write(
          transaction -> {
            Bookmarks.shrink(transaction, track);
            return null;
          });
    }

    Optional<Bookmark> find(Track track) {
      return store.read(transaction -> Bookmarks.find(transaction, track));
    }

    String horizon(String split, String proposed) {
      return store.write(
          transaction -> Bookmarks.horizon(transaction, "hub", "issues", split, proposed));
    }
  }

  private interface Story {
    void tell(World world) throws Exception;
  }

  private void simulate(Story story) {
    database.simulate(1, (time, store) -> story.tell(new World(time, store)));
  }

  private static Track track(String stream, String split, Mode mode) {
    return new Track("hub", stream, split, mode);
  }

  @Test
  void a_bookmark_is_where_it_was_last_moved_to() {
    simulate(
        world -> {
          Track track = track("issues", "", Mode.CATCH_UP);
          assertThat(world.find(track)).isEmpty();
          world.move(track, null, "0 bytes", false);
          assertThat(world.find(track))
              .contains(
                  new Bookmark(
                      track, Optional.empty(), Optional.of("0 bytes"), false, 0, START, false));
          world.time.sleep(Duration.ofSeconds(7));
          world.move(track, "page ä", null, true);
          assertThat(world.find(track))
              .contains(
                  new Bookmark(
                      track,
                      Optional.of("page ä"),
                      Optional.empty(),
                      true,
                      0,
                      START.plusSeconds(7),
                      false));
        });
  }

  @Test
  void slices_that_were_too_large_stay_small_wherever_the_bookmark_moves() {
    simulate(
        world -> {
          Track track = track("issues", "", Mode.STEADY);
          world.shrink(track);
          world.shrink(track);
          world.move(track, "1", null, false);
          assertThat(world.find(track)).map(Bookmark::shrink).contains(2);
          assertThat(world.find(track)).flatMap(Bookmark::cursor).contains("1");
        });
  }

  @Test
  void modes_splits_and_collections_do_not_meet() {
    simulate(
        world -> {
          world.move(track("issues", "", Mode.CATCH_UP), "1", null, false);
          world.move(track("issues", "", Mode.STEADY), "2", null, false);
          world.move(track("issues", "north", Mode.STEADY), "3", null, false);
          world.move(track("Comments", "", Mode.STEADY), "4", null, false);
          world.move(new Track("lab", "issues", "", Mode.STEADY), "5", null, false);
          List<Bookmark> found = world.store.read(transaction -> Bookmarks.of(transaction, "hub"));
          assertThat(found)
              .extracting(bookmark -> bookmark.cursor().orElseThrow())
              .containsExactly("4", "1", "2", "3");
        });
  }

  @Test
  void the_first_who_asks_settles_the_horizon_for_good() {
    simulate(
        world -> {
          assertThat(world.horizon("", "2026-01-01")).isEqualTo("2026-01-01");
          assertThat(world.horizon("", "2026-02-02")).isEqualTo("2026-01-01");
          assertThat(world.horizon("north", "2026-02-02")).isEqualTo("2026-02-02");
        });
  }
}
