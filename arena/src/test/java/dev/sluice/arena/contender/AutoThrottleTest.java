package dev.sluice.arena.contender;

import static dev.sluice.arena.bout.TinyWorld.MILLIS;
import static dev.sluice.arena.bout.TinyWorld.SECOND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.TinyWorld;
import dev.sluice.arena.bout.TinyWorld.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AutoThrottleTest {
  private final AutoThrottle slot = new AutoThrottle();

  @Test
  void starts_with_five_seconds_and_goes_half_of_the_way_to_the_latency() {
    TinyWorld world = new TinyWorld(1, Rule.taking(980 * MILLIS)); // a latency of 1 s
    Bout.play(new PerUser("", 1, user -> slot, new SplittableRandom(1)), world, Job.of("five", 5));
    // After an answer the delay is 3, 2, 1.5, 1.25 s, counted from the last sending.
    assertThat(world.sentAtMillis()).containsExactly(0L, 3000L, 5000L, 6500L, 7750L);
    assertThat(slot.delay()).isEqualTo(1125 * MILLIS);
  }

  @Test
  void adopts_a_longer_latency_at_once_up_to_sixty_seconds() {
    answer(200, 0, 8 * SECOND);
    assertThat(slot.delay()).isEqualTo(8 * SECOND);
    answer(200, 0, 61 * SECOND);
    assertThat(slot.delay()).isEqualTo(60 * SECOND);
  }

  @Test
  void an_answer_other_than_200_may_lengthen_the_delay_but_not_shorten_it() {
    answer(429, 0, 20 * MILLIS);
    assertThat(slot.delay()).isEqualTo(5 * SECOND);
    answer(503, 0, 7 * SECOND);
    assertThat(slot.delay()).isEqualTo(7 * SECOND);
  }

  @Test
  void has_at_most_eight_in_flight_however_slow_they_are() {
    answer(200, 0, MILLIS);
    for (int i = 0; i < 12; i++) {
      answer(200, 0, MILLIS); // the delay is nearly that
    }
    TinyWorld world = new TinyWorld(1, Rule.taking(50 * SECOND));
    Bout.play(
        new PerUser("", 1, user -> slot, new SplittableRandom(1)),
        world,
        new Job("", Long.MAX_VALUE, 40 * SECOND));
    assertThat(world.arrivals()).hasSize(8);
  }

  /** Recorded from the library itself, fed with answers by chance. */
  @Test
  void goes_step_by_step_as_the_library_went() throws IOException {
    try (InputStream in =
        requireNonNull(AutoThrottleTest.class.getResourceAsStream("autothrottle.csv"))) {
      List<String> lines =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .toList();
      assertThat(lines).hasSize(301);
      for (String line : lines) {
        List<String> step = List.of(line.split(",", -1));
        long latency = Long.parseLong(step.get(0)) * MILLIS;
        if (latency > 0) {
          answer(Integer.parseInt(step.get(1)), 0, latency);
        }
        assertThat((double) slot.delay())
            .as(line)
            .isCloseTo(Double.parseDouble(step.get(2)) * MILLIS, within(1_000.0));
      }
    }
  }

  private void answer(int status, long sentAt, long now) {
    Sending sending = new Sending();
    sending.through(0, Sending.NONE, null, sentAt);
    if (status == 200) {
      sending.admit(0, 0, null);
    } else {
      sending.refuse(status, Sending.NONE, 0);
    }
    assertThat(slot.answered(sending, 0, now + SECOND, now)).isEqualTo(now + SECOND);
  }
}
