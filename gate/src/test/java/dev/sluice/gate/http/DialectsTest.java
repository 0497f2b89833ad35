package dev.sluice.gate.http;

import static dev.sluice.gate.http.Answers.answer;
import static dev.sluice.gate.http.Answers.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Unit;
import dev.sluice.control.signal.Signal.Throttled;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What services really send; those that need a declaration show how few lines it takes. */
class DialectsTest {

  @Test
  void github_counts_in_epoch_seconds_and_names_its_pool() {
    QuotaHint hint =
        only(
            read(
                200,
                "x-ratelimit-limit: 5000",
                "x-ratelimit-remaining: 4987",
                "x-ratelimit-used: 13",
                "x-ratelimit-reset: 1768480200",
                "x-ratelimit-resource: core"));
    assertHint(hint, 5000, 4987, Duration.ofMinutes(30), null);
    assertThat(hint.scope().key()).isEqualTo("core");
    assertThat(hint.scope().reach()).isEqualTo(Reach.RESOURCE_POOL);
    assertThat(hint.scope().source()).isEqualTo("x-ratelimit");
    assertThat(hint.retryAfter()).isEmpty();
  }

  @Test
  void githubs_secondary_limit_tells_a_wait_while_the_primary_looks_healthy() {
    Reading reading =
        read(
            403,
            "retry-after: 60",
            "x-ratelimit-limit: 5000",
            "x-ratelimit-remaining: 4987",
            "x-ratelimit-reset: 1768480200");
    assertThat(wait(reading)).contains(Duration.ofMinutes(1));
  }

  @Test
  void gitlab_uses_the_drafts_names_for_epoch_values_and_tells_them_twice() {
    QuotaHint hint =
        only(
            read(
                200,
                "RateLimit-Limit: 600",
                "RateLimit-Name: throttle_authenticated_web",
                "RateLimit-Observed: 5",
                "RateLimit-Remaining: 595",
                "RateLimit-Reset: 1768478430",
                "RateLimit-ResetTime: Thu, 15 Jan 2026 12:00:30 GMT"));
    assertHint(hint, 600, 595, Duration.ofSeconds(30), null);
    assertThat(hint.scope().key()).isEqualTo("throttle_authenticated_web");
  }

  @Test
  void gitlab_throttles_with_quota_remaining() {
    Reading reading =
        read(
            429,
            "RateLimit-Limit: 600",
            "RateLimit-Remaining: 595",
            "RateLimit-Reset: 1768478430",
            "Retry-After: 300");
    assertThat(wait(reading)).contains(Duration.ofMinutes(5));
  }

  @Test
  void zendesk_tells_its_account_limit_by_two_names() {
    Reading reading =
        read(
            200,
            "X-Rate-Limit: 700",
            "X-Rate-Limit-Remaining: 699",
            "ratelimit-limit: 700",
            "ratelimit-remaining: 699",
            "ratelimit-reset: 41");
    assertThat(reading.signal().quota()).hasSize(2);
    assertHint(reading.signal().quota().get(0), 700, 699, Duration.ofSeconds(41), null);
    assertHint(reading.signal().quota().get(1), 700, 699, null, null);
  }

  @Test
  void zendesks_endpoint_limits_take_a_declaration() {
    Pattern form = Pattern.compile("total=(\\d+); remaining=(\\d+); resets=(\\d+)");
    Dialect zendesk =
        answer ->
            answer.header("zendesk-ratelimit-tickets-index").stream()
                .map(form::matcher)
                .filter(Matcher::find)
                .map(
                    found ->
                        Statement.from("zendesk-ratelimit-tickets-index")
                            .key("tickets-index")
                            .reach(Reach.ROUTE)
                            .limit(List.of(found.group(1)))
                            .remaining(List.of(found.group(2)))
                            .reset(List.of(found.group(3)), WaitForm.DELTA_SECONDS))
                .toList();
    QuotaHint hint =
        only(
            Signals.builder()
                .dialect(zendesk)
                .build()
                .read(
                    answer(
                        200,
                        "zendesk-ratelimit-tickets-index: total=100; remaining=99; resets=41")));
    assertHint(hint, 100, 99, Duration.ofSeconds(41), null);
    assertThat(hint.scope().reach()).isEqualTo(Reach.ROUTE);
  }

