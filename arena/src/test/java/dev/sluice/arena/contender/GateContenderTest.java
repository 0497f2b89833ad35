package dev.sluice.arena.contender;

import static dev.sluice.arena.bout.TinyWorld.MILLIS;
import static dev.sluice.arena.bout.TinyWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.TinyWorld;
import dev.sluice.control.lane.LaneOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The product in a bout does what it does for its users. */
class GateContenderTest {
  private static final TinyWorld.Rule TENTH = TinyWorld.Rule.taking(100 * MILLIS);

  @Test
  void a_gate_keeps_to_its_slots() {
    TinyWorld world = new TinyWorld(1, TENTH);
    Score score = Bout.play(fixed(1, 3), world, Job.of("six", 6));
    assertThat(world.sentAtMillis()).containsExactly(0L, 0L, 0L, 120L, 120L, 120L);
    assertThat(score.done()).isEqualTo(6);
  }

  @Test
  void a_throttle_holds_the_lane_and_another_user_goes_on() {
    TinyWorld world = new TinyWorld(2, TENTH.afterRefusing(1, 429, 5 * SECOND));
    Score score = Bout.play(fixed(2, 1), world, Job.of("three", 3));
    assertThat(world.arrivals()).extracting(TinyWorld.Arrival::user).containsExactly(0, 1, 1, 1);
    assertThat(score.refused()).isEqualTo(1);
  }

  @Test
  void a_request_that_always_fails_is_given_up_after_four_attempts_with_backoff() {
    TinyWorld world =
        new TinyWorld(
            1, (sending, index, now) -> sending.fail(500, 100 * MILLIS, 0, sending.number() == 0));
    Score score = Bout.play(fixed(1, 1), world, Job.of("one", 1));
    assertThat(score.gaps()).isEqualTo(1);
    assertThat(score.failed()).isEqualTo(4);
    List<Long> sent = world.sentAtMillis();
    assertThat(sent.get(3) - sent.get(0)).isBetween(360L, 7_360L); // 1 s, 2 s, 4 s at most
  }

  private static GateContender fixed(int users, int slots) {
    return new GateContender(users, LaneOptions.fixed(slots), 1);
  }
}
