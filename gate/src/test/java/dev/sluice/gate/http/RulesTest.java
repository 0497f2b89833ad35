package dev.sluice.gate.http;

import static dev.sluice.gate.http.Answers.answer;
import static dev.sluice.gate.http.Answers.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Throttled;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of reading, each by its number in the list of rules. */
class RulesTest {

  @ParameterizedTest(name = "[{0}]")
  @ValueSource(strings = {"NaN", "1e3", "0x10", "+5", "٣٠", "30d", "", "many", "1,200.00"})
  void n1_a_count_that_is_no_plain_number_is_unknown_and_reported(String text) {
    Reading reading = read(200, "RateLimit-Limit: 10", "RateLimit-Remaining: " + text);
    assertThat(only(reading).remaining()).isEmpty();
    assertThat(reading.flags()).containsExactly(Flag.HINT_MALFORMED);
  }

  @Test
  void n1_a_count_with_too_many_digits_is_implausible_and_not_zero() {
    Reading reading = read(200, "RateLimit-Limit: 10", "RateLimit-Remaining: 9999999999999999999");
    assertThat(only(reading).remaining()).isEmpty();
    assertThat(reading.flags()).containsExactly(Flag.HINT_IMPLAUSIBLE);
  }

  @Test
  void n2_of_two_different_waits_the_longer_counts() {
    for (Reading reading :
        List.of(
            read(429, "Retry-After: 60", "Retry-After: 30"),
            read(429, "Retry-After: 30", "Retry-After: 60"))) {
      assertThat(wait(reading)).contains(Duration.ofMinutes(1));
      assertThat(reading.flags()).containsExactly(Flag.HINT_CONFLICT);
    }
  }

  @Test
  void n2_the_same_wait_twice_is_no_conflict() {
    assertThat(read(429, "Retry-After: 30", "Retry-After: 30").flags()).isEmpty();
  }

  @Test
  void n2_of_different_counts_the_smaller_remaining_and_the_larger_used_count() {
    Reading remaining = read(200, "RateLimit-Remaining: 5", "RateLimit-Remaining: 3");
    assertThat(only(remaining).remaining()).hasValue(3);
    assertThat(remaining.flags()).containsExactly(Flag.HINT_CONFLICT);
    Reading used = read(200, "RateLimit-Limit: 10", "RateLimit-Used: 2", "RateLimit-Used: 4");
    assertThat(only(used).remaining()).hasValue(6);
  }

  @Test
  void n3_seconds_that_only_fit_the_window_as_milliseconds_are_such_and_reported() {
    Reading reading =
        read(
            200,
            "X-RateLimit-Limit: 10",
            "X-RateLimit-Interval-Seconds: 3600",
            "X-RateLimit-Reset: 3000000");
    assertThat(only(reading).resetAfter()).contains(Duration.ofMinutes(50));
    assertThat(reading.flags()).containsExactly(Flag.HINT_CONFLICT);
  }

  @Test
  void n3_seconds_that_fit_the_window_or_that_fit_neither_way_stay_seconds() {
    for (String reset : new String[] {"7200", "3601", "600"}) {
      Reading reading =
          read(
              200,
              "X-RateLimit-Limit: 10",
              "X-RateLimit-Interval-Seconds: 3600",
              "X-RateLimit-Reset: " + reset);
      assertThat(only(reading).resetAfter()).contains(Duration.parse("PT" + reset + "S"));
    }
    Reading neither =
        read(
            200,
            "X-RateLimit-Limit: 10",
            "X-RateLimit-Interval-Seconds: 1",
            "X-RateLimit-Reset: 2000");
    assertThat(only(neither).resetAfter()).contains(Duration.ofSeconds(2000));
  }

  @Test
  void n4_an_unusable_span_leaves_the_word_to_the_time_and_is_reported() {
    Reading reading =
        read(
            200,
            "X-RateLimit-Limit: 10",
            "X-RateLimit-Reset-After: soon",
            "X-RateLimit-Reset: 1768478430");
    assertThat(only(reading).resetAfter()).contains(Duration.ofSeconds(30));
    assertThat(reading.flags()).containsExactly(Flag.HINT_MALFORMED);
  }

