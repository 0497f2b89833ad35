package dev.sluice.runs.gap;

import static dev.sluice.runs.gap.GapWorld.COLLECTION;
import static dev.sluice.runs.gap.GapWorld.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class GapLeaseTest {

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
}
