package dev.sluice.control.pacing;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Scope;
import dev.sluice.control.signal.QuotaHint.Unit;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QuotaCeilingTest {
  private static final long SECOND = SECONDS.toNanos(1);
  private static final double NONE = Double.POSITIVE_INFINITY;

  private final QuotaCeiling quota = new QuotaCeiling();
  private long lastSent;

  /** Sends at a time, and is answered at once. */
  private void exchange(long now, Signal signal) {
    lastSent = now;
    quota.started(now);
    quota.settled(now, signal, now);
  }

  /** Seconds from the last request to the next. */
  private double pause(long now) {
    return Math.max(0, quota.notBefore(now) - lastSent) / 1e9;
  }

  @Test
  void without_hints_there_is_no_ceiling() {
    exchange(5, Signal.success());
    assertThat(quota.notBefore(5)).isEqualTo(5);
    assertThat(quota.rate()).isEqualTo(NONE);
  }

  @Test
  void what_is_left_lasts_until_the_reset() {
    exchange(0, success(hint().limit(100).remaining(60).reset(30)));
    assertThat(pause(0)).isCloseTo(0.5, within(0.001));
  }

  @Test
  void what_is_in_flight_counts_as_spent() {
    for (int i = 0; i < 31; i++) {
      quota.started(i);
    }
    quota.settled(0, success(hint().limit(100).remaining(60).reset(30)), 31);
    lastSent = 30;
    assertThat(pause(31)).as("30 of 60 are on their way").isCloseTo(1, within(0.001));
  }

  @Test
  void the_lowest_that_was_told_counts_whatever_the_order_of_answers() {
    for (int i = 0; i < 3; i++) {
      quota.started(i);
    }
    quota.settled(1, success(hint().limit(100).remaining(20).reset(30)), 10);
    quota.settled(0, success(hint().limit(100).remaining(21).reset(30)), 11); // overtaken
    lastSent = 2;
    assertThat(pause(11)).as("20 less one in flight").isCloseTo(30 / 19.0, within(0.001));
  }

  @Test
  void with_nothing_left_nothing_is_sent_before_the_reset() {
    exchange(0, success(hint().limit(100).remaining(0).reset(50)));
    assertThat(quota.notBefore(0)).isEqualTo(50 * SECOND);
  }

  @Test
  void a_request_without_an_answer_may_have_been_counted() {
    exchange(0, success(hint().limit(10).remaining(2).reset(50)));
    exchange(1, Signal.CANCELLED);
    exchange(2, Signal.transientFailure(Signal.Transient.Kind.TRANSPORT));
    assertThat(quota.notBefore(2)).isEqualTo(50 * SECOND);
  }

  @Test
  void after_the_reset_the_whole_limit_is_there_again() {
    exchange(0, success(hint().limit(100).remaining(0).reset(10).window(10)));
    lastSent = 10 * SECOND + SECOND / 10;
    quota.started(lastSent);
    assertThat(pause(lastSent)).as("10 s for a hundred").isCloseTo(0.1, within(0.01));
  }

  @Test
  void what_was_not_spent_is_caught_up_with_by_a_quarter_at_most() {
    exchange(0, success(hint().limit(100).remaining(100).reset(1).window(50)));
    assertThat(pause(0)).as("2/s on the whole").isCloseTo(0.4, within(0.001));
    assertThat(quota.rate()).isEqualTo(2);
  }

  @Test
  void of_several_limits_the_one_that_asks_for_the_longest_wait_counts() {
    exchange(
        0,
        success(
            hint().limit(1_000).window(10),
            hint().limit(60).window(60),
            hint().limit(9).window(3)));
    assertThat(pause(0)).isEqualTo(1);
    assertThat(quota.rate()).isEqualTo(1);
  }

  @Test
  void a_success_replaces_the_limit() {
    exchange(0, success(hint().limit(60).window(60)));
    exchange(SECOND, success(hint().limit(600).window(60)));
    assertThat(quota.rate()).isEqualTo(10);
    exchange(2 * SECOND, success(hint().limit(120).window(60)));
    assertThat(quota.rate()).isEqualTo(2);
  }

  @Test
  void an_error_may_lower_the_limit_and_what_is_left_and_never_raises_them() {
    exchange(0, success(hint().limit(60).remaining(30).reset(60).window(60)));
    exchange(SECOND, throttled(hint().limit(600).remaining(600).reset(60).window(60)));
    assertThat(quota.rate()).isEqualTo(1);
    assertThat(pause(SECOND)).isGreaterThan(1.9);
    exchange(2 * SECOND, throttled(hint().limit(30).remaining(1).reset(50).window(60)));
    assertThat(quota.rate()).isEqualTo(0.5);
    assertThat(pause(2 * SECOND)).isGreaterThan(20);
  }

  @Test
  void an_answer_from_the_window_before_says_nothing_about_the_present_one() {
    quota.started(0);
    exchange(1, success(hint().limit(100).remaining(1).reset(10).window(10)));
    exchange(11 * SECOND, success(hint().limit(100).remaining(99).reset(10).window(10)));
    quota.settled(0, success(hint().limit(100).remaining(2).reset(10).window(10)), 11 * SECOND + 1);
    assertThat(pause(11 * SECOND + 1)).isCloseTo(0.1, within(0.01));
  }

  @Test
  void a_limit_that_is_not_told_for_a_whole_window_is_forgotten() {
    exchange(0, success(hint().limit(100).window(10)));
    exchange(11 * SECOND, Signal.success());
    assertThat(quota.rate()).isEqualTo(10);
    exchange(22 * SECOND, Signal.success());
    assertThat(quota.rate()).isEqualTo(NONE);
  }

  @Test
  void a_window_whose_length_is_not_told_is_learned_from_two_that_are_seen_to_begin() {
    // Windows of 10 s; a reset in whole seconds of a clock that is half a second ahead of them.
    Signal begins = success(hint().limit(100).remaining(99).resetMillis(10_500));
    Signal ends = success(hint().limit(100).remaining(9).resetMillis(600));
    exchange(0, begins);
    for (int window = 1; window <= 3; window++) {
      exchange(window * 10L * SECOND - SECOND / 10, ends);
      exchange(window * 10L * SECOND, begins);
    }
    assertThat(quota.rate()).as("100 in 10 s, not in 11").isEqualTo(10);
  }

  @Test
  void who_first_sees_a_window_from_its_middle_does_not_take_the_rest_for_the_whole() {
    exchange(0, success(hint().limit(100).remaining(30).reset(3)));
    exchange(4 * SECOND, success(hint().limit(100).remaining(99).reset(10)));
    assertThat(quota.rate()).isEqualTo(10);
  }

  @Test
  void a_provider_that_changes_to_longer_windows_is_believed() {
    exchange(0, success(hint().limit(100).remaining(99).reset(10)));
    exchange(11 * SECOND, success(hint().limit(100).remaining(99).reset(10)));
    exchange(22 * SECOND, success(hint().limit(100).remaining(99).reset(60)));
    assertThat(quota.rate()).isCloseTo(100 / 60.0, within(1e-9));
  }

  @Test
  void a_hint_about_one_object_concerns_nobody_else() {
    exchange(0, throttled(hint().reach(Reach.OBJECT).limit(1).remaining(0).reset(30).window(60)));
    assertThat(quota.notBefore(0)).isZero();
  }

  @Test
  void a_gauge_of_requests_in_flight_is_no_quota() {
    exchange(0, throttled(hint().unit(Unit.CONCURRENT).limit(4).remaining(0).reset(30)));
    assertThat(quota.notBefore(0)).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"POINTS", "BYTES", "WORK_TIME"})
  void what_is_not_counted_in_requests_says_nothing_about_their_pace(Unit unit) {
    exchange(0, success(hint().unit(unit).limit(100).remaining(50).reset(30).window(60)));
    assertThat(quota.notBefore(0)).isZero();
    exchange(0, success(hint().unit(unit).limit(100).remaining(0).reset(30).window(60)));
    assertThat(quota.notBefore(0)).isZero();
  }

  @Test
  void absurd_spans_do_not_overflow() {
    QuotaHint absurd =
        new QuotaHint(
            OptionalLong.of(Long.MAX_VALUE),
            OptionalLong.of(Long.MAX_VALUE),
            Optional.of(Duration.ofSeconds(Long.MAX_VALUE)),
            Optional.of(Duration.ofSeconds(Long.MAX_VALUE)),
            Optional.of(Duration.ofSeconds(Long.MAX_VALUE)),
            new Scope(Reach.ACCOUNT, "", Unit.REQUESTS, "test"));
    exchange(0, new Signal.Success(0, List.of(absurd)));
    assertThat(quota.notBefore(SECOND)).isEqualTo(SECOND);
    assertThat(quota.rate()).isPositive();
  }

  @Test
  void a_reset_that_is_now_says_nothing() {
    exchange(9, success(hint().limit(100).remaining(50).reset(0)));
    assertThat(quota.notBefore(9)).isEqualTo(9);
    assertThat(quota.rate()).isEqualTo(NONE);
  }

  @Test
  void a_pacer_goes_no_faster_than_the_ceiling_and_does_not_learn_past_it() {
    AdaptivePacer pacer = new AdaptivePacer(PacerOptions.DEFAULTS, new WarmStart(10, 0), 0);
    Signal told = success(hint().limit(120).window(60));
    pacer.sent(0);
    pacer.settled(0, told, SECOND / 20);
    assertThat(pacer.earliest(SECOND / 20)).isEqualTo(SECOND / 2);
    assertThat(pacer.rate()).isEqualTo(10); // what was learned is kept

    AdaptivePacer slower = new AdaptivePacer(PacerOptions.DEFAULTS, new WarmStart(1, 0), 0);
    long now = 0;
    for (int i = 0; i < 20; i++) {
      now = slower.earliest(now);
      slower.sent(now);
      slower.settled(now, told, now);
    }
    assertThat(slower.rate()).isEqualTo(2);
  }

  @Test
  void a_hinted_policy_goes_no_faster_than_the_ceiling_and_keeps_its_own_rate() {
    Policy policy = new HintedPolicy(new FixedRatePolicy(10, 1, 16, 0));
    assertThat(policy.notBefore(0)).isZero();
    Attempt first = started(policy, 0);
    assertThat(policy.notBefore(1)).isEqualTo(SECOND / 10);
    policy.settled(first, success(hint().limit(120).window(60)), 1);
    assertThat(policy.notBefore(1)).isEqualTo(SECOND / 2);
    assertThat(policy.rate()).isEqualTo(10);
    assertThat(policy.level(1)).isEqualTo(16);
  }

  @Test
  void a_hinted_policy_gives_the_place_of_an_abandoned_request_back() {
    Policy policy = new HintedPolicy(new FixedRatePolicy(10, 1, 16, 0));
    policy.settled(started(policy, 0), success(hint().limit(120).window(60)), 1);
    Attempt unused = started(policy, SECOND);
    policy.abandoned(unused, SECOND + 1);
    assertThat(policy.notBefore(SECOND + 1)).isEqualTo(SECOND + 1);
  }

  private static Attempt started(Policy policy, long now) {
    record Sent(long sentAt) implements Attempt {
      @Override
      public Work work() {
        return Work.UNKNOWN;
      }
    }
    Attempt attempt = new Sent(now);
    policy.started(attempt, now);
    return attempt;
  }

  private static Signal success(Hint... hints) {
    return new Signal.Success(0, quota(hints));
  }

  private static Signal throttled(Hint... hints) {
    return new Signal.Throttled(Optional.empty(), Signal.Facet.UNKNOWN, "", quota(hints));
  }

  private static List<QuotaHint> quota(Hint... hints) {
    return List.of(hints).stream().map(Hint::build).toList();
  }

  private static Hint hint() {
    return new Hint();
  }

  /** A hint in seconds. */
  private static final class Hint {
    private OptionalLong limit = OptionalLong.empty();
    private OptionalLong remaining = OptionalLong.empty();
    private Optional<Duration> reset = Optional.empty();
    private Optional<Duration> window = Optional.empty();
    private Reach reach = Reach.CREDENTIAL;
    private Unit unit = Unit.REQUESTS;

    Hint limit(long units) {
      limit = OptionalLong.of(units);
      return this;
    }

    Hint remaining(long units) {
      remaining = OptionalLong.of(units);
      return this;
    }

    Hint reset(long seconds) {
      reset = Optional.of(Duration.ofSeconds(seconds));
      return this;
    }

    Hint resetMillis(long millis) {
      reset = Optional.of(Duration.ofMillis(millis));
      return this;
    }

    Hint window(long seconds) {
      window = Optional.of(Duration.ofSeconds(seconds));
      return this;
    }

    Hint reach(Reach value) {
      reach = value;
      return this;
    }

    Hint unit(Unit value) {
      unit = value;
      return this;
    }

    QuotaHint build() {
      return new QuotaHint(
          limit, remaining, reset, window, Optional.empty(), new Scope(reach, "", unit, "test"));
    }
  }
}