  @Test
  void openai_has_two_buckets_and_durations() {
    Reading reading =
        read(
            429,
            "x-ratelimit-limit-requests: 60",
            "x-ratelimit-limit-tokens: 150000",
            "x-ratelimit-remaining-requests: 59",
            "x-ratelimit-remaining-tokens: 0",
            "x-ratelimit-reset-requests: 1s",
            "x-ratelimit-reset-tokens: 6m0s",
            "retry-after-ms: 612",
            "retry-after: 1");
    List<QuotaHint> quota = reading.signal().quota();
    assertHint(quota.get(0), 60, 59, Duration.ofSeconds(1), null);
    assertHint(quota.get(1), 150_000, 0, Duration.ofMinutes(6), null);
    assertThat(quota.get(0).scope().key()).isEqualTo("requests");
    assertThat(quota.get(1).scope().key()).isEqualTo("tokens");
    assertThat(quota.get(1).scope().unit()).isEqualTo(Unit.POINTS);
    // The longer of the two explicit waits: never earlier than told.
    assertThat(wait(reading)).contains(Duration.ofSeconds(1));
  }

  @Test
  void anthropic_takes_one_declared_prefix() {
    Signals signals = Signals.builder().dialect(Dialect.prefixed("anthropic-ratelimit-")).build();
    Reading reading =
        signals.read(
            answer(
                429,
                "anthropic-ratelimit-requests-limit: 50",
                "anthropic-ratelimit-requests-remaining: 49",
                "anthropic-ratelimit-requests-reset: 2026-01-15T12:00:02Z",
                "anthropic-ratelimit-input-tokens-limit: 40000",
                "anthropic-ratelimit-input-tokens-remaining: 0",
                "anthropic-ratelimit-input-tokens-reset: 2026-01-15T12:00:30Z"));
    List<QuotaHint> quota = reading.signal().quota();
    assertThat(quota)
        .extracting(hint -> hint.scope().key())
        .containsExactly("input-tokens", "requests");
    assertHint(quota.get(0), 40_000, 0, Duration.ofSeconds(30), null);
    assertThat(wait(reading)).contains(Duration.ofSeconds(30));
  }

  @Test
  void discords_span_is_preferred_to_its_time() {
    QuotaHint hint =
        only(
            read(
                200,
                "X-RateLimit-Limit: 5",
                "X-RateLimit-Remaining: 0",
                "X-RateLimit-Reset: 1768480000.123",
                "X-RateLimit-Reset-After: 1.25",
                "X-RateLimit-Bucket: abcd1234"));
    assertHint(hint, 5, 0, Duration.ofMillis(1250), null);
    assertThat(hint.scope().key()).isEqualTo("abcd1234");
    assertThat(hint.scope().reach()).isEqualTo(Reach.ROUTE);
    assertThat(hint.retryAfter()).contains(Duration.ofMillis(1250));
  }

  @Test
  void discords_global_limit_reaches_everything() {
    QuotaHint hint =
        only(
            read(
                200,
                "X-RateLimit-Remaining: 0",
                "X-RateLimit-Bucket: abcd1234",
                "X-RateLimit-Global: true"));
    assertThat(hint.scope().reach()).isEqualTo(Reach.PROVIDER);
  }

  @Test
  void old_discords_retry_after_in_milliseconds_takes_a_declaration() {
    Signals signals =
        Signals.builder()
            .dialect(
                answer ->
                    List.of(
                        Statement.from("Retry-After")
                            .retryAfter(answer.header("Retry-After"), WaitForm.DELTA_MILLIS)))
            .build();
    assertThat(wait(signals.read(answer(429, "Retry-After: 6457"))))
        .contains(Duration.ofMillis(6457));
  }

  @Test
  void shopifys_leaky_bucket_takes_a_declaration() {
    String header = "X-Shopify-Shop-Api-Call-Limit";
    Dialect shopify =
        answer ->
            List.of(
                Statement.from(header)
                    .used(answer.part(header, '/', 0))
                    .limit(answer.part(header, '/', 1))
                    .window(List.of("1"), WaitForm.DELTA_SECONDS)
                    .refill(List.of("2")));
    Signals signals = Signals.builder().dialect(shopify).build();
    QuotaHint hint = only(signals.read(answer(200, header + ": 32/40")));
    assertHint(hint, 40, 8, null, Duration.ofSeconds(20));

    assertThat(wait(signals.read(answer(429, header + ": 40/40", "Retry-After: 2.0"))))
        .contains(Duration.ofSeconds(2));
    assertThat(signals.read(answer(200)).signal().quota()).isEmpty();
  }

