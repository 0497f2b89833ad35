package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LearnedPolicyTest {
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long START = -3 * SECOND;
  private static final long TOOK = 100 * MILLISECOND;

  private LearnedPolicy policy = new LearnedPolicy(null, START);
  private long now = START;
  private long took = TOOK;

  private record Sent(long sentAt) implements Attempt {
    @Override
    public Work work() {
      return Work.UNKNOWN;
    }

    @Override
    public String server() {
      return "";
    }
  }

  private void know(double rate, int closureSeconds) {
    policy = new LearnedPolicy(new Profile(rate, Duration.ofSeconds(closureSeconds)), now);
  }

  private Attempt send() {
    now = Math.max(now, policy.notBefore(now));
    Attempt attempt = new Sent(now);
    policy.started(attempt, now);
    return attempt;
  }

  private void settle(Attempt attempt, Signal signal) {
    now = Math.max(now, attempt.sentAt() + took);
    policy.settled(attempt, signal, now);
  }

  /** One after the other, as fast as allowed. */
  private void succeed(int count) {
    for (int i = 0; i < count; i++) {
      settle(send(), Signal.success());
    }
  }

  private static Signal told(long seconds) {
    return Signal.throttled(Duration.ofSeconds(seconds));
  }

  @Test
  void knowing_nothing_it_waits_a_second_and_then_doubles_every_round_trip() {
    assertThat(policy.rate()).isEqualTo(1);
    assertThat(policy.level(now)).isEqualTo(2);
    assertThat(policy.notBefore(now)).isEqualTo(START + SECOND);
    assertThat(policy.profile()).isNull();
    double[] rates = {2, 4, 8, 16, 32, 40};
    for (double rate : rates) {
      succeed(1);
      assertThat(policy.rate()).as("two in flight of 0.1 s are 20 a second").isEqualTo(rate);
    }
    assertThat(policy.profile()).isEqualTo(new Profile(40, Duration.ZERO));
  }

  @Test
  void two_answers_of_one_round_trip_double_it_once() {
    succeed(1);
    Attempt first = send();
    Attempt second = send();
    settle(first, Signal.success());
    assertThat(policy.rate()).isEqualTo(4);
    policy.settled(second, Signal.success(Duration.ofMillis(100)), now + TOOK - 1);
    assertThat(policy.rate()).isEqualTo(4);
  }

  @Test
  void the_start_ends_when_answers_get_slow_and_the_rate_is_what_came_through() {
    succeed(10);
    for (int i = 0; i < 20; i++) {
      Attempt attempt = send();
      now += 4 * TOOK;
      policy.settled(attempt, Signal.success(), now);
    }
    assertThat(policy.rate()).as("one at a time, slower than 2 × 0.1 s").isBetween(2.5, 5.0);
  }

  @Test
  void what_a_run_learned_is_where_the_next_one_starts() {
    know(10, 7);
    assertThat(policy.rate()).isEqualTo(10);
    assertThat(policy.notBefore(now)).isEqualTo(now);
    assertThat(policy.profile()).isEqualTo(new Profile(10, Duration.ofSeconds(7)));
    Attempt unused = send();
    assertThat(policy.notBefore(now)).isEqualTo(now + SECOND / 10);
    assertThat(unused.sentAt()).isEqualTo(START);
  }

  @Test
  void after_a_hundred_successes_and_fifteen_seconds_a_fiftieth_more_is_tried() {
    took = TOOK / 10;
    know(10, 0);
    succeed(148);
    assertThat(policy.rate()).as("too soon").isEqualTo(10);
    succeed(4);
    assertThat(policy.rate()).isEqualTo(10.2);
    assertThat(policy.profile()).as("not proven yet").isEqualTo(new Profile(10, Duration.ZERO));
    succeed(160);
    assertThat(policy.rate()).isCloseTo(10.608, within(1e-9));
  }

  @Test
  void a_slow_rate_needs_its_hundred_successes() {
    know(1, 0);
    succeed(99);
    assertThat(policy.rate()).isEqualTo(1);
    succeed(1);
    assertThat(policy.rate()).isEqualTo(1.02);
    succeed(49);
    assertThat(policy.rate()).isEqualTo(1.02);
    succeed(1);
    assertThat(policy.rate()).as("fifty are enough on trial").isCloseTo(1.0608, within(1e-9));
  }

  @Test
  void steps_are_as_far_apart_as_closures_are_long() {
    know(10, 60);
    succeed(590);
    assertThat(policy.rate()).isEqualTo(10);
    succeed(15);
    assertThat(policy.rate()).isEqualTo(10.2);
  }

  @Test
  void a_rate_that_is_not_used_is_not_proven() {
    know(10, 0);
    for (int i = 0; i < 500; i++) {
      now += SECOND;
      succeed(1);
    }
    assertThat(policy.rate()).isEqualTo(10);
  }

  @Test
  void a_step_that_fails_returns_to_what_is_proven() {
    know(10, 0);
    succeed(155);
    assertThat(policy.rate()).isEqualTo(10.2);
    settle(send(), told(1));
    assertThat(policy.rate()).isEqualTo(10);
    succeed(350);
    assertThat(policy.rate()).as("the next waits for 20 outages, twice").isEqualTo(10);
    succeed(60);
    assertThat(policy.rate()).isEqualTo(10.2);
  }

  @Test
  void what_is_proven_falls_a_little_and_then_more() {
    know(10, 0);
    succeed(120);
    settle(send(), told(1));
    assertThat(policy.rate()).as("98 of a hundred").isCloseTo(9.8, within(1e-9));
    succeed(60);
    settle(send(), told(1));
    assertThat(policy.rate()).isLessThanOrEqualTo(9.8 * 0.96).isGreaterThan(8);
  }

  @Test
  void what_the_last_minute_granted_is_the_most() {
    know(10, 0);
    succeed(5);
    for (int i = 0; i < 12; i++) { // one a second: the answers are slow to come
      Attempt attempt = send();
      now += SECOND - TOOK;
      settle(attempt, Signal.success());
    }
    settle(send(), told(1));
    assertThat(policy.rate()).isBetween(0.99, 2.0);
  }

  @Test
  void all_refusals_of_requests_sent_before_the_first_are_one_decision() {
    know(10, 0);
    succeed(150);
    Attempt first = send();
    Attempt second = send();
    Attempt third = send();
    settle(first, told(1));
    double rate = policy.rate();
    settle(second, told(1));
    settle(third, Signal.throttled());
    assertThat(policy.rate()).isEqualTo(rate);
    assertThat(policy.level(now)).as("nor is it closed").isGreaterThan(1);
    now += SECOND;
    settle(send(), told(1));
    assertThat(policy.rate()).as("another episode").isLessThan(rate);
  }

  @Test
  void a_larger_episode_is_followed_by_more_patience() {
    know(1, 0);
    succeed(20);
    Attempt first = send();
    Attempt second = send();
    settle(first, told(1));
    settle(second, told(1));
    double rate = policy.rate();
    succeed(199);
    assertThat(policy.rate()).isEqualTo(rate);
    succeed(1);
    assertThat(policy.rate()).isCloseTo(rate * 1.02, within(1e-9));
  }

  @Test
  void a_long_told_wait_measures_the_quota() {
    succeed(100);
    long closedAt = now;
    settle(send(), told(100));
    double granted = 100 * 1e9 / (now + 100 * SECOND - START);
    assertThat(policy.rate()).isCloseTo(0.99 * granted, within(1e-9));
    assertThat(policy.profile()).isEqualTo(new Profile(policy.rate(), Duration.ofSeconds(100)));
    assertThat(closedAt).isLessThan(now);
  }

  @Test
  void a_first_measure_is_the_least_and_more_is_searched() {
    succeed(60);
    settle(send(), told(31));
    double rate = policy.rate();
    now += 31 * SECOND;
    succeed(60);
    assertThat(policy.rate()).isCloseTo(rate * 1.1, within(1e-9));
  }

  @Test
  void while_nothing_was_measured_a_refusal_takes_three_tenths() {
    succeed(3);
    assertThat(policy.rate()).isEqualTo(8);
    settle(send(), told(1));
    assertThat(policy.rate()).isCloseTo(5.6, within(1e-9));
  }

  @Test
  void without_a_told_wait_one_request_at_a_time_asks_again() {
    know(10, 0);
    succeed(150);
    Attempt late = send();
    settle(send(), Signal.throttled());
    assertThat(policy.level(now)).isEqualTo(1);
    assertThat(policy.notBefore(now)).isEqualTo(now + 5 * SECOND);
    settle(late, Signal.success());
    assertThat(policy.level(now)).as("that one was sent before").isEqualTo(1);
    double rate = policy.rate();
    settle(send(), Signal.throttled());
    assertThat(policy.notBefore(now)).isEqualTo(now + 7_500 * MILLISECOND);
    assertThat(policy.rate()).isEqualTo(rate);
    settle(send(), Signal.success());
    assertThat(policy.level(now)).isGreaterThan(1);
    assertThat(policy.rate()).as("decided when it opened").isLessThan(rate);
  }

  @Test
  void an_unavailable_service_counts_as_a_refusal_and_other_failures_as_nothing() {
    know(10, 0);
    settle(send(), Signal.transientFailure(Signal.Transient.Kind.REQUEST_TIMEOUT));
    settle(send(), Signal.rejected(Signal.Rejected.Kind.UNAUTHORIZED));
    settle(send(), Signal.answered(Signal.Answered.Kind.DEADLOCK));
    assertThat(policy.level(now)).isEqualTo(2);
    assertThat(policy.rate()).isEqualTo(10);
    settle(send(), Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE));
    assertThat(policy.level(now)).isEqualTo(1);
    assertThat(policy.notBefore(now)).isEqualTo(now + 5 * SECOND);
  }

  @Test
  void as_many_are_in_flight_as_the_rate_needs_and_some() {
    know(10, 0);
    assertThat(policy.level(now)).as("so few were sent").isEqualTo(2);
    succeed(150);
    assertThat(policy.level(now)).as("1.5 × 10.2 × 0.1 s, and 3").isEqualTo(4);
  }

  @Test
  void a_request_that_was_never_sent_gives_its_place_back() {
    know(10, 0);
    Attempt first = send();
    long next = policy.notBefore(now);
    Attempt second = send();
    policy.abandoned(second, now);
    assertThat(policy.notBefore(first.sentAt())).isEqualTo(next);
    Attempt third = send();
    Attempt fourth = send();
    long after = policy.notBefore(now);
    policy.abandoned(third, now);
    assertThat(policy.notBefore(now)).as("its place has passed").isEqualTo(after);
    policy.abandoned(fourth, now);
    assertThat(policy.notBefore(third.sentAt())).isLessThan(after);
  }

  @Test
  void a_start_that_is_a_little_late_costs_no_pace() {
    know(10, 0);
    Attempt unused = send();
    long next = policy.notBefore(now);
    now = next + 3 * MILLISECOND;
    policy.started(new Sent(now), now);
    assertThat(policy.notBefore(now)).isEqualTo(next + 100 * MILLISECOND);
    now = policy.notBefore(now) + 50 * MILLISECOND;
    policy.started(new Sent(now), now);
    assertThat(policy.notBefore(now)).as("5 ms are made up for").isEqualTo(now + 95 * MILLISECOND);
    assertThat(unused.sentAt()).isEqualTo(START);
  }

  @Test
  void time_without_work_says_nothing_about_the_quota() {
    know(5, 0);
    succeed(20);
    now += 100 * SECOND;
    succeed(60);
    settle(send(), told(1));
    assertThat(policy.rate()).isCloseTo(4.9, within(1e-9));
  }

  @Test
  void while_answers_are_slow_no_more_is_tried_and_no_queue_is_built() {
    know(5, 0);
    succeed(50);
    for (int i = 0; i < 200; i++) {
      settle(send(), Signal.success(Duration.ofSeconds(3)));
    }
    assertThat(policy.rate()).isEqualTo(5);
    assertThat(policy.level(now)).as("1.5 × 5 × 0.2 s, and 3").isEqualTo(4);
  }

  @Test
  void at_the_start_only_the_governor_bounds_what_is_in_flight() {
    succeed(100);
    assertThat(policy.level(now)).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70})
  void a_refusal_never_raises_the_rate_even_if_more_seems_to_have_been_granted(int grants) {
    for (int i = 0; i < grants; i++) { // answers that took so long that the start does not go on
      settle(send(), Signal.success(Duration.ofDays(1)));
    }
    assertThat(policy.rate()).isEqualTo(1);
    settle(send(), told(1));
    assertThat(policy.rate()).isBetween(0.9, 1.0);
  }

  @Test
  void a_long_closure_is_believed_even_if_more_was_on_trial() {
    know(1, 0);
    succeed(100);
    assertThat(policy.rate()).isEqualTo(1.02);
    settle(send(), told(100));
    assertThat(policy.rate()).isBetween(0.49, 0.51);
  }

  @Test
  void long_closures_are_forgotten_little_by_little() {
    know(10, 60);
    settle(send(), told(1));
    assertThat(policy.profile()).isEqualTo(new Profile(policy.rate(), Duration.ofSeconds(42)));
  }

  @Test
  void no_wait_is_too_long_to_count() {
    settle(send(), Signal.throttled(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThat(policy.rate()).isCloseTo(0.7, within(1e-9));
    assertThat(policy.profile()).isEqualTo(new Profile(0.7, Duration.ofDays(7)));
  }
}