  @Test
  void n5_a_past_reset_on_a_success_drops_what_remained_before_it() {
    Reading reading =
        read(
            200,
            "RateLimit-Limit: 100",
            "RateLimit-Remaining: 0",
            "RateLimit-Reset: 0",
            "RateLimit-Policy: 100;w=60");
    QuotaHint hint = only(reading);
    assertThat(hint.limit()).hasValue(100);
    assertThat(hint.windowSize()).contains(Duration.ofMinutes(1));
    assertThat(hint.remaining()).isEmpty();
    assertThat(hint.resetAfter()).isEmpty();
    assertThat(hint.retryAfter()).isEmpty();
    assertThat(reading.flags()).containsExactly(Flag.HINT_STALE);
  }

  @Test
  void n5_a_past_reset_on_a_throttle_is_no_wait_and_quota_stays_used_up() {
    Reading reading = read(429, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1768470000");
    assertThat(wait(reading)).isEmpty();
    assertThat(only(reading).remaining()).hasValue(0);
    assertThat(reading.flags()).containsExactly(Flag.HINT_STALE);
  }

  @Test
  void n6_a_plausible_wait_is_never_shortened() {
    assertThat(wait(read(429, "Retry-After: 3600"))).contains(Duration.ofHours(1));
    assertThat(wait(read(429, "Retry-After: 2678400"))).contains(Duration.ofDays(31));
  }

  @Test
  void n6_an_implausible_wait_on_a_throttle_becomes_the_cooldown() {
    WaitOptions options = new WaitOptions(Duration.ofMinutes(1), Duration.ofMinutes(20));
    Reading reading =
        Signals.builder().waits(options).build().read(answer(429, "Retry-After: 2678401"));
    assertThat(wait(reading)).contains(Duration.ofMinutes(20));
    assertThat(reading.flags()).containsExactly(Flag.HINT_IMPLAUSIBLE);
  }

  @Test
  void n6_an_implausible_reset_of_a_used_up_limit_becomes_the_cooldown_too() {
    Reading reading = read(429, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 4102444800");
    assertThat(wait(reading)).contains(Duration.ofMinutes(15));
    assertThat(reading.flags()).containsExactly(Flag.HINT_IMPLAUSIBLE);
  }

  @Test
  void n6_an_implausible_wait_on_a_success_is_no_wait() {
    Reading reading = read(200, "Retry-After: 99999999");
    assertThat(reading.signal()).isSameAs(Signal.SUCCESS);
    assertThat(reading.flags()).containsExactly(Flag.HINT_IMPLAUSIBLE);
  }

  @Test
  void n7_a_negative_remaining_is_unknown_on_a_success() {
    Reading reading =
        read(200, "x-ratelimit-limit: -1", "x-ratelimit-remaining: -1", "x-ratelimit-reset: 0");
    assertThat(reading.signal()).isSameAs(Signal.SUCCESS);
  }

  @Test
  void n7_a_fraction_below_zero_is_negative_and_not_zero() {
    assertThat(read(200, "RateLimit-Remaining: -0.5").signal()).isSameAs(Signal.SUCCESS);
  }

  @Test
  void n7_a_negative_remaining_is_zero_on_a_throttle() {
    Reading reading = read(429, "x-ratelimit-remaining: -3", "x-ratelimit-reset: 30");
    assertThat(only(reading).remaining()).hasValue(0);
    assertThat(wait(reading)).contains(Duration.ofSeconds(30));
  }

  @Test
  void n7_a_limit_of_zero_or_less_is_unknown() {
    assertThat(only(read(200, "RateLimit-Limit: 0", "RateLimit-Remaining: 5")).limit()).isEmpty();
  }

  @Test
  void n7_more_remaining_than_the_limit_is_clamped_and_reported() {
    Reading reading = read(200, "RateLimit-Limit: 10", "RateLimit-Remaining: 11");
    assertThat(only(reading).remaining()).hasValue(10);
    assertThat(reading.flags()).containsExactly(Flag.HINT_CONFLICT);
  }

  @Test
  void n7_nothing_remaining_on_a_success_is_a_not_before_within_the_window_only() {
    assertThat(successWithNothingLeft("60", "60").retryAfter()).contains(Duration.ofMinutes(1));
    assertThat(successWithNothingLeft("61", "60").retryAfter()).isEmpty();
    assertThat(successWithNothingLeft("61", "60").resetAfter()).contains(Duration.ofSeconds(61));
  }

  @Test
  void n7_nothing_remaining_on_a_success_is_a_not_before_within_the_hour_if_no_window_is_told() {
    assertThat(only(read(200, "RateLimit: a;r=0;t=3600")).retryAfter())
        .contains(Duration.ofHours(1));
    assertThat(only(read(200, "RateLimit: a;r=0;t=3601")).retryAfter()).isEmpty();
    assertThat(only(read(200, "RateLimit: a;r=0")).retryAfter()).isEmpty();
    assertThat(only(read(200, "RateLimit: a;r=1;t=30")).retryAfter()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 429, 503, 403})
  void n9_nothing_is_parsed_from_a_cached_answer(int status) {
    Reading reading =
        read(
            status,
            "Age: 1",
            "Retry-After: 30",
            "X-RateLimit-Remaining: 0",
            "X-RateLimit-Reset: 30");
    assertThat(reading.signal()).isEqualTo(read(status).signal());
    assertThat(reading.flags()).containsExactly(Flag.FROM_CACHE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "new"})
  void n9_an_age_of_nothing_is_no_cache(String age) {
    assertThat(wait(read(429, "Age: " + age, "Retry-After: 30"))).contains(Duration.ofSeconds(30));
  }

  @Test
  void n11_an_explicit_wait_goes_before_a_reset() {
    Reading reading =
        read(429, "Retry-After: 10", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 300");
    assertThat(wait(reading)).contains(Duration.ofSeconds(10));
  }

  @Test
  void n11_a_reset_counts_only_if_nothing_remains() {
    assertThat(wait(read(429, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 300")))
        .contains(Duration.ofMinutes(5));
    assertThat(wait(read(429, "X-RateLimit-Remaining: 1", "X-RateLimit-Reset: 300"))).isEmpty();
    assertThat(wait(read(429, "X-RateLimit-Reset: 300"))).isEmpty();
  }

  @Test
  void n14_the_limit_that_gave_the_wait_says_whom_a_throttle_reaches() {
    String[] bucket = {
      "X-RateLimit-Remaining: 0", "X-RateLimit-Reset-After: 30", "X-RateLimit-Bucket: abcd"
    };
    assertThat(read(429, bucket).reach()).isEqualTo(Reach.ROUTE);
    assertThat(
            read(
                    429,
                    "X-RateLimit-Remaining: 0",
                    "X-RateLimit-Reset: 30",
                    "X-RateLimit-Resource: a")
                .reach())
        .isEqualTo(Reach.RESOURCE_POOL);
    assertThat(read(429, bucket[0], bucket[1], bucket[2], "Retry-After: 60").reach())
        .as("the wait is that of another header")
        .isEqualTo(Reach.PROVIDER);
    assertThat(read(429, bucket[0], bucket[1], bucket[2], "Retry-After: 30").reach())
        .as("of two that say the same, the one that reaches further counts")
        .isEqualTo(Reach.PROVIDER);
  }

  @Test
  void n14_without_a_wait_or_a_throttle_it_is_the_whole_provider() {
    assertThat(read(429).reach()).isEqualTo(Reach.PROVIDER);
    assertThat(read(429, "X-RateLimit-Remaining: 1", "X-RateLimit-Bucket: abcd").reach())
        .isEqualTo(Reach.PROVIDER);
    assertThat(
            read(
                    200,
                    "X-RateLimit-Remaining: 0",
                    "X-RateLimit-Reset: 30",
                    "X-RateLimit-Bucket: abcd")
                .reach())
        .isEqualTo(Reach.PROVIDER);
  }

  @Test
  void n14_a_declared_throttle_that_is_about_one_thing_reaches_that_alone() {
    Signals signals =
        Signals.builder().when(answer -> answer.status() == 202, Signal.throttled()).build();
    Reading reading = signals.read(Answers.answer(202, "Retry-After: 20"));
    assertThat(wait(reading)).contains(Duration.ofSeconds(20));
    assertThat(reading.reach()).isEqualTo(Reach.OBJECT);
  }

  @Test
  void n11_an_unusable_explicit_wait_leaves_the_word_to_the_reset() {
    Reading reading =
        read(429, "Retry-After: 0", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 300");
    assertThat(wait(reading)).contains(Duration.ofMinutes(5));
    assertThat(reading.flags()).containsExactly(Flag.HINT_STALE);
  }

  @Test
  void n11_of_several_used_up_limits_the_last_to_return_counts() {
    assertThat(wait(read(429, "RateLimit: a;r=0;t=30, b;r=0;t=90, c;r=1;t=500")))
        .contains(Duration.ofSeconds(90));
  }

  @Test
  void n11_a_used_up_quota_of_an_hour_or_more_outranks_a_short_explicit_wait() {
    assertThat(
            wait(
                read(
                    429,
                    "Retry-After: 19",
                    "RateLimit: \"q\";r=0;t=1800",
                    "RateLimit-Policy: \"q\";q=100;w=3600")))
        .contains(Duration.ofMinutes(30));
    assertThat(wait(read(429, "Retry-After: 19", "RateLimit: \"PerDay\";r=0;t=1800")))
        .contains(Duration.ofMinutes(30));
    assertThat(wait(read(429, "Retry-After: 19", "RateLimit: \"daily\";r=5;t=1800")))
        .contains(Duration.ofSeconds(19));
    assertThat(
            wait(
                read(
                    429,
                    "Retry-After: 19",
                    "RateLimit: \"q\";r=0;t=1800",
                    "RateLimit-Policy: \"q\";q=100;w=3599")))
        .contains(Duration.ofSeconds(19));
  }

  @Test
  void n11_a_throttles_wait_is_said_once() {
    Signal signal = read(429, "Retry-After: 10", "RateLimit-Limit: 5").signal();
    assertThat(signal.quota())
        .singleElement()
        .satisfies(hint -> assertThat(hint.retryAfter()).isEmpty());
    assertThat(read(429, "Retry-After: 10").signal())
        .isEqualTo(Signal.throttled(Duration.ofSeconds(10)));
  }

  @Test
  void n12_a_told_wait_is_passed_on_exactly() {
    for (int i = 0; i < 100; i++) {
      assertThat(wait(read(429, "Retry-After: 17.000000001"))).contains(Duration.ofSeconds(17, 1));
    }
  }

  @Test
  void n15_a_success_gives_hints_and_no_wait_of_its_own() {
    Reading reading = read(200, "RateLimit: a;r=100;t=1", "Retry-After: 5");
    assertThat(reading.signal()).isInstanceOf(Signal.Success.class);
    List<QuotaHint> quota = reading.signal().quota();
    assertThat(quota.get(0).retryAfter()).isEmpty();
    assertThat(quota.get(1).retryAfter()).contains(Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 202, 302})
  void a_wait_with_work_accepted_or_moved_is_about_that_work_alone(int status) {
    QuotaHint hint = only(read(status, "Retry-After: 10"));
    assertThat(hint.retryAfter()).contains(Duration.ofSeconds(10));
    assertThat(hint.scope().reach()).isEqualTo(Reach.OBJECT);
  }

  @Test
  void flags_are_told_in_a_fixed_order() {
    Reading reading =
        read(
            429,
            "Retry-After: 99999999",
            "RateLimit: \"",
            "X-RateLimit-Limit: 1",
            "X-RateLimit-Remaining: 2");
    assertThat(reading.flags())
        .containsExactly(Flag.HINT_MALFORMED, Flag.HINT_IMPLAUSIBLE, Flag.HINT_CONFLICT);
  }

  private static QuotaHint successWithNothingLeft(String reset, String window) {
    return only(
        read(200, "RateLimit: \"a\";r=0;t=" + reset, "RateLimit-Policy: \"a\";q=10;w=" + window));
  }

  private static QuotaHint only(Reading reading) {
    assertThat(reading.signal().quota()).hasSize(1);
    return reading.signal().quota().getFirst();
  }

  private static Optional<Duration> wait(Reading reading) {
    return ((Throttled) reading.signal()).retryAfter();
  }
}
