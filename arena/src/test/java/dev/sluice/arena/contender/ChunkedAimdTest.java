package dev.sluice.arena.contender;

import static dev.sluice.arena.bout.TinyWorld.MILLIS;
import static dev.sluice.arena.bout.TinyWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.TinyWorld;
import dev.sluice.arena.bout.TinyWorld.Arrival;
import dev.sluice.arena.bout.TinyWorld.Rule;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ChunkedAimdTest {
  @Test
  void starts_with_half_of_the_hint_and_waits_for_the_slowest_of_a_chunk() {
    TinyWorld world =
        new TinyWorld(
            1, (sending, index, now) -> sending.admit((index == 1 ? 900 : 100) * MILLIS, 0, null));
    Bout.play(chunked(1, 8), world, Job.of("ten", 10));
    assertThat(world.sentAtMillis())
        .containsExactly(0L, 0L, 0L, 0L, 920L, 920L, 920L, 920L, 1040L, 1040L);
  }

  @Test
  void adds_two_when_the_first_chunk_after_five_seconds_is_back() {
    TinyWorld world = new TinyWorld(1, Rule.taking(3 * SECOND));
    Bout.play(chunked(1, 8), world, Job.of("twenty", 20));
    assertThat(chunks(world, 0, 3020, 6040)).containsExactly(4L, 4L, 6L);
  }

  @Test
  void every_throttle_in_a_chunk_halves_and_the_connection_is_held() {
    TinyWorld world = new TinyWorld(1, Rule.taking(100 * MILLIS).afterRefusing(2, 429, 5 * SECOND));
    Bout.play(chunked(1, 32), world, Job.of("twenty", 20));
    // 16 of which 2 are refused: 8, then 4. They are known at 22 ms, the rest is back at 120 ms.
    assertThat(chunks(world, 0, 120, 5022, 5142)).containsExactly(16L, 0L, 4L, 2L);
  }

  @Test
  void on_request_a_chunk_halves_once_however_many_throttles_it_has() {
    TinyWorld world = new TinyWorld(1, Rule.taking(100 * MILLIS).afterRefusing(2, 429, 5 * SECOND));
    Bout.play(
        new PerUser("", 1, user -> new ChunkedAimd(32, true), new SplittableRandom(3)),
        world,
        Job.of("thirty", 30));
    // 16 of which 2 are refused: 8, and 8 again in the next chunk.
    assertThat(chunks(world, 0, 5022, 5142)).containsExactly(16L, 8L, 8L);
  }

  @Test
  void what_was_refused_goes_through_another_connection_at_once() {
    TinyWorld world = new TinyWorld(2, Rule.taking(100 * MILLIS).afterRefusing(1, 429, 5 * SECOND));
    Bout.play(chunked(2, 2), world, Job.of("three", 3));
    // One at a time each; the first user's is refused and it is held, the second's takes 120 ms.
    assertThat(world.sentAtMillis()).containsExactly(0L, 0L, 120L, 240L);
    assertThat(world.arrivals()).extracting(Arrival::user).containsExactly(0, 1, 1, 1);
  }

  @Test
  void without_a_retry_after_the_connection_is_held_by_back_off() {
    TinyWorld world =
        new TinyWorld(1, Rule.taking(100 * MILLIS).afterRefusing(1, 503, Sending.NONE));
    Bout.play(chunked(1, 2), world, Job.of("two", 2));
    assertThat(world.sentAtMillis().get(1)).isBetween(23L, 1022L);
  }

  private static long[] chunks(TinyWorld world, long... millis) {
    long[] sizes = new long[millis.length];
    for (int i = 0; i < millis.length; i++) {
      long at = millis[i];
      sizes[i] = world.sentAtMillis().stream().filter(sent -> sent == at).count();
    }
    return sizes;
  }

  private static PerUser chunked(int users, int hint) {
    return new PerUser("", users, user -> new ChunkedAimd(hint, false), new SplittableRandom(3));
  }
}
