package dev.sluice.arena.contender;

import static dev.sluice.arena.bout.TinyWorld.MILLIS;
import static dev.sluice.arena.bout.TinyWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.TinyWorld;
import dev.sluice.arena.bout.TinyWorld.Arrival;
import dev.sluice.arena.bout.TinyWorld.Rule;
import dev.sluice.arena.bout.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PerUserTest {
  private static final Rule TENTH = Rule.taking(100 * MILLIS);

  @Test
  void sends_through_the_user_with_room_that_was_used_least_recently() {
    // The third user's first request takes three times as long.
    TinyWorld world =
        new TinyWorld(
            3, (sending, index, now) -> sending.admit((index == 2 ? 300 : 100) * MILLIS, 0, null));
    Score score = Bout.play(fixed(3, 1), world, Job.of("eight", 8));
    assertThat(world.arrivals()).extracting(Arrival::user).containsExactly(0, 1, 2, 0, 1, 0, 1, 2);
    assertThat(world.sentAtMillis()).containsExactly(0L, 0L, 0L, 120L, 120L, 240L, 240L, 320L);
    assertThat(score.nanos()).isEqualTo(440 * MILLIS);
  }

  @Test
  void takes_turns_while_all_have_room() {
    TinyWorld world = new TinyWorld(3, TENTH);
    Bout.play(fixed(3, 2), world, Job.of("six", 6));
    assertThat(world.arrivals()).extracting(Arrival::user).containsExactly(0, 1, 2, 0, 1, 2);
  }

  @Test
  void never_names_a_server_and_never_has_more_in_flight_than_slots() {
    TinyWorld world = new TinyWorld(2, TENTH);
    Bout.play(fixed(2, 5), world, Job.of("hundred", 100));
    assertThat(world.arrivals()).allMatch(arrival -> arrival.cookie() == Sending.NONE);
    assertThat(world.most()).isEqualTo(10);
  }

  @Test
  void a_refused_request_waits_for_its_retry_after_while_the_others_go_on() {
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(1, 429, SECOND));
    Bout.play(fixed(1, 2), world, Job.of("eleven", 11));
    // The worker of the first waits; the other has taken up a new one when it is back.
    assertThat(world.sentAtMillis())
        .containsExactly(0L, 0L, 120L, 240L, 360L, 480L, 600L, 720L, 840L, 960L, 1022L, 1080L);
  }

  @Test
  void one_that_holds_sends_nothing_through_a_user_as_long_as_it_was_told_to_wait() {
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(1, 429, SECOND));
    Bout.play(holding(1, 2), world, Job.of("five", 5));
    assertThat(world.sentAtMillis()).containsExactly(0L, 0L, 1022L, 1022L, 1142L, 1142L);
  }

  @Test
  void one_that_holds_sends_what_a_user_was_refused_through_another_at_once() {
    TinyWorld world = new TinyWorld(2, TENTH.afterRefusing(1, 429, SECOND));
    Bout.play(holding(2, 2), world, Job.of("five", 5));
    assertThat(world.arrivals()).extracting(Arrival::user).containsExactly(0, 1, 0, 1, 1, 1);
    assertThat(world.sentAtMillis()).containsExactly(0L, 0L, 0L, 0L, 120L, 120L);
  }

  @Test
  void one_that_holds_holds_nobody_who_was_not_told_for_how_long() {
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(1, 503, Sending.NONE));
    Bout.play(holding(1, 2), world, Job.of("three", 3));
    assertThat(world.sentAtMillis()).startsWith(0L, 0L, 120L);
  }

  @Test
  void where_all_workers_wait_nothing_new_is_sent_through_any_user() {
    TinyWorld world = new TinyWorld(2, TENTH.afterRefusing(4, 429, SECOND));
    Bout.play(fixed(2, 2), world, Job.of("six", 6));
    assertThat(world.sentAtMillis())
        .containsExactly(0L, 0L, 0L, 0L, 1022L, 1022L, 1022L, 1022L, 1142L, 1142L);
  }

  @Test
  void a_limiter_without_workers_of_its_own_begins_new_requests_while_others_wait() {
    Limiter one = now -> 1;
    PerUser contender = new PerUser("", 1, user -> one, new SplittableRandom(1));
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(1, 429, SECOND));
    Bout.play(contender, world, Job.of("three", 3));
    assertThat(world.sentAtMillis()).containsExactly(0L, 22L, 142L, 1022L);
  }

  @Test
  void without_a_retry_after_the_ceiling_of_the_wait_doubles_from_one_to_sixty_seconds() {
    List<Double> longest = new ArrayList<>();
    for (int seed = 0; seed < 300; seed++) {
      List<Long> waits = waits(9, seed);
      for (int i = 0; i < waits.size(); i++) {
        double wait = (double) waits.get(i) / SECOND;
        if (seed == 0) {
          longest.add(wait);
        }
        longest.set(i, Math.max(longest.get(i), wait));
      }
    }
    double[] ceilings = {1, 2, 4, 8, 16, 32, 60, 60, 60};
    for (int i = 0; i < ceilings.length; i++) {
      assertThat(longest.get(i)).isBetween(0.95 * ceilings[i], ceilings[i]);
    }
  }

  @Test
  void equal_seeds_wait_equally_and_others_do_not() {
    assertThat(waits(9, 1)).isEqualTo(waits(9, 1)).isNotEqualTo(waits(9, 2));
  }

  @Test
  void says_how_many_may_be_in_flight_in_all() {
    assertThat(fixed(3, 7).level(0)).isEqualTo(21);
    assertThat(fixed(3, 7).rate(0)).isInfinite();
  }

  /** How long a request waits after each of so many refusals. */
  private static List<Long> waits(int refusals, long seed) {
    List<Long> answered = new ArrayList<>();
    List<Long> sent = new ArrayList<>();
    Watch watch =
        new Watch() {
          @Override
          public void sent(Sending sending, long now) {
            sent.add(now);
          }

          @Override
          public void answered(Sending sending, long now) {
            answered.add(now);
          }
        };
    PerUser contender = new PerUser("", 1, user -> new FixedSlots(1), new SplittableRandom(seed));
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(refusals, 503, Sending.NONE));
    Bout.play(contender, world, Job.of("one", 1), watch);
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < refusals; i++) {
      waits.add(sent.get(i + 1) - answered.get(i));
    }
    return waits;
  }

  private static PerUser holding(int users, int slots) {
    return new PerUser("held", users, user -> new FixedSlots(slots), new SplittableRandom(1), true);
  }

  private static PerUser fixed(int users, int slots) {
    return new PerUser("fixed", users, user -> new FixedSlots(slots), new SplittableRandom(1));
  }
}
