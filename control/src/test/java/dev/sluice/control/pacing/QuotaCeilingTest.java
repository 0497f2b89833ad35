package dev.sluice.control.pacing;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

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

  private final QuotaCeiling quota = new QuotaCeiling(0);

  @Test
  void without_hints_there_is_no_ceiling() {
    quota.heard(Signal.success(), 5);
    assertThat(quota.at(5)).isEqualTo(NONE);
  }

  @Test
  void what_is_left_less_a_twentieth_of_the_limit_lasts_until_the_reset() {
    quota.heard(success(hint().limit(100).remaining(65).reset(30)), 0);
    assertThat(quota.at(0)).isEqualTo(2); // (65 - 5) / 30 s
  }

  @Test
  void with_nothing_left_but_the_reserve_one_request_is_spent_until_the_reset() {
    quota.heard(success(hint().limit(100).remaining(3).reset(50)), 0);
    assertThat(quota.at(0)).isEqualTo(0.02);
  }

  @Test
  void without_a_limit_one_request_is_left_to_others() {
    quota.heard(success(hint().remaining(61).reset(30)), 0);
    assertThat(quota.at(0)).isEqualTo(2);
  }

  @Test
  void the_limit_over_its_window_is_a_ceiling_however_much_is_left() {
    quota.heard(success(hint().limit(100).remaining(100).reset(1).window(50)), 0);
    assertThat(quota.at(0)).isEqualTo(2);
  }

  @Test
  void of_several_hints_the_lowest_counts() {
    quota.heard(
        success(
            hint().limit(1_000).window(10), hint().limit(60).window(60), hint().limit(9).window(3)),
        0);
    assertThat(quota.at(0)).isEqualTo(1);
  }

  @Test
  void a_success_replaces_the_ceiling() {
    quota.heard(success(hint().limit(60).window(60)), 0);
    quota.heard(success(hint().limit(600).window(60)), 1);
    assertThat(quota.at(1)).isEqualTo(10);
    quota.heard(success(hint().limit(120).window(60)), 2);
    assertThat(quota.at(2)).isEqualTo(2);
  }

  @Test
  void an_error_may_lower_the_ceiling_and_never_raises_it() {
    quota.heard(success(hint().limit(60).window(60)), 0);
    quota.heard(throttled(hint().limit(600).window(60)), 1);
    assertThat(quota.at(1)).isEqualTo(1);
    quota.heard(throttled(hint().limit(30).window(60)), 2);
    assertThat(quota.at(2)).isEqualTo(0.5);
  }

  @Test
  void a_ceiling_stands_until_its_reset_and_then_doubles_every_window() {
    quota.heard(success(hint().limit(100).remaining(65).reset(30).window(40)), 0);
    assertThat(quota.at(30 * SECOND)).isEqualTo(2);
    assertThat(quota.at(70 * SECOND)).isEqualTo(4);
    assertThat(quota.at(110 * SECOND)).isEqualTo(8);
  }

  @Test
  void without_a_window_it_doubles_every_minute_and_without_a_reset_stands_for_a_window() {
    quota.heard(success(hint().remaining(61).reset(30)), 0);
    assertThat(quota.at(90 * SECOND)).isEqualTo(4);
    quota.heard(success(hint().limit(80).window(40)), 0);
    assertThat(quota.at(40 * SECOND)).isEqualTo(2);
    assertThat(quota.at(80 * SECOND)).isEqualTo(4);
  }

  @Test
  void a_hint_about_one_object_concerns_nobody_else() {
    quota.heard(
        throttled(hint().reach(Reach.OBJECT).limit(1).remaining(0).reset(30).window(60)), 0);
    assertThat(quota.at(0)).isEqualTo(NONE);
  }

  @Test
  void a_gauge_of_requests_in_flight_is_no_quota() {
    quota.heard(throttled(hint().unit(Unit.CONCURRENT).limit(4).remaining(0).reset(30)), 0);
    assertThat(quota.at(0)).isEqualTo(NONE);
  }

  @ParameterizedTest
  @EnumSource(names = {"POINTS", "BYTES", "WORK_TIME"})
  void what_is_not_counted_in_requests_says_nothing_about_their_pace(Unit unit) {
    quota.heard(success(hint().unit(unit).limit(100).remaining(50).reset(30).window(60)), 0);
    assertThat(quota.at(0)).isEqualTo(NONE);
    quota.heard(success(hint().unit(unit).limit(100).remaining(0).reset(30).window(60)), 0);
    assertThat(quota.at(0)).isEqualTo(NONE);
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
    quota.heard(new Signal.Success(0, List.of(absurd)), 0);
    assertThat(quota.at(0)).isPositive();
  }

  @Test
  void a_reset_that_is_now_says_nothing() {
    quota.heard(success(hint().limit(100).remaining(50).reset(0)), 9);
    assertThat(quota.at(9)).isEqualTo(NONE);
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
    Policy policy = new HintedPolicy(new FixedRatePolicy(10, 1, 16, 0), 0);
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
    Policy policy = new HintedPolicy(new FixedRatePolicy(10, 1, 16, 0), 0);
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

      @Override
      public String server() {
        return "";
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
