package dev.sluice.arena.bout;

import static dev.sluice.arena.bout.TinyWorld.MILLIS;
import static dev.sluice.arena.bout.TinyWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.arena.bout.TinyWorld.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoutTest {
  private static final Rule TENTH = Rule.taking(100 * MILLIS);

  /** So many at once, and what was refused again after so long. */
  private static class Simple implements Contender {
    final List<Long> leftWhenSent = new ArrayList<>();
    final List<Long> leftWhenAnswered = new ArrayList<>();
    final List<String> sent = new ArrayList<>();
    private final int slots;
    private final long again;
    private int inFlight;

    Simple(int slots, long again) {
      this.slots = slots;
      this.again = again;
    }

    @Override
    public boolean send(Sending sending, long now) {
      if (inFlight == slots) {
        return false;
      }
      inFlight++;
      sending.through(0, Sending.NONE, null, now);
      leftWhenSent.add(sending.left());
      sent.add(sending.operation().name() + " at " + now / MILLIS);
      return true;
    }

    @Override
    public long wakeAt(long now) {
      return NEVER;
    }

    @Override
    public long answered(Sending sending, long now) {
      inFlight--;
      leftWhenAnswered.add(sending.left());
      return now + again;
    }
  }

  @Test
  void a_request_takes_its_way_there_its_duration_and_its_way_back() {
    Score score = Bout.play(new Simple(1, 0), new TinyWorld(1, TENTH), Job.of("five", 5));
    assertThat(score)
        .isEqualTo(new Score(5, 0, 0, 0, 0, 600 * MILLIS, true, 0, 0, 0, false, score.waited()));
  }

  @Test
  void a_refusal_costs_two_milliseconds_and_both_ways() {
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(1, 429, 3 * SECOND));
    Score score = Bout.play(new Simple(1, 0), world, Job.of("one", 1));
    assertThat(world.sentAtMillis()).containsExactly(0L, 22L);
    assertThat(score)
        .isEqualTo(
            new Score(1, 0, 1, 0, 0, 142 * MILLIS, true, 3 * SECOND, 0, 0, false, score.waited()));
    assertThat(score.throttled()).isEqualTo(0.5);
  }

  @Test
  void what_was_refused_is_not_sent_again_before_its_time_while_others_are() {
    Simple contender = new Simple(2, 500 * MILLIS);
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(1, 429, SECOND));
    Bout.play(contender, world, Job.of("four", 4));
    assertThat(contender.sent)
        .containsExactly(
            "operation 0 at 0",
            "operation 1 at 0",
            "operation 2 at 22",
            "operation 3 at 120",
            "operation 0 at 522");
  }

  @Test
  void what_may_be_sent_again_at_once_goes_before_what_was_not_sent_yet() {
    Simple contender = new Simple(1, 0);
    Bout.play(contender, new TinyWorld(1, TENTH.afterRefusing(1, 429, 0)), Job.of("two", 2));
    assertThat(contender.sent)
        .containsExactly("operation 0 at 0", "operation 0 at 22", "operation 1 at 142");
  }

  @Test
  void what_was_refused_goes_before_what_was_never_sent_as_soon_as_it_may() {
    // One slot, taken until 142 ms: by then the first may be sent again, and is older.
    Simple contender = new Simple(1, 50 * MILLIS);
    Bout.play(contender, new TinyWorld(1, TENTH.afterRefusing(1, 429, 0)), Job.of("three", 3));
    assertThat(contender.sent)
        .containsExactly(
            "operation 0 at 0", "operation 1 at 22", "operation 0 at 142", "operation 2 at 262");
  }

  /** Gives every request up whose answer is no success. */
  private static final class Quitter implements Contender {
    private final Simple simple = new Simple(1, 0);

    @Override
    public boolean send(Sending sending, long now) {
      return simple.send(sending, now);
    }

    @Override
    public long wakeAt(long now) {
      return simple.wakeAt(now);
    }

    @Override
    public long answered(Sending sending, long now) {
      long unused = simple.answered(sending, now);
      return sending.isAdmitted() ? now : GIVEN_UP;
    }
  }

  @Test
  void what_is_given_up_joins_the_queue_again_behind_what_was_never_sent_and_is_counted() {
    Quitter quitter = new Quitter();
    TinyWorld world =
        new TinyWorld(
            1,
            (sending, index, now) -> {
              if (index == 0) {
                sending.fail(500, 50 * MILLIS, 0, false);
              } else {
                sending.admit(100 * MILLIS, 0, null);
              }
            });
    Score score = Bout.play(quitter, world, Job.of("three", 3));
    assertThat(quitter.simple.sent)
        .containsExactly(
            "operation 0 at 0", "operation 1 at 70", "operation 2 at 190", "operation 0 at 310");
    assertThat(score)
        .isEqualTo(new Score(3, 0, 0, 1, 1, 430 * MILLIS, true, 0, 0, 0, false, score.waited()));
    assertThat(score.throttled()).as("only limits refuse").isZero();
  }

  @Test
  void what_always_fails_is_dealt_with_when_it_is_given_up() {
    TinyWorld world =
        new TinyWorld(
            1,
            (sending, index, now) -> {
              if (sending.number() == 1) {
                sending.fail(500, 50 * MILLIS, 0, true);
              } else {
                sending.admit(100 * MILLIS, 0, null);
              }
            });
    Score score = Bout.play(new Quitter(), world, Job.of("three", 3));
    assertThat(score)
        .isEqualTo(new Score(2, 1, 0, 1, 0, 310 * MILLIS, true, 0, 0, 0, false, score.waited()));
  }

  @Test
  void an_answer_that_does_not_come_is_waited_for() {
    TinyWorld world =
        new TinyWorld(
            1,
            (sending, index, now) -> {
              if (index == 0) {
                sending.fail(0, 50 * MILLIS, 30 * SECOND, false);
              } else {
                sending.admit(100 * MILLIS, 0, null);
              }
            });
    Score score = Bout.play(new Quitter(), world, Job.of("one", 1));
    assertThat(world.sentAtMillis()).containsExactly(0L, 30_070L);
    assertThat(score.nanos()).isEqualTo(30_190 * MILLIS);
  }

  @Test
  void silence_counts_beyond_a_minute_unless_somebody_said_to_wait() {
    assertThat(silenceAfter(429, Sending.NONE, 60)).isZero();
    assertThat(silenceAfter(429, Sending.NONE, 90)).isEqualTo(90 * SECOND);
    assertThat(silenceAfter(429, 90 * SECOND, 90)).isZero();
  }

  @Test
  void time_in_which_work_waits_is_told_apart() {
    // Sent at 0, refused at 22 ms with a wait of 3 s; the only slot is taken until then.
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(1, 429, 3 * SECOND));
    Score slots = Bout.play(new Simple(1, 3 * SECOND), world, Job.of("three", 3));
    assertThat(slots.waited()).isEqualTo(new Score.Waited(120 * MILLIS, 22 * MILLIS, 0));
    assertThat(Bout.play(resting(90), new TinyWorld(1, TENTH), Job.of("two", 2)).waited())
        .isEqualTo(new Score.Waited(0, 120 * MILLIS, 90 * SECOND));
  }

  /** Sends one, and then nothing for so many seconds after its answer. */
  private static Contender resting(long seconds) {
    return new Contender() {
      private long notBefore;

      @Override
      public boolean send(Sending sending, long now) {
        if (now < notBefore) {
          return false;
        }
        notBefore = Long.MAX_VALUE;
        sending.through(0, Sending.NONE, null, now);
        return true;
      }

      @Override
      public long wakeAt(long now) {
        return notBefore;
      }

      @Override
      public long answered(Sending sending, long now) {
        notBefore = now + seconds * SECOND;
        return now;
      }
    };
  }

  /** Sends one that is refused, and then nothing for so many seconds. */
  private static long silenceAfter(int status, long told, long seconds) {
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(1, status, told));
    return Bout.play(resting(seconds), world, Job.of("one", 1)).silence();
  }

  @Test
  void answers_of_one_instant_come_in_the_order_of_sending() {
    List<String> answered = new ArrayList<>();
    Watch watch =
        new Watch() {
          @Override
          public void answered(Sending sending, long now) {
            answered.add(sending.operation().name());
          }
        };
    Bout.play(new Simple(4, 0), new TinyWorld(1, TENTH), Job.of("four", 4), watch);
    assertThat(answered)
        .containsExactly("operation 0", "operation 1", "operation 2", "operation 3");
  }

  @Test
  void all_that_happens_at_an_instant_happens_before_anything_is_sent() {
    TinyWorld world = new TinyWorld(1, TENTH);
    Bout.play(new Simple(3, 0), world, Job.of("six", 6));
    assertThat(world.sentAtMillis()).containsExactly(0L, 0L, 0L, 120L, 120L, 120L);
  }

  @Test
  void a_job_ends_at_its_deadline_and_answers_of_that_instant_come_too_late() {
    TinyWorld world = new TinyWorld(1, TENTH);
    Score score = Bout.play(new Simple(1, 0), world, new Job("", Long.MAX_VALUE, 360 * MILLIS));
    assertThat(score)
        .isEqualTo(new Score(2, 0, 0, 0, 0, 360 * MILLIS, false, 0, 0, 0, false, score.waited()));
    score =
        Bout.play(
            new Simple(1, 0),
            new TinyWorld(1, TENTH),
            new Job("", Long.MAX_VALUE, 360 * MILLIS + 1));
    assertThat(score.done()).isEqualTo(3);
  }

  @Test
  void is_watched_to_the_end_without_a_gap() {
    List<Long> times = new ArrayList<>(List.of(0L));
    Watch watch =
        new Watch() {
          @Override
          public void passing(long from, long until, Contender contender, World world) {
            assertThat(from).isEqualTo(times.getLast());
            times.add(until);
          }
        };
    Job job = new Job("", Long.MAX_VALUE, 200 * MILLIS);
    Bout.play(new Simple(1, 0), new TinyWorld(1, TENTH), job, watch);
    assertThat(times)
        .containsExactly(0L, 10 * MILLIS, 110 * MILLIS, 120 * MILLIS, 130 * MILLIS, 200 * MILLIS);
  }

  @Test
  void says_how_many_are_left_when_it_is_sent_not_when_it_came_up() {
    Simple contender = new Simple(2, 0);
    Bout.play(contender, new TinyWorld(1, TENTH), Job.of("five", 5));
    assertThat(contender.leftWhenSent).containsExactly(5L, 5L, 3L, 3L, 1L);
    assertThat(contender.leftWhenAnswered).containsExactly(5L, 4L, 3L, 2L, 1L);
  }

  @Test
  void a_contender_that_wakes_but_sends_nothing_is_reported() {
    Contender idle =
        new Simple(0, 0) {
          @Override
          public long wakeAt(long now) {
            return now < SECOND ? SECOND : now;
          }

          @Override
          public String toString() {
            return "idle";
          }
        };
    assertThatThrownBy(() -> Bout.play(idle, new TinyWorld(1, TENTH), Job.HOUR))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("idle would wake at 1000000000 ns but sends nothing at 1000000000 ns");
  }

  @Test
  void a_contender_that_never_sends_ends_at_the_deadline() {
    assertThat(Bout.play(new Simple(0, 0), new TinyWorld(1, TENTH), Job.HOUR))
        .isEqualTo(
            new Score(
                0,
                0,
                0,
                0,
                0,
                3_600 * SECOND,
                false,
                0,
                0,
                3_600 * SECOND,
                false,
                new Score.Waited(0, 3_600 * SECOND, 0)));
  }

  @Test
  void nobody_plays_on_after_having_been_thrown_out() {
    TinyWorld[] world = new TinyWorld[1];
    world[0] =
        new TinyWorld(
            1,
            (sending, index, now) -> {
              if (index == 3) {
                world[0].suspend();
              }
              sending.admit(100 * MILLIS, 0, null);
            });
    Score score = Bout.play(new Simple(1, 0), world[0], Job.HOUR);
    assertThat(score.suspended()).isTrue();
    assertThat(score.done()).isEqualTo(3);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void what_is_done_in_flight_and_waiting_adds_up_to_what_was_drawn(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Count count = new Count();
    TinyWorld world =
        new TinyWorld(
            1,
            (sending, index, now) -> {
              if (random.nextInt(3) == 0) {
                sending.refuse(429, random.nextLong(SECOND), 0);
              } else {
                sending.admit(random.nextLong(1, SECOND), 0, null);
              }
            });
    Contender contender =
        new Simple(7, 0) {
          @Override
          public long answered(Sending sending, long now) {
            return super.answered(sending, now) + random.nextLong(2) * random.nextLong(SECOND);
          }
        };
    Score score =
        Bout.play(contender, world, new Job("", 1_000, random.nextLong(200 * SECOND)), count);
    assertThat(count.in(State.DONE)).isEqualTo(score.done());
    assertThat(count.refusals).isEqualTo(score.refused());
    assertThat(count.in(State.IN_FLIGHT)).isBetween(0L, 7L);
    assertThat(score.finished()).isEqualTo(score.done() == 1_000);
    long drawnButNeverSent = world.drawn() - count.states.size();
    assertThat(drawnButNeverSent).isBetween(0L, 1L);
    assertThat(score.done() + count.in(State.IN_FLIGHT) + count.in(State.REFUSED))
        .isEqualTo(world.drawn() - drawnButNeverSent);
  }

  private enum State {
    IN_FLIGHT,
    REFUSED,
    DONE
  }

  /** Where every request is; none may be sent while it is on its way, nor after it is done. */
  private static final class Count implements Watch {
    final Map<String, State> states = new HashMap<>();
    long refusals;

    @Override
    public void sent(Sending sending, long now) {
      assertThat(states.put(sending.operation().name(), State.IN_FLIGHT)).isIn(State.REFUSED, null);
    }

    @Override
    public void answered(Sending sending, long now) {
      State next = sending.isAdmitted() ? State.DONE : State.REFUSED;
      assertThat(states.put(sending.operation().name(), next)).isEqualTo(State.IN_FLIGHT);
      refusals += sending.isAdmitted() ? 0 : 1;
    }

    long in(State state) {
      return states.values().stream().filter(state::equals).count();
    }
  }
}
