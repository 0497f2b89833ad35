package dev.sluice.runs.gap;

import static dev.sluice.runs.gap.GapWorld.COLLECTION;
import static dev.sluice.runs.gap.GapWorld.NOT_SENT;
import static dev.sluice.runs.gap.GapWorld.REFUSED;
import static dev.sluice.runs.gap.GapWorld.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class LeasedGapsTest {
  private final TestDatabase database;

  LeasedGapsTest(TestDatabase database) {
    this.database = database;
  }

  private void simulate(GapWorld.Story story) {
    GapWorld.simulate(database, story);
  }

  @Test
  void a_gap_is_leased_with_all_that_is_needed_to_fetch_its_details() {
    simulate(
        world -> {
          world.note(
              new MissingDetail(COLLECTION, "comments", "issues", "7", "north", "{\"n\":7}"),
              1,
              NOT_SENT);
          assertThat(world.page(2))
              .containsExactly(
                  new DetailGap(
                      1,
                      COLLECTION,
                      "comments",
                      "issues",
                      "7",
                      "north",
                      "{\"n\":7}",
                      1,
                      State.LEASED,
                      "request_cap",
                      0,
                      0,
                      START,
                      START));
        });
  }

  @Test
  void a_leased_gap_is_nobody_elses_until_its_lease_expires() {
    simulate(
        world -> {
          world.note("a");
          assertThat(world.keys(2)).containsExactly("a");
          world.time().sleep(LeasedGaps.LEASE.minusMillis(1));
          assertThat(world.page(3)).isEmpty();
          world.time().sleep(Duration.ofMillis(1));
          assertThat(world.keys(3)).containsExactly("a");
        });
  }

  @Test
  void a_run_that_renews_keeps_what_it_has() {
    simulate(
        world -> {
          world.note("a");
          assertThat(world.keys(2)).containsExactly("a");
          for (int i = 0; i < 9; i++) {
            world.time().sleep(Duration.ofSeconds(20));
            world
                .store()
                .write(
                    transaction -> {
                      LeasedGaps.renew(transaction, COLLECTION, 2);
                      LeasedGaps.renew(transaction, COLLECTION, 3);
                      return null;
                    });
          }
          assertThat(world.page(3)).isEmpty();
        });
  }

  @Test
  void a_run_that_stops_early_gives_back_its_own_and_no_others() {
    simulate(
        world -> {
          world.note("a");
          assertThat(world.keys(2)).containsExactly("a");
          world.release(3);
          assertThat(world.page(4)).isEmpty();
          world.release(2);
          assertThat(world.keys(4)).containsExactly("a");
          assertThat(world.now("a").tries()).isZero();
        });
  }

  @Test
  void a_lease_that_ends_too_late_is_returned_because_the_clock_was_set_back_since() {
    simulate(
        world -> {
          world.note("a");
          assertThat(world.keys(2)).containsExactly("a");
          int ahead =
              world
                  .store()
                  .write(t -> t.update("update detail_gap set leased_until = leased_until + 1"));
          assertThat(ahead).isEqualTo(1);
          assertThat(world.keys(3)).containsExactly("a");
        });
  }

  @Test
  void a_recovered_gap_keeps_no_parent_and_is_never_served_again() {
    simulate(
        world -> {
          world.note("a", "{\"secret\":1}", 1, NOT_SENT);
          assertThat(world.recovered(world.page(2).getFirst())).isTrue();
          assertThat(world.now("a").state()).isEqualTo(State.RECOVERED);
          assertThat(world.now("a").parent()).isEmpty();
          world.time().sleep(Duration.ofDays(1));
          assertThat(world.page(3)).isEmpty();
        });
  }

  @Test
  void acknowledging_another_version_than_the_leased_one_leaves_it_pending() {
    simulate(
        world -> {
          world.note("a");
          DetailGap leased = world.page(2).getFirst();
          world.note("a", "{\"newer\":1}", 3, NOT_SENT);
          assertThat(world.recovered(leased)).isFalse();
          assertThat(world.gone(leased, 2)).isFalse();
          assertThat(world.missed(leased, 2, REFUSED)).isEqualTo(State.PENDING);
          DetailGap gap = world.now("a");
          assertThat(gap.state()).isEqualTo(State.PENDING);
          assertThat(gap.tries()).isZero();
          assertThat(gap.failures()).isZero();
        });
  }

  @Test
  void a_late_acknowledgement_of_the_same_version_is_accepted_because_the_record_is_durable() {
    simulate(
        world -> {
          world.note("a");
          DetailGap leased = world.page(2).getFirst();
          world.time().sleep(LeasedGaps.LEASE);
          int returned = world.store().write(t -> LeasedGaps.returnExpired(t, COLLECTION));
          assertThat(returned).isEqualTo(1);
          assertThat(world.recovered(leased)).isTrue();
        });
  }
}
