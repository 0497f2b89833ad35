package dev.sluice.control.learning;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LearnedPolicyTest {
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long START = -3 * SECOND;
  private static final Signal UNAVAILABLE =
      Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE);

  private LearnedPolicy policy = new LearnedPolicy(null, START);
  private long now = START;
  private long took = 100 * MILLISECOND;

  private record Sent(long sentAt) implements Attempt {
    @Override
    public Work work() {
      return Work.UNKNOWN;
    }
  }

  private void know(double rate, int cap, double sure) {
    policy = new LearnedPolicy(new Profile(rate, cap, sure), now);
  }

  /** Sends as soon as the pace allows, a nanosecond after the last answer at the earliest. */
  private Attempt send() {
    now = Math.max(now + 1, policy.notBefore(now));
    Attempt attempt = new Sent(now);
    policy.started(attempt, now);
    return attempt;
  }

  private List<Attempt> send(int count) {
    List<Attempt> attempts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      attempts.add(send());
    }
    return attempts;
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

  private Profile learned() {
    return requireNonNull(policy.profile());
  }

  private static Signal told(long seconds) {
    return Signal.throttled(Duration.ofSeconds(seconds));
  }

  /** A cap of 4: of five at once the last was refused, and a second later one was granted. */
  private void learnCapOf4() {
    succeed(8);
    List<Attempt> five = send(5);
    settle(five.get(4), Signal.throttled());
    five.subList(0, 4).forEach(attempt -> settle(attempt, Signal.success()));
    succeed(1);
  }

  @Test
  void knowing_nothing_it_starts_with_one_at_a_time_and_4_per_second() {
    assertThat(policy.rate()).isEqualTo(4);
    assertThat(policy.level(now)).isEqualTo(1);
    assertThat(policy.notBefore(now)).isEqualTo(START);
    assertThat(policy.profile()).isNull();
    Attempt unused = send();
    assertThat(policy.notBefore(now)).isBetween(now + 245 * MILLISECOND, now + 250 * MILLISECOND);
  }

  @Test
  void the_start_doubles_at_most_every_quarter_second_and_grows_by_less_above_64() {
    took = MILLISECOND;
    long grownAt = now;
    while (policy.rate() < 1_000) {
      double rate = policy.rate();
      succeed(1);
      if (policy.rate() != rate) {
        assertThat(policy.rate() / rate).isCloseTo(rate < 64 ? 2 : 1.4, within(1e-9));
        assertThat(now - grownAt).isGreaterThanOrEqualTo(250 * MILLISECOND);
        grownAt = now;
      }
    }
  }

  @Test
  void steps_of_the_start_are_a_round_trip_apart() {
    took = 400 * MILLISECOND;
    succeed(2);
    double rate = policy.rate();
    List<Attempt> three = send(3);
    three.forEach(attempt -> settle(attempt, Signal.success()));
    assertThat(policy.rate()).as("answers of one round trip").isEqualTo(2 * rate);
  }

  @Test
  void each_success_gives_a_slot_until_there_are_8_and_then_each_step_a_quarter() {
    succeed(7);
    assertThat(policy.level(now)).isEqualTo(8);
    succeed(400);
    assertThat(policy.level(now)).as("the guard holds it back").isBetween(9, 16);
  }

  @Test
  void the_start_ends_when_more_at_once_only_wait_and_is_a_cap_then() {
    took = 10 * MILLISECOND;
    succeed(60);
    for (int i = 0; i < 100 && policy.profile() == null; i++) {
      List<Attempt> six = send(6);
      now += 60 * MILLISECOND;
      six.forEach(attempt -> settle(attempt, Signal.success()));
    }
    assertThat(policy.rate()).isInfinite();
    assertThat(policy.level(now)).as("two thirds of six").isEqualTo(4);
  }

  @Test
  void a_brief_refusal_of_the_start_is_taken_for_a_cap() {
    learnCapOf4();
    assertThat(policy.rate()).as("no pace").isInfinite();
    assertThat(policy.level(now)).isEqualTo(4);
    Attempt unused = send();
    assertThat(policy.notBefore(now)).isEqualTo(now);
    assertThat(learned().cap()).isEqualTo(4);
  }

  @Test
  void a_refusal_at_or_below_a_cap_that_is_not_believed_refutes_it() {
    learnCapOf4();
    List<Attempt> three = send(3);
    settle(three.get(2), told(1));
    settle(three.get(0), Signal.success());
    settle(three.get(1), Signal.success());
    succeed(1);
    assertThat(policy.rate()).isFinite();
    assertThat(learned().cap()).isZero();
  }

  @Test
  void a_cap_that_is_believed_is_lowered_by_a_brief_refusal() {
    learnCapOf4();
    succeed(41);
    List<Attempt> four = send(4);
    settle(four.get(3), told(1));
    four.subList(0, 3).forEach(attempt -> settle(attempt, Signal.success()));
    succeed(1);
    assertThat(policy.rate()).isInfinite();
    assertThat(policy.level(now)).isEqualTo(3);
  }

  @Test
  void a_long_closure_refutes_any_cap() {
    learnCapOf4();
    succeed(41);
    List<Attempt> four = send(4);
    settle(four.get(3), told(30));
    four.subList(0, 3).forEach(attempt -> settle(attempt, Signal.success()));
    succeed(1);
    assertThat(policy.rate()).isFinite();
  }

  @Test
  void a_long_closure_of_the_start_makes_a_rate_of_what_was_granted_until_it_ends() {
    succeed(50);
    settle(send(), told(30));
    double granted = 50e9 / (now + 30 * SECOND - START);
    succeed(1);
    assertThat(policy.rate()).isCloseTo(0.98 * granted, within(1e-9));
    assertThat(learned().rate()).isCloseTo(0.98 * granted, within(1e-9));
  }

  /** The service answers 503 from now on, for so many seconds. */
  private void maintain(long seconds) {
    refuse(seconds, Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE));
  }

  private void refuse(long seconds, Signal signal) {
    long end = now + seconds * SECOND;
    for (Attempt probe = send(); probe.sentAt() < end; probe = send()) {
      settle(probe, signal);
    }
    succeed(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_long_closure_of_which_nothing_is_told_halves_the_rate_and_the_start_goes_on(
      boolean throttles) {
    succeed(50);
    double rate = policy.rate();
    refuse(
        3_600,
        throttles
            ? Signal.throttled()
            : Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE));
    assertThat(policy.rate()).isBetween(rate / 2, rate); // with the first step
    succeed(200);
    assertThat(policy.rate()).isGreaterThan(rate);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 60})
  void a_refusal_before_the_first_success_halves_the_first_rate(long seconds) {
    settle(send(), seconds == 0 ? Signal.throttled() : told(seconds));
    succeed(1);
    assertThat(policy.rate()).isEqualTo(2);
    assertThat(policy.notBefore(now) - now).isLessThanOrEqualTo(SECOND);
  }

  @Test
  void refusals_of_one_wave_after_a_told_wait_double_the_pause_once() {
    succeed(50);
    settle(send(), told(5));
    List<Attempt> wave = send(4);
    wave.forEach(attempt -> settle(attempt, Signal.throttled()));
    assertThat(policy.notBefore(now) - now).isLessThanOrEqualTo(2 * SECOND);
  }

  @Test
  void a_second_closure_like_it_was_no_maintenance() {
    succeed(50);
    maintain(200);
    succeed(50);
    maintain(200);
    assertThat(policy.rate()).isLessThan(1);
  }

  @Test
  void a_shorter_time_of_503_is_a_limit() {
    succeed(50);
    maintain(25);
    assertThat(policy.rate()).isLessThan(4);
  }

  @Test
  void a_cap_that_is_believed_outlasts_maintenance() {
    learnCapOf4();
    maintain(200);
    assertThat(policy.rate()).as("not believed yet").isFinite();
    policy = new LearnedPolicy(null, now);
    learnCapOf4();
    succeed(41);
    maintain(200);
    assertThat(policy.rate()).isInfinite();
    assertThat(policy.level(now)).isEqualTo(4);
  }

  @Test
  void what_was_granted_between_two_like_closures_is_the_rate() {
    know(10, 0, 1);
    settle(send(), told(30));
    long opened = now + 30 * SECOND;
    succeed(1_000);
    settle(send(), told(30));
    double granted = 1_000e9 / (now + 30 * SECOND - opened);
    succeed(1);
    assertThat(policy.rate()).isCloseTo(0.98 * granted, within(1e-9));
  }

  @Test
  void one_episode_leaves_half_of_the_rate_at_least() {
    know(10, 0, 1);
    settle(send(), told(300));
    succeed(1);
    double rate = policy.rate();
    succeed(10);
    settle(send(), told(300));
    succeed(1);
    assertThat(policy.rate()).as("10 in 300 s were granted").isCloseTo(rate / 2, within(1e-9));
  }

  @Test
  void a_refusal_of_which_nothing_else_is_known_takes_4_in_100() {
    know(10, 0, 1);
    succeed(10);
    settle(send(), told(1));
    assertThat(policy.rate()).as("decided when it is over").isEqualTo(9.8);
    succeed(1);
    assertThat(policy.rate()).isCloseTo(0.96 * 9.8, within(1e-9));
  }

  @Test
  void all_refusals_of_an_episode_are_one_decision() {
    know(10, 0, 1);
    succeed(10);
    List<Attempt> four = send(4);
    settle(four.get(0), told(1));
    settle(four.get(1), told(1));
    settle(four.get(2), Signal.throttled());
    settle(four.get(3), Signal.success());
    settle(send(), told(1));
    settle(send(), UNAVAILABLE);
    succeed(3);
    assertThat(policy.rate()).isCloseTo(0.96 * 9.8, within(1e-9));
  }

  @Test
  void a_refusal_after_the_first_success_is_another_episode() {
    know(10, 0, 1);
    succeed(10);
    settle(send(), told(1));
    succeed(1);
    settle(send(), told(1));
    succeed(1);
    assertThat(policy.rate()).isCloseTo(0.96 * 0.96 * 9.8, within(1e-9));
  }

  @Test
  void nothing_is_sent_before_the_time_that_is_told() {
    know(10, 0, 1);
    List<Attempt> two = send(2);
    settle(two.get(0), told(5));
    long until = now + 5 * SECOND;
    assertThat(policy.notBefore(now)).isEqualTo(until);
    assertThat(policy.level(now)).as("it is not probed").isGreaterThan(1);
    settle(two.get(1), told(7));
    assertThat(policy.notBefore(now)).isEqualTo(now + 7 * SECOND);
  }

  @Test
  void without_a_told_wait_single_requests_ask_again_with_pauses_that_double() {
    know(10, 0, 1);
    succeed(10);
    Attempt early = send();
    settle(send(), Signal.throttled());
    assertThat(policy.level(now)).as("one beside what was sent before").isEqualTo(2);
    settle(early, Signal.success());
    assertThat(policy.level(now)).as("that success was sent before").isEqualTo(1);
    long[] pauses = {2, 4, 8, 16, 32, 60, 60};
    for (long pause : pauses) {
      Attempt probe = send();
      assertThat(policy.level(now)).as("the probe has the only place").isEqualTo(1);
      settle(probe, Signal.throttled());
      if (pause <= 32) { // the guard lets no tenth one be refused within a minute
        assertThat(policy.notBefore(now)).isEqualTo(now + pause * SECOND);
      } else {
        assertThat(policy.notBefore(now)).isGreaterThanOrEqualTo(now + pause * SECOND);
      }
    }
    succeed(1);
    assertThat(policy.level(now)).isGreaterThan(1);
  }

  @Test
  void an_unavailable_service_refuses_without_telling_a_wait() {
    know(10, 0, 1);
    settle(send(), UNAVAILABLE);
    assertThat(policy.level(now)).isEqualTo(1);
    assertThat(policy.notBefore(now)).isEqualTo(now + SECOND);
  }

  @ParameterizedTest
  @EnumSource(Signal.Transient.Kind.class)
  void other_failures_leave_the_pace_alone(Signal.Transient.Kind kind) {
    if (kind == Signal.Transient.Kind.UNAVAILABLE) {
      return;
    }
    know(10, 0, 1);
    succeed(10);
    int level = policy.level(now);
    for (int i = 0; i < 30; i++) {
      settle(send(), Signal.transientFailure(kind));
    }
    assertThat(policy.rate()).isEqualTo(9.8);
    assertThat(policy.level(now)).isEqualTo(level);
    assertThat(policy.notBefore(now)).isLessThanOrEqualTo(now + 103 * MILLISECOND);
  }

  @Test
  void what_the_limit_let_through_counts_as_granted_whatever_became_of_it() {
    know(10, 0, 1);
    settle(send(), told(30));
    long opened = now + 30 * SECOND;
    for (int i = 0; i < 250; i++) {
      settle(send(), Signal.success());
      settle(send(), Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
      settle(send(), Signal.rejected(Signal.Rejected.Kind.NOT_FOUND));
      settle(send(), Signal.answered(Signal.Answered.Kind.DEADLOCK));
    }
    double before = policy.rate();
    settle(send(), told(30));
    double granted = 1_000e9 / (now + 30 * SECOND - opened);
    succeed(1);
    assertThat(policy.rate()).isCloseTo(0.98 * granted, within(1e-9)).isLessThan(before);
  }

  @Test
  void cancelled_requests_leave_everything_alone() {
    know(10, 0, 1);
    succeed(30);
    double rate = policy.rate();
    int level = policy.level(now);
    Profile profile = policy.profile();
    for (int i = 0; i < 5; i++) {
      settle(send(), Signal.CANCELLED);
    }
    assertThat(policy.rate()).isEqualTo(rate);
    assertThat(policy.level(now)).isEqualTo(level);
    assertThat(policy.profile()).isEqualTo(profile);
  }

  @Test
  void a_cancelled_probe_says_nothing_and_its_place_is_free_again() {
    know(10, 0, 1);
    settle(send(), Signal.throttled());
    settle(send(), Signal.CANCELLED);
    assertThat(policy.level(now)).isEqualTo(1);
    assertThat(policy.notBefore(now)).isLessThanOrEqualTo(now + 103 * MILLISECOND);
  }

  @Test
  void the_guard_bounds_what_is_in_flight() {
    know(500, 0, 1);
    assertThat(policy.level(now)).isEqualTo(3);
    took = SECOND;
    succeed(1);
    assertThat(policy.level(now)).as("980 would be needed").isEqualTo(9);
  }

  @Test
  void the_guard_lets_no_tenth_request_be_refused_within_a_minute() {
    know(10, 0, 1);
    for (int i = 0; i < 9; i++) {
      settle(send(), told(1));
    }
    assertThat(policy.notBefore(now)).isGreaterThan(START + 60 * SECOND);
  }

  @Test
  void as_many_are_in_flight_as_twice_the_rate_needs_and_three() {
    know(10, 0, 1);
    succeed(1);
    assertThat(policy.level(now)).as("2 × 9.8 × 0.1 s + 3").isEqualTo(4);
  }

  @Test
  void requests_that_time_out_do_not_take_the_slots_of_others() {
    know(10, 0, 1);
    succeed(200);
    int level = policy.level(now);
    for (int i = 0; i < 100; i++) {
      took = i % 20 == 0 ? 30 * SECOND : 100 * MILLISECOND;
      settle(
          send(),
          i % 20 == 0
              ? Signal.transientFailure(Signal.Transient.Kind.REQUEST_TIMEOUT)
              : Signal.success());
    }
    assertThat(level).isEqualTo(5);
    assertThat(policy.level(now)).as("all that the guard allows").isEqualTo(9);
  }

  @Test
  void while_answers_are_slow_the_rate_falls_to_half_and_no_further_and_returns() {
    know(10, 0, 1);
    succeed(40);
    double rate = policy.rate();
    assertThat(rate).as("more was tried").isCloseTo(9.8 * 1.1, within(1e-9));
    for (int i = 0; i < 400; i++) {
      settle(send(), Signal.success(Duration.ofMillis(300)));
      assertThat(policy.rate()).isBetween(rate / 2, rate);
    }
    assertThat(policy.rate()).isBetween(rate / 2, rate); // with the first step
    assertThat(learned().rate()).as("what is proven stays").isEqualTo(9.8);
    succeed(10 * 20);
    assertThat(policy.rate()).as("all is well again").isEqualTo(rate);
  }

  @Test
  void more_is_searched_after_20_successes_and_2_seconds() {
    know(10, 0, 1);
    succeed(19);
    assertThat(policy.rate()).isEqualTo(9.8);
    succeed(3);
    assertThat(policy.rate()).isCloseTo(9.8 * 1.1, within(1e-9));
    assertThat(learned().rate()).as("not proven yet").isEqualTo(9.8);
  }

  @Test
  void once_a_refusal_has_measured_it_more_is_tried_after_200_successes_and_15_seconds() {
    took = 10 * MILLISECOND;
    know(20, 0, 1);
    settle(send(), told(1));
    succeed(1);
    double rate = policy.rate();
    long decided = now;
    while (policy.rate() == rate) {
      succeed(1);
    }
    assertThat(policy.rate()).isCloseTo(1.02 * rate, within(1e-9));
    assertThat(now - decided).isBetween(14_900 * MILLISECOND, 16 * SECOND);
  }

  @Test
  void a_slow_rate_waits_for_its_200_successes() {
    know(1, 0, 1);
    settle(send(), told(1));
    succeed(1);
    double rate = policy.rate();
    succeed(198);
    assertThat(policy.rate()).isEqualTo(rate);
    succeed(1);
    assertThat(policy.rate()).isCloseTo(1.02 * rate, within(1e-9));
  }

  @Test
  void from_one_request_a_minute_it_takes_half_an_hour_to_one_a_second() {
    know(1 / 60.0, 0, 1);
    long began = now;
    while (policy.rate() < 1) {
      succeed(1);
    }
    assertThat(now - began).isLessThan(30 * 60 * SECOND);
  }

  @Test
  void a_larger_episode_is_followed_by_more_patience() {
    know(1, 0, 1);
    List<Attempt> five = send(5);
    five.forEach(attempt -> settle(attempt, told(1)));
    succeed(1);
    settle(send(), told(1)); // the cost of the one before is known by now
    succeed(1);
    double rate = policy.rate();
    succeed(150);
    assertThat(policy.rate()).isEqualTo(rate);
  }

  @Test
  void a_step_that_fails_is_taken_back_and_repeated_later() {
    know(1, 0, 1);
    settle(send(), told(1));
    succeed(200);
    double proven = learned().rate();
    double tried = policy.rate();
    assertThat(tried).isGreaterThan(proven);
    settle(send(), told(1));
    succeed(1);
    assertThat(policy.rate()).isLessThan(tried).isLessThanOrEqualTo(proven);
    double rate = policy.rate();
    succeed(350);
    assertThat(policy.rate()).as("twice as many successes").isEqualTo(rate);
    succeed(50);
    assertThat(policy.rate()).isGreaterThan(rate);
  }

  @Test
  void a_rate_that_is_not_used_is_not_proven() {
    know(10, 0, 1);
    for (int i = 0; i < 500; i++) {
      now += SECOND;
      succeed(1);
    }
    assertThat(policy.rate()).isEqualTo(9.8);
  }

  /** Five at once, of which the last is refused for a second. */
  private void refuseTheFifth() {
    List<Attempt> five = send(5);
    settle(five.get(4), told(1));
    five.subList(0, 4).forEach(attempt -> settle(attempt, Signal.success()));
    succeed(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {200, 301})
  void a_brief_refusal_of_more_at_once_than_ever_is_taken_for_a_cap_every_5_minutes(long seconds) {
    know(10, 0, 1);
    succeed(10);
    refuseTheFifth();
    assertThat(learned().cap()).as("the first time").isEqualTo(4);
    settle(send(), told(1));
    succeed(1);
    assertThat(learned().cap()).as("refuted").isEqualTo(0);
    now += seconds * SECOND;
    refuseTheFifth();
    assertThat(Double.isInfinite(policy.rate())).isEqualTo(seconds > 300);
    assertThat(learned().cap()).isEqualTo(seconds > 300 ? 4 : 0);
  }

  @Test
  void a_trusted_profile_is_where_it_goes_on() {
    know(10, 0, 0.4);
    assertThat(policy.rate()).isEqualTo(9.8);
    assertThat(learned().rate()).isEqualTo(9.8);
    know(0.1, 0, 1);
    assertThat(policy.rate()).as("a slow one, too").isCloseTo(0.098, within(1e-9));
  }

  @Test
  void half_of_a_known_cap_is_where_the_search_begins() {
    know(10, 6, 1);
    assertThat(policy.rate()).as("as if nothing was known").isEqualTo(4);
    assertThat(policy.level(now)).isEqualTo(3);
    assertThat(policy.profile()).as("nothing is learned yet").isNull();
  }

  @Test
  void half_of_a_profile_that_is_not_trusted_is_where_the_search_begins() {
    know(100, 0, 0.39);
    assertThat(policy.rate()).isEqualTo(50);
    assertThat(policy.level(now)).isEqualTo(1);
    assertThat(policy.profile()).as("nothing is learned yet").isNull();
    know(2, 0, 0.39);
    assertThat(policy.rate()).as("no slower than knowing nothing").isEqualTo(4);
  }

  @Test
  void a_told_wait_that_was_much_too_short_counts_as_no_time_without_grants() {
    took = 10 * MILLISECOND;
    know(20, 0, 1);
    settle(send(), told(10));
    succeed(1);
    succeed(200);
    settle(send(), told(10));
    for (int i = 0; i < 20; i++) {
      settle(send(), told(10)); // some minutes
    }
    succeed(1);
    succeed(200);
    double rate = policy.rate();
    settle(send(), told(10));
    succeed(1);
    assertThat(policy.rate()).isGreaterThan(0.6 * rate);
  }

  @Test
  void long_maintenance_at_the_start_leaves_a_known_rate_alone() {
    know(10, 0, 1);
    succeed(10);
    double rate = policy.rate();
    long began = now;
    while (now - began < 60 * SECOND) {
      settle(send(), UNAVAILABLE);
    }
    succeed(1);
    assertThat(policy.rate()).isEqualTo(rate);
  }

  @Test
  void whoever_could_be_suspended_is_told_why_nothing_is_sent() {
    settle(send(), Signal.success());
    for (int i = 0; i < 9; i++) {
      settle(send(), told(1));
    }
    assertThat(policy.reason(now))
        .matches(
            "9 of the last 10 requests were refused; the next one is sent in \\d+ s,"
                + " because more could suspend the account");
  }

  @Test
  void a_profile_is_trusted_for_a_day_and_not_for_two() {
    Profile sure = new Profile(100, 0, 1);
    policy = new LearnedPolicy(sure.aged(Duration.ofDays(1)), now);
    assertThat(policy.rate()).isEqualTo(98);
    policy = new LearnedPolicy(sure.aged(Duration.ofDays(2)), now);
    assertThat(policy.rate()).isEqualTo(50);
  }

  @Test
  void a_profile_is_the_surer_the_more_went_well_since_the_last_refusal() {
    know(1, 0, 1);
    settle(send(), told(1));
    succeed(50);
    assertThat(learned().sure()).isEqualTo(50 / 200.0);
    succeed(160);
    assertThat(learned().sure()).as("more is tried already").isEqualTo(1);
    settle(send(), told(1));
    succeed(1);
    assertThat(learned().sure()).isLessThan(0.1);
  }

  @Test
  void a_request_that_was_never_sent_gives_its_place_back() {
    know(10, 0, 1);
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
  void requests_that_were_never_sent_do_not_widen_the_guard() {
    know(500, 0, 1);
    took = SECOND;
    succeed(1);
    for (int i = 0; i < 1_000; i++) {
      policy.abandoned(send(), now);
    }
    assertThat(policy.level(now)).isEqualTo(9);
  }

  @Test
  void a_probe_that_was_never_sent_leaves_its_place_to_another() {
    know(10, 0, 1);
    settle(send(), Signal.throttled());
    policy.abandoned(send(), now);
    assertThat(policy.level(now)).isEqualTo(1);
    assertThat(policy.notBefore(now)).isLessThanOrEqualTo(now + 103 * MILLISECOND);
  }

  @Test
  void a_start_that_is_a_little_late_costs_no_pace() {
    know(9.8 / 0.98 / 0.98, 0, 1); // 10 per second
    long interval = (long) (1e9 / policy.rate());
    Attempt unused = send();
    long next = policy.notBefore(now);
    now = next + 3 * MILLISECOND;
    policy.started(new Sent(now), now);
    assertThat(policy.notBefore(now)).isEqualTo(next + interval);
    now = policy.notBefore(now) + 50 * MILLISECOND;
    policy.started(new Sent(now), now);
    assertThat(policy.notBefore(now))
        .as("5 ms are made up for")
        .isEqualTo(now - 5 * MILLISECOND + interval);
  }

  @Test
  void time_without_work_says_nothing_about_the_quota() {
    know(10, 0, 1);
    settle(send(), told(30));
    long opened = now + 30 * SECOND;
    succeed(500);
    now += 1_000 * SECOND;
    succeed(500);
    settle(send(), told(30));
    double granted = 1_000e9 / (now + 30 * SECOND - opened - 1_000 * SECOND);
    succeed(1);
    assertThat(policy.rate()).isCloseTo(0.98 * granted, within(0.05));
  }

  @Test
  void no_wait_is_too_long_to_count() {
    settle(send(), Signal.throttled(Duration.ofSeconds(Long.MAX_VALUE)));
    assertThat(policy.notBefore(now)).isEqualTo(now + 7 * 86_400 * SECOND);
    succeed(1);
    assertThat(policy.rate()).isGreaterThanOrEqualTo(1 / 300.0);
  }

  @Test
  void an_answer_that_refuses_a_record_shows_that_the_provider_is_open_again() {
    succeed(30);
    settle(send(), Signal.throttled());
    assertThat(policy.slowedBy(now)).isEqualTo(SlowedBy.PROBING);
    settle(send(), Signal.rejected(Signal.Rejected.Kind.NOT_FOUND));

    assertThat(policy.slowedBy(now)).isNotEqualTo(SlowedBy.PROBING);
  }

  @Test
  void the_rate_that_is_told_is_the_one_that_is_paced_by() {
    succeed(300);
    took = 2 * SECOND;
    succeed(60);
    double told = policy.rate();
    long first = send().sentAt();
    long second = send().sentAt();

    assertThat(1e9 / (second - first)).isCloseTo(told, within(0.05 * told));
  }
}
