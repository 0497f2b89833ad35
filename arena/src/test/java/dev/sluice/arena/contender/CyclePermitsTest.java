package dev.sluice.arena.contender;

import static dev.sluice.arena.bout.TinyWorld.MILLIS;
import static dev.sluice.arena.bout.TinyWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.TinyWorld;
import dev.sluice.arena.bout.TinyWorld.Rule;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CyclePermitsTest {
  @Test
  void lets_so_many_through_at_the_start_of_every_second() {
    TinyWorld world = new TinyWorld(1, Rule.taking(100 * MILLIS));
    Bout.play(peer(10, 25), world, Job.of("twenty-five", 25));
    for (int i = 0; i < 25; i++) {
      assertThat(world.sentAtMillis().get(i)).isEqualTo(i / 10 * 1_000L);
    }
  }

  @Test
  void sending_again_takes_a_permit_too() {
    TinyWorld world =
        new TinyWorld(1, Rule.taking(580 * MILLIS).afterRefusing(1, 429, 200 * MILLIS));
    Bout.play(peer(3, 3), world, new Job("", Long.MAX_VALUE, 3 * SECOND));
    // The refused one may go again at 222 ms, but its permit is of the next second.
    assertThat(world.sentAtMillis())
        .containsExactly(0L, 0L, 0L, 1000L, 1000L, 1000L, 2000L, 2000L, 2000L);
  }

  @Test
  void a_full_bulkhead_takes_no_permits() {
    TinyWorld world = new TinyWorld(1, Rule.taking(580 * MILLIS));
    Bout.play(peer(10, 3), world, new Job("", Long.MAX_VALUE, 1300 * MILLIS));
    assertThat(world.sentAtMillis())
        .containsExactly(0L, 0L, 0L, 600L, 600L, 600L, 1200L, 1200L, 1200L);
    assertThat(world.most()).isEqualTo(3);
  }

  private static PerUser peer(int permits, int slots) {
    return new PerUser("", 1, user -> new CyclePermits(permits, slots), new SplittableRandom(1));
  }
}
