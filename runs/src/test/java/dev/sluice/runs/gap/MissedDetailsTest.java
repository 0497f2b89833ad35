package dev.sluice.runs.gap;

import static dev.sluice.runs.gap.GapWorld.COLLECTION;
import static dev.sluice.runs.gap.GapWorld.PUT_OFF;
import static dev.sluice.runs.gap.GapWorld.REFUSED;
import static dev.sluice.runs.gap.GapWorld.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class MissedDetailsTest {
  private final TestDatabase database;

  MissedDetailsTest(TestDatabase database) {
    this.database = database;
  }

  private void simulate(GapWorld.Story story) {
    GapWorld.simulate(database, story);
  }

  @Test
  void a_gap_that_is_seen_again_is_the_same_row_with_a_higher_version_and_the_newer_parent() {
    simulate(
        world -> {
          world.note("a", "{\"v\":1}", 1, PUT_OFF);
          world.time().sleep(Duration.ofHours(1));
          world.note("a", "{\"v\":2}", 2, REFUSED);
          DetailGap gap = world.now("a");
          assertThat(gap.id()).isEqualTo(1);
          assertThat(gap.version()).isEqualTo(2);
          assertThat(gap.parent()).isEqualTo("{\"v\":2}");
          assertThat(gap.firstSeen()).isEqualTo(START);
          assertThat(gap.tries()).isEqualTo(2);
          assertThat(gap.failures()).isEqualTo(1);
          assertThat(gap.reason()).isEqualTo("forbidden");
        });
  }

  @Test
  void whatever_became_of_a_gap_it_is_pending_when_it_is_seen_again() {
    simulate(
        world -> {
          world.note("recovered");
          world.note("gone");
          world.note("leased");
          List<DetailGap> page = world.page(2);
          assertThat(world.recovered(page.get(0))).isTrue();
          assertThat(world.gone(page.get(1), 2)).isTrue();
          for (String key : List.of("recovered", "gone", "leased")) {
            world.note(key);
            assertThat(world.now(key).state()).isEqualTo(State.PENDING);
            assertThat(world.now(key).version()).isEqualTo(2);
          }
        });
  }

  @Test
  void a_gap_that_opens_again_after_it_was_recovered_begins_anew() {
    simulate(
        world -> {
          world.note("a", "{}", 1, REFUSED);
          world.time().sleep(Duration.ofHours(1));
          assertThat(world.recovered(world.page(2).getFirst())).isTrue();
          world.note("a");
          DetailGap gap = world.now("a");
          assertThat(gap.firstSeen()).isEqualTo(START.plus(Duration.ofHours(1)));
          assertThat(gap.tries()).isZero();
          assertThat(gap.failures()).isZero();
        });
  }

  @Test
  void what_was_had_in_the_ordinary_course_is_no_longer_missing() {
    simulate(
        world -> {
          world.note("a");
          world.note("b");
          world
              .store()
              .write(
                  transaction -> {
                    assertThat(
                            MissedDetails.filled(
                                transaction, COLLECTION, "comments", "issues", "a"))
                        .isTrue();
                    assertThat(
                            MissedDetails.filled(
                                transaction, COLLECTION, "comments", "issues", "never noted"))
                        .isFalse();
                    return null;
                  });
          assertThat(world.now("a").state()).isEqualTo(State.RECOVERED);
          assertThat(world.keys(2)).containsExactly("b");
        });
  }
}