  @Test
  void hubspots_window_in_milliseconds_takes_one_declared_prefix() {
    Signals signals = Signals.builder().dialect(Dialect.prefixed("X-HubSpot-RateLimit-")).build();
    QuotaHint hint =
        only(
            signals.read(
                answer(
                    200,
                    "X-HubSpot-RateLimit-Max: 100",
                    "X-HubSpot-RateLimit-Remaining: 88",
                    "X-HubSpot-RateLimit-Interval-Milliseconds: 10000")));
    assertHint(hint, 100, 88, null, Duration.ofSeconds(10));
  }

  @Test
  void stravas_pairs_take_a_declaration() {
    Dialect strava =
        answer ->
            List.of(
                pair(answer, 0, "quarter-hour", Duration.ofMinutes(15)),
                pair(answer, 1, "day", Duration.ofDays(1)));
    Reading reading =
        Signals.builder()
            .dialect(strava)
            .build()
            .read(answer(200, "X-RateLimit-Limit: 200,2000", "X-RateLimit-Usage: 31, 1044"));
    List<QuotaHint> quota = reading.signal().quota();
    assertThat(quota).hasSize(2);
    assertHint(quota.get(0), 200, 169, null, Duration.ofMinutes(15));
    assertHint(quota.get(1), 2000, 956, null, Duration.ofDays(1));
    assertThat(reading.flags()).isEmpty();
  }

  private static Statement pair(Answer answer, int index, String key, Duration window) {
    return Statement.from("X-RateLimit-Limit")
        .key(key)
        .limit(answer.part("X-RateLimit-Limit", ',', index))
        .used(answer.part("X-RateLimit-Usage", ',', index))
        .window(window);
  }

  @Test
  void stravas_pairs_without_a_declaration_are_reported_and_not_guessed_at() {
    Reading reading = read(200, "X-RateLimit-Limit: 200,2000", "X-RateLimit-Usage: 31,1044");
    assertThat(reading.signal().quota()).isEmpty();
    assertThat(reading.flags()).containsExactly(Flag.HINT_MALFORMED);
  }

  @Test
  void jira_cloud_tells_several_limits_and_times_to_the_minute() {
    Reading reading =
        read(
            429,
            "X-RateLimit-Limit: 400",
            "X-RateLimit-Remaining: 399",
            "X-RateLimit-Reset: 2026-01-15T11:35Z",
            "X-RateLimit-NearLimit: false",
            "RateLimit-Reason: jira-quota-tenant-based",
            "Beta-RateLimit: \"jira-quota\";r=0;t=2788");
    assertThat(wait(reading)).contains(Duration.ofSeconds(2788));
    assertThat(reading.flags()).containsExactly(Flag.HINT_STALE);
    assertThat(reading.signal().quota()).hasSize(2);
  }

  @Test
  void confluence_data_center_tells_a_bucket_and_a_wait_of_zero_with_every_success() {
    Reading reading =
        read(
            200,
            "X-RateLimit-Limit: 250",
            "X-RateLimit-Remaining: 240",
            "X-RateLimit-Interval-Seconds: 5",
            "X-RateLimit-FillRate: 25",
            "retry-after: 0");
    assertHint(only(reading), 250, 240, null, Duration.ofSeconds(50));
    assertThat(reading.flags()).isEmpty();
  }

  @Test
  void reddit_tells_no_limit_and_fractions() {
    QuotaHint hint =
        only(
            read(
                200,
                "X-Ratelimit-Used: 4",
                "X-Ratelimit-Remaining: 595.7",
                "X-Ratelimit-Reset: 258"));
    assertHint(hint, 599, 595, Duration.ofSeconds(258), null);
  }

  @Test
  void aws_tells_its_wait_in_milliseconds() {
    assertThat(wait(read(503, "x-amz-retry-after: 1500"))).contains(Duration.ofMillis(1500));
  }

  @Test
  void x_spells_its_headers_with_another_hyphen() {
    QuotaHint hint =
        only(
            read(
                200,
                "x-rate-limit-limit: 900",
                "x-rate-limit-remaining: 899",
                "x-rate-limit-reset: 1768479300"));
    assertHint(hint, 900, 899, Duration.ofMinutes(15), null);
  }

  @Test
  void kong_tells_one_limit_per_period() {
    Reading reading =
        read(
            200,
            "X-RateLimit-Limit-Minute: 5",
            "X-RateLimit-Remaining-Minute: 4",
            "X-RateLimit-Limit-Day: 500",
            "X-RateLimit-Remaining-Day: 499");
    assertHint(reading.signal().quota().get(0), 500, 499, null, Duration.ofDays(1));
    assertHint(reading.signal().quota().get(1), 5, 4, null, Duration.ofMinutes(1));
  }

