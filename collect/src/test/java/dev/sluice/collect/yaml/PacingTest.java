package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.connector.Provider;
import dev.sluice.control.lane.HintlessHold;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Rejected;
import dev.sluice.control.signal.Signal.Stopped;
import dev.sluice.control.signal.Signal.Throttled;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Reading;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.pressure.LaneMemory;
import dev.sluice.runs.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What files say about limits, as it reaches the gate. */
class PacingTest {
  private static final Instant NOW = Instant.parse("2026-01-15T12:00:00Z");

  private static final String GITHUB =
      """
      no-hint-wait: 60s
      in-flight: 1
      quota:
        - limit: header x-ratelimit-limit
          remaining: header x-ratelimit-remaining
          reset: header x-ratelimit-reset as epoch-seconds
          pool: header x-ratelimit-resource
          window: 1h
      answers:
        - {when: "status == 403 and header.x-ratelimit-remaining == 0", mean: throttled}
        - {when: "status in [403, 429] and body contains 'secondary rate limit'", mean: throttled, reach: credential, wait-at-least: 60s}
        - {when: "status == 430", mean: stop, because: quota-spent, say: "the store's firewall"}
        - {when: "status == 200 and body.error.code == 'RATE'", mean: throttled, wait: body $.error.retry_in as duration}
        - {when: "status == 404 and body.message == 'gone'", mean: gone}
      """;

  @Test
  void a_throttle_that_looks_like_a_refusal_is_one_where_the_file_says_so() throws Exception {
    Signal signal =
        read(
            GITHUB,
            403,
            "{}",
            "X-RateLimit-Limit",
            "5000",
            "X-RateLimit-Remaining",
            "0",
            "X-RateLimit-Reset",
            Long.toString(NOW.getEpochSecond() + 90));
    assertThat(signal)
        .isInstanceOfSatisfying(
            Throttled.class,
            throttled -> assertThat(throttled.retryAfter()).contains(Duration.ofSeconds(90)));
    assertThat(read(GITHUB, 403, "{}")).isEqualTo(Signal.rejected(Rejected.Kind.FORBIDDEN));
  }

  @ParameterizedTest
  @CsvSource({"'', 60", "30, 60", "300, 300"})
  void a_wait_is_at_least_what_the_file_says(String retryAfter, long seconds) throws Exception {
    String[] headers =
        retryAfter.isEmpty() ? new String[0] : new String[] {"Retry-After", retryAfter};
    assertThat(read(GITHUB, 429, "You have exceeded a secondary rate limit", headers))
        .isInstanceOfSatisfying(
            Throttled.class,
            throttled -> assertThat(throttled.retryAfter()).contains(Duration.ofSeconds(seconds)));
  }

  @Test
  void an_error_within_a_success_is_a_throttle_with_the_wait_of_its_body() throws Exception {
    assertThat(read(GITHUB, 200, "{\"error\": {\"code\": \"RATE\", \"retry_in\": \"1m30s\"}}"))
        .isInstanceOfSatisfying(
            Throttled.class,
            throttled -> assertThat(throttled.retryAfter()).contains(Duration.ofSeconds(90)));
    assertThat(read(GITHUB, 200, "{\"data\": []}")).isInstanceOf(Signal.Success.class);
  }

  @ParameterizedTest
  @CsvSource({
    "object, OBJECT",
    "route, ROUTE",
    "pool, RESOURCE_POOL",
    "credential, CREDENTIAL",
    "account, ACCOUNT",
    "provider, PROVIDER",
    "address, IP"
  })
  void a_throttle_reaches_whom_the_file_says(String word, QuotaHint.Reach reach) throws Exception {
    String pacing = "answers: [{when: status == 430, mean: throttled, reach: %s}]".formatted(word);
    Answer answer = Answer.of(430, Map.of("Retry-After", List.of("30")), NOW);
    Reading reading = provider(pacing).signals().read(answer);
    assertThat(reading.reach()).isEqualTo(reach);
    assertThat(reading.signal())
        .as("the wait is still the answer's")
        .isEqualTo(Signal.throttled(Duration.ofSeconds(30)));
    assertThat(provider(pacing).signals().read(Answer.of(429, Map.of(), NOW)).reach())
        .as("of any other answer nothing is said")
        .isEqualTo(QuotaHint.Reach.PROVIDER);
  }

  @Test
  void answers_mean_what_the_file_says() throws Exception {
    assertThat(read(GITHUB, 430, "")).isEqualTo(Signal.stopped(Stopped.Reason.QUOTA_SPENT));
    assertThat(read(GITHUB, 404, "{\"message\": \"gone\"}"))
        .isEqualTo(Signal.rejected(Rejected.Kind.GONE));
    assertThat(read(GITHUB, 404, "no JSON")).isEqualTo(Signal.rejected(Rejected.Kind.NOT_FOUND));
  }