  @Test
  void mailerlite_hides_its_wait_among_the_quota() {
    assertThat(wait(read(429, "X-RateLimit-Retry-After: 59"))).contains(Duration.ofSeconds(59));
  }

  @Test
  void salesforces_usage_takes_a_declaration() {
    Pattern usage = Pattern.compile("(?:^|; )api-usage=(\\d+)/(\\d+)");
    Dialect salesforce =
        answer ->
            answer.header("Sforce-Limit-Info").stream()
                .map(usage::matcher)
                .filter(Matcher::find)
                .map(
                    found ->
                        Statement.from("Sforce-Limit-Info")
                            .reach(Reach.ACCOUNT)
                            .used(List.of(found.group(1)))
                            .limit(List.of(found.group(2)))
                            .window(Duration.ofDays(1)))
                .toList();
    Signals signals = Signals.builder().dialect(salesforce).build();
    assertHint(
        only(signals.read(answer(200, "Sforce-Limit-Info: api-usage=18/5000"))),
        5000,
        4982,
        null,
        Duration.ofDays(1));
    assertThat(signals.read(answer(403, "Sforce-Limit-Info: api-usage=5000/5000")).signal())
        .isInstanceOf(Throttled.class);
  }

  @Test
  void what_a_declared_dialect_speaks_about_the_built_in_ones_leave_alone() {
    Dialect declared =
        answer -> List.of(Statement.from("mine").limit(answer.header("x-ratelimit-limit")));
    Answer answer = answer(429, "X-RateLimit-Limit: 7", "RateLimit-Limit: 9", "Retry-After: 5");
    Reading alone = Signals.builder().dialect(declared).build().read(answer);
    assertThat(alone.signal().quota())
        .extracting(hint -> hint.scope().source())
        .containsExactly("mine");
    assertThat(wait(alone)).contains(Duration.ofSeconds(5));

    Reading both = Signals.builder().dialect(declared.and(Dialect.builtIn())).build().read(answer);
    assertThat(both.signal().quota()).hasSize(3);
    assertThat(wait(both)).contains(Duration.ofSeconds(5));
  }

  @Test
  void a_declared_dialect_that_says_nothing_leaves_the_built_in_ones_to_speak() {
    Signals signals = Signals.builder().dialect(answer -> List.of()).build();
    assertThat(signals.read(answer(200, "RateLimit-Limit: 9")).signal().quota()).hasSize(1);
  }

  @Test
  void a_dialect_that_throws_costs_its_hints_and_not_the_answer() {
    Signals signals =
        Signals.builder()
            .dialect(
                answer -> {
                  throw new IllegalStateException("bad header");
                })
            .build();
    Reading reading = signals.read(answer(429, "Retry-After: 30"));
    assertThat(wait(reading)).contains(Duration.ofSeconds(30));
    assertThat(reading.flags()).containsExactly(Flag.HINT_MALFORMED);
  }

  @Test
  void a_prefix_without_its_hyphen_is_refused() {
    assertThatThrownBy(() -> Dialect.prefixed("X-Foo"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("X-Foo");
  }

  @Test
  void a_flood_of_limits_is_cut_and_reported() {
    String[] headers = new String[100];
    for (int i = 0; i < headers.length; i++) {
      headers[i] = "X-RateLimit-Limit-" + i + ": 5";
    }
    Reading reading = read(200, headers);
    assertThat(reading.signal().quota()).hasSize(16);
    assertThat(reading.flags()).containsExactly(Flag.HINT_MALFORMED);
  }

  private static QuotaHint only(Reading reading) {
    assertThat(reading.signal().quota()).hasSize(1);
    return reading.signal().quota().getFirst();
  }

  private static Optional<Duration> wait(Reading reading) {
    return ((Throttled) reading.signal()).retryAfter();
  }

  private static void assertHint(
      QuotaHint hint,
      long limit,
      long remaining,
      @Nullable Duration reset,
      @Nullable Duration window) {
    assertThat(hint.limit()).hasValue(limit);
    assertThat(hint.remaining()).hasValue(remaining);
    assertThat(hint.resetAfter()).isEqualTo(Optional.ofNullable(reset));
    assertThat(hint.windowSize()).isEqualTo(Optional.ofNullable(window));
  }
}