  @Test
  void a_quota_is_read_from_the_headers_that_the_file_names() throws Exception {
    QuotaHint hint =
        hint(
            GITHUB,
            "X-RateLimit-Limit",
            "5000",
            "X-RateLimit-Remaining",
            "4000",
            "X-RateLimit-Resource",
            "search",
            "X-RateLimit-Reset",
            Long.toString(NOW.getEpochSecond() + 600));
    assertThat(hint.limit()).hasValue(5000);
    assertThat(hint.remaining()).hasValue(4000);
    assertThat(hint.resetAfter()).contains(Duration.ofMinutes(10));
    assertThat(hint.windowSize()).contains(Duration.ofHours(1));
    assertThat(hint.scope().key()).isEqualTo("search");
  }

  @Test
  void a_bucket_fills_in_its_capacity_by_its_leak() throws Exception {
    QuotaHint hint =
        hint(
            "quota: [{used-of: header X-Shop-Api-Call-Limit, leak: 2/s}]",
            "X-Shop-Api-Call-Limit",
            "32/40");
    assertThat(hint.limit()).hasValue(40);
    assertThat(hint.remaining()).hasValue(8);
    assertThat(hint.windowSize()).contains(Duration.ofSeconds(20));
  }

  @Test
  void parts_of_a_header_are_limits_of_their_own_that_end_on_the_clock() throws Exception {
    String pacing =
        """
        quota:
          - {limit: header X-Limit part 1, used: header X-Usage part 1, window: 15m on-the-clock}
          - {limit: header X-Limit part 2, used: header X-Usage part 2, window: 1d on-the-clock UTC}
        """;
    Answer answer =
        Answer.of(
            200,
            Map.of("X-Limit", List.of("200,2000"), "X-Usage", List.of("31,1044")),
            Instant.parse("2026-01-15T12:05:00Z"));
    List<QuotaHint> hints = provider(pacing).signals().read(answer).signal().quota();
    assertThat(hints).hasSize(2);
    assertThat(hints.get(0).remaining()).hasValue(169);
    assertThat(hints.get(0).resetAfter()).contains(Duration.ofMinutes(10));
    assertThat(hints.get(1).remaining()).hasValue(956);
    assertThat(hints.get(1).resetAfter()).contains(Duration.ofHours(12).minusMinutes(5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"items\": []}", " \n[]"})
  void json_that_says_it_is_a_page_is_data(String body) throws Exception {
    String type = "text/html; charset=utf-8";
    assertThat(read("in-flight: 2", 200, body, "Content-Type", type)).isEqualTo(Signal.SUCCESS);
    assertThat(read("in-flight: 2", 503, body, "Content-Type", type))
        .as("whatever it says, it was not served")
        .isNotEqualTo(Signal.SUCCESS);
    assertThat(
            read(
                "answers: [{when: status == 200, mean: throttled}]",
                200,
                body,
                "Content-Type",
                type))
        .as("what the file says comes first")
        .isInstanceOf(Throttled.class);
  }

  @ParameterizedTest
  @CsvSource({"requests, REQUESTS", "points, POINTS", "work-time, WORK_TIME"})
  void a_quota_counts_what_the_file_says(String word, QuotaHint.Unit unit) throws Exception {
    String pacing = "quota: [{limit: header L, remaining: header R, unit: %s}]".formatted(word);
    Answer answer = Answer.of(200, Map.of("L", List.of("100"), "R", List.of("7")), NOW);
    assertThat(provider(pacing).signals().read(answer).signal().quota())
        .singleElement()
        .satisfies(
            hint -> {
              assertThat(hint.scope().unit()).isEqualTo(unit);
              assertThat(hint.remaining()).hasValue(7);
            });
  }

  @Test
  void a_page_where_json_is_due_is_a_throttle() throws Exception {
    assertThat(read("in-flight: 2", 200, "<html>", "Content-Type", "text/html"))
        .isInstanceOf(Throttled.class);
  }

  @Test
  void the_pace_keeps_within_its_bounds() throws Exception {
    Policy policy =
        lane(provider("{start: 1/2s, ceiling: 10/s, floor: 1/5m, burst: 2, in-flight: 3}"))
            .policy()
            .create(0);
    assertThat(policy.rate()).isEqualTo(0.5);
    assertThat(policy.level(0)).isEqualTo(3);
  }

  @Test
  void without_a_rate_it_is_learned_with_no_more_in_flight_than_declared() throws Exception {
    assertThat(lane(provider(GITHUB)).policy().create(0).level(0)).isEqualTo(1);
  }

  @Test
  void the_first_hold_without_a_hint_is_as_long_as_declared() throws Exception {
    assertThat(lane(provider(GITHUB)).hintlessHold())
        .contains(new HintlessHold(Duration.ofSeconds(60), Duration.ofMinutes(15)));
  }

  @Test
  void a_reserve_is_left_to_others() throws Exception {
    String quota = "quota: [{limit: header L, remaining: header R, reset: header S}]\n";
    assertThat(pause(quota)).isLessThan(Duration.ofSeconds(3));
    // 200 of 1,000 are not ours: of 210 only 10 are left for 100 s.
    assertThat(pause(quota + "reserve: 20%")).isGreaterThan(Duration.ofSeconds(9));
  }

  @Test
  void a_reserve_below_five_percent_is_left_to_others_too() throws Exception {
    String quota = "quota: [{limit: header L, remaining: header R, reset: header S}]\n";
    assertThat(pause(quota, 20)).isCloseTo(Duration.ofSeconds(5), Duration.ofMillis(10));
    assertThat(pause(quota + "reserve: 1%", 20))
        .isCloseTo(Duration.ofSeconds(10), Duration.ofMillis(10));
  }

  /** The lane's options in a process that nothing is known to yet. */
  private static LaneOptions lane(Provider provider) {
    Time time = Time.real();
    return provider.pacing().options(provider.lane(), new LaneMemory(Store.inMemory(time), time));
  }

  /** How long the second request waits after an answer that says 210 of 1,000 for 100 s. */
  private static Duration pause(String pacing) throws Exception {
    return pause(pacing, 210);
  }

  /** The same with so many left. */
  private static Duration pause(String pacing, int left) throws Exception {
    Provider provider = provider(pacing);
    Policy policy = lane(provider).policy().create(0);
    Attempt attempt = new FirstAttempt(0, Work.UNKNOWN, "");
    policy.started(attempt, 0);
    Signal signal =
        provider
            .signals()
            .read(
                Answer.of(
                    200,
                    Map.of("L", List.of("1000"), "R", List.of("" + left), "S", List.of("100")),
                    NOW))
            .signal();
    policy.settled(attempt, signal, 1_000_000);
    return Duration.ofNanos(policy.notBefore(1_000_000));
  }

  private record FirstAttempt(long sentAt, Work work, String server) implements Attempt {}

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "start: fast                                    | pacing.start is 'fast', but a rate such"
            + " as",
        "reserve: 0.2                                   | pacing.reserve is '0.2', but a share such"
            + " as 20%",
        "quota: [{limt: header X}]                      | pacing.quota[0].limt is not known; did"
            + " you mean limit?",
        "quota: [{limit: X-Limit}]                      | pacing.quota[0].limit is 'X-Limit', but a"
            + " place such as",
        "quota: [{reset: header X as seconds}]          | but one of the forms auto, delta-seconds",
        "answers: [{when: 'status = 3', mean: ok}]      | pacing.answers[0].when is 'status = 3',"
            + " which cannot be read from '= 3' on",
        "answers: [{when: 'code == 3', mean: ok}]       | but it can only ask for status,"
            + " header.NAME",
        "answers: [{when: status == 3, mean: trotled}]  | mean is 'trotled', which is not known;"
            + " did you mean throttled?",
        "answers: [{when: status == 3, mean: ok, wait-at-least: 3s}] | only throttled can have a"
            + " wait",
        "answers: [{when: status == 3, mean: throttled, reach: adress}] | reach is 'adress', which"
            + " is not known; did you mean address?",
        "answers: [{when: status == 3, mean: ok, reach: route}] | pacing.answers[0].reach is for"
            + " mean: throttled alone",
        "{floor: 10/s, ceiling: 1/s}                    | pacing.ceiling is 1.0, but must lie"
            + " between",
      })
  void a_mistake_names_its_key_and_what_is_expected(String pacing, String message) {
    assertThatThrownBy(() -> provider(pacing)).hasMessageContaining(message);
  }

  private static QuotaHint hint(String pacing, String... headers) throws Exception {
    return read(pacing, 200, "{}", headers).quota().getFirst();
  }

  private static Signal read(String pacing, int status, String body, String... headers)
      throws Exception {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      fields.put(headers[i], List.of(headers[i + 1]));
    }
    return provider(pacing).signals().read(Answer.of(status, fields, NOW).withBody(body)).signal();
  }

  private static Provider provider(String pacing) throws Exception {
    Optional<String> block = Optional.of(pacing).filter(text -> text.startsWith("{"));
    return ConnectorFile.parse(
            "test.yaml",
            "connector: test\n"
                + "provider: {base: 'https://api.example'}\n"
                + "streams: {items: {get: /items}}\n"
                + "pacing:"
                + block.map(text -> " " + text).orElse("\n" + pacing.indent(2)))
        .bind(Map.of(), Script.NOBODY, Time.real())
        .provider();
  }
}
