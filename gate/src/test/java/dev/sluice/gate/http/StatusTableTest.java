package dev.sluice.gate.http;

import static dev.sluice.gate.http.Answers.answer;
import static dev.sluice.gate.http.Answers.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Answered;
import dev.sluice.control.signal.Signal.Facet;
import dev.sluice.control.signal.Signal.Rejected;
import dev.sluice.control.signal.Signal.Stopped;
import dev.sluice.control.signal.Signal.Success;
import dev.sluice.control.signal.Signal.Throttled;
import dev.sluice.control.signal.Signal.Transient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusTableTest {
  private static final String ABNORMAL =
      """
      {"title": "\\"no\\\\", "detail": {"type": "other"},
       "type": "https://iana.org/assignments/http-problem-types#abnormal-usage-detected"}
      """;

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 204, 206, 226, 299, 304})
  void a_2xx_or_304_is_the_one_plain_success(int status) {
    assertThat(read(status)).isSameAs(Reading.SUCCESS);
    assertThat(read(status).signal()).isSameAs(Signal.SUCCESS);
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 420, 529, 503, 509})
  void with_retry_after_these_are_throttles_with_that_wait(int status) {
    assertThat(read(status, "Retry-After: 30").signal()).isInstanceOf(Throttled.class);
    assertThat(waitOf(read(status, "Retry-After: 30"))).contains(Duration.ofSeconds(30));
    assertThat(waitOf(read(status, "x-amz-retry-after: 6457"))).contains(Duration.ofMillis(6457));
    assertThat(waitOf(read(status, "retry-after-ms: 250"))).contains(Duration.ofMillis(250));
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 420})
  void without_retry_after_these_are_throttles_all_the_same(int status) {
    assertThat(read(status).signal()).isEqualTo(Signal.throttled());
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "soon", "'Thu, 15 Jan 2026 11:00:00 GMT'"})
  void an_unusable_retry_after_makes_a_throttle_without_wait(String value) {
    assertThat(waitOf(read(429, "Retry-After: " + value))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "soon", "'Thu, 15 Jan 2026 11:00:00 GMT'", "''"})
  void without_a_usable_wait_these_say_that_the_service_is_unavailable(String value) {
    for (int status : new int[] {503, 509, 529}) {
      assertThat(read(status, "Retry-After: " + value).signal())
          .isEqualTo(Signal.transientFailure(Transient.Kind.UNAVAILABLE));
      assertThat(read(status).signal())
          .isEqualTo(Signal.transientFailure(Transient.Kind.UNAVAILABLE));
    }
  }

  @Test
  void a_503_that_is_a_page_says_the_same_as_one_without_a_body() {
    Signals signals = Signals.builder().expectJson().build();
    assertThat(signals.read(answer(503, "Content-Type: text/html")).signal())
        .isEqualTo(Signal.transientFailure(Transient.Kind.UNAVAILABLE));
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 504, 507, 599, 501, 600, 998, 0, -5})
  void without_retry_after_these_are_server_errors(int status) {
    assertThat(read(status).signal())
        .isEqualTo(Signal.transientFailure(Transient.Kind.SERVER_ERROR));
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 504})
  void a_server_error_with_retry_after_stays_one_and_carries_the_wait_as_a_hint(int status) {
    Signal signal = read(status, "Retry-After: 30").signal();
    assertThat(signal)
        .isInstanceOfSatisfying(
            Transient.class,
            failure -> assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(30)));
    assertThat(signal.quota().getFirst().retryAfter()).contains(Duration.ofSeconds(30));
    assertThat(signal.quota().getFirst().scope().reach()).isEqualTo(QuotaHint.Reach.OBJECT);
  }

  @Test
  void a_declared_throttle_with_a_server_error_keeps_everybody_away() {
    Signals signals =
        Signals.builder().when(answer -> answer.status() == 500, Signal.throttled()).build();
    Reading reading = signals.read(answer(500, "Retry-After: 30"));
    assertThat(waitOf(reading)).contains(Duration.ofSeconds(30));
    assertThat(reading.reach()).isEqualTo(QuotaHint.Reach.PROVIDER);
  }

  @Test
  void a_used_up_limit_on_a_server_error_is_still_everybodys() {
    Signal signal =
        read(500, "X-RateLimit-Limit: 10", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 30")
            .signal();
    assertThat(signal.quota().getFirst().retryAfter()).contains(Duration.ofSeconds(30));
    assertThat(signal.quota().getFirst().scope().reach()).isNotEqualTo(QuotaHint.Reach.OBJECT);
  }

  @Test
  void a_408_is_a_request_time_out() {
    assertThat(read(408).signal())
        .isEqualTo(Signal.transientFailure(Transient.Kind.REQUEST_TIMEOUT));
  }

  @ParameterizedTest
  @CsvSource({
    "401, UNAUTHORIZED",
    "407, UNAUTHORIZED",
    "403, FORBIDDEN",
    "451, FORBIDDEN",
    "404, NOT_FOUND",
    "410, GONE",
    "422, INVALID",
    "400, INVALID",
    "402, INVALID",
    "409, INVALID",
    "499, INVALID",
    "300, INVALID",
    "301, INVALID",
    "302, INVALID",
    "307, INVALID",
    "308, INVALID"
  })
  void other_refusals_reject_the_item(int status, Rejected.Kind kind) {
    assertThat(read(status).signal()).isEqualTo(Signal.rejected(kind));
  }

  @Test
  void a_413_is_an_answer_about_the_work() {
    assertThat(read(413).signal()).isEqualTo(Signal.answered(Answered.Kind.TOO_LARGE));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 101, 103})
  void an_interim_status_is_no_answer(int status) {
    assertThat(read(status).signal())
        .isEqualTo(Signal.transientFailure(Transient.Kind.UNKNOWN_OUTCOME));
  }

  @ParameterizedTest
  @ValueSource(ints = {430, 999})
  void a_block_with_a_status_of_its_own_is_a_throttle_without_wait(int status) {
    assertThat(read(status).signal())
        .isEqualTo(
            new Throttled(Optional.empty(), Facet.UNKNOWN, Integer.toString(status), List.of()));
  }

  @Test
  void a_403_with_nothing_remaining_is_a_throttle_until_the_reset() {
    Reading reading =
        read(
            403,
            "x-ratelimit-limit: 5000",
            "x-ratelimit-remaining: 0",
            "x-ratelimit-reset: 1768478430");
    assertThat(waitOf(reading)).contains(Duration.ofSeconds(30));
  }

  @Test
  void a_403_with_used_up_usage_is_a_throttle() {
    assertThat(read(403, "x-ratelimit-limit: 100", "x-ratelimit-used: 100").signal())
        .isInstanceOf(Throttled.class);
  }

  @Test
  void a_403_with_retry_after_is_a_throttle() {
    assertThat(waitOf(read(403, "Retry-After: 60"))).contains(Duration.ofSeconds(60));
    assertThat(read(403, "Retry-After: soon").signal()).isEqualTo(Signal.throttled());
  }

  @Test
  void a_403_with_quota_left_and_no_wait_is_forbidden() {
    Signal signal =
        read(403, "x-ratelimit-remaining: 4999", "x-ratelimit-limit: 5000", "Retry-After: 0")
            .signal();
    assertThat(signal).isInstanceOf(Rejected.class);
    assertThat(((Rejected) signal).kind()).isEqualTo(Rejected.Kind.FORBIDDEN);
    assertThat(signal.quota().getFirst().remaining()).hasValue(4999);
  }

  @Test
  void a_403_with_an_unknown_remaining_is_forbidden() {
    assertThat(read(403, "x-ratelimit-remaining: -1").signal())
        .isEqualTo(Signal.rejected(Rejected.Kind.FORBIDDEN));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 400, 403})
  void a_declared_throttle_code_is_a_throttle_with_the_answers_wait(int status) {
    Signals signals =
        Signals.builder()
            .when(
                a -> a.body().map(body -> body.contains("THROTTLED")).orElse(false),
                Signal.throttled())
            .build();
    Answer answer = answer(status, "Retry-After: 7").withBody("{\"code\":\"THROTTLED\"}");
    assertThat(waitOf(signals.read(answer))).contains(Duration.ofSeconds(7));
    assertThat(signals.read(answer(status)).signal()).isNotInstanceOf(Throttled.class);
  }

  @Test
  void a_declared_terminal_code_stops() {
    Signals signals =
        Signals.builder()
            .when(
                a -> a.status() == 429 && a.body().orElse("").contains("insufficient_quota"),
                Signal.stopped(Stopped.Reason.QUOTA_SPENT))
            .build();
    assertThat(signals.read(answer(429).withBody("insufficient_quota")).signal())
        .isEqualTo(Signal.stopped(Stopped.Reason.QUOTA_SPENT));
    assertThat(signals.read(answer(429)).signal()).isEqualTo(Signal.throttled());
  }

  @Test
  void a_401_is_a_throttle_only_if_declared() {
    Signals signals = Signals.builder().when(a -> a.status() == 401, Signal.throttled()).build();
    assertThat(signals.read(answer(401)).signal()).isEqualTo(Signal.throttled());
  }

  @Test
  void a_classifier_leaves_wait_and_hints_to_the_rules() {
    Throttled facet =
        new Throttled(Optional.empty(), Facet.EXECUTION_TIME, "0x80072321", List.of());
    Signals signals =
        Signals.builder()
            .classifier(a -> a.status() == 429 ? Optional.of(facet) : Optional.empty())
            .build();
    Throttled read =
        (Throttled) signals.read(answer(429, "Retry-After: 37", "RateLimit-Limit: 10")).signal();
    assertThat(read.facet()).isEqualTo(Facet.EXECUTION_TIME);
    assertThat(read.code()).isEqualTo("0x80072321");
    assertThat(read.retryAfter()).contains(Duration.ofSeconds(37));
    assertThat(read.quota()).anySatisfy(hint -> assertThat(hint.limit()).hasValue(10));
  }

  @Test
  void a_classifiers_own_wait_stands() {
    Signals signals =
        Signals.builder().when(a -> true, Signal.throttled(Duration.ofSeconds(60))).build();
    assertThat(waitOf(signals.read(answer(403, "Retry-After: 5")))).contains(Duration.ofMinutes(1));
  }

  @Test
  void a_classifiers_own_hints_stand() {
    QuotaHint own = read(200, "RateLimit-Limit: 7").signal().quota().getFirst();
    Signals signals =
        Signals.builder().when(a -> true, new Success(Success.MEASURED, List.of(own))).build();
    assertThat(signals.read(answer(200, "RateLimit-Limit: 9")).signal().quota())
        .containsExactly(own);
  }

  @Test
  void the_first_classifier_that_knows_decides() {
    Signals signals =
        Signals.builder()
            .when(a -> a.status() == 400, Signal.throttled())
            .when(a -> true, Signal.stopped(Stopped.Reason.SUSPENDED))
            .build();
    assertThat(signals.read(answer(400)).signal()).isEqualTo(Signal.throttled());
    assertThat(signals.read(answer(200)).signal())
        .isEqualTo(Signal.stopped(Stopped.Reason.SUSPENDED));
  }

  @Test
  void an_abnormal_usage_problem_suspends_if_the_body_is_given() {
    Answer answer = answer(429, "Content-Type: application/problem+json; charset=utf-8");
    Signals signals = Signals.builder().build();
    assertThat(signals.read(answer.withBody(ABNORMAL)).signal())
        .isEqualTo(Signal.stopped(Stopped.Reason.SUSPENDED));
    assertThat(signals.read(answer).signal()).isEqualTo(Signal.throttled());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"detail\": \"type\", \"x\": \"abnormal-usage-detected\"}",
        "{\"errors\": [{\"type\": \"abnormal-usage-detected\"}]}",
        "{\"type\": 7, \"title\": \"abnormal-usage-detected\"}",
        "{\"a\\\"type\": \"abnormal-usage-detected\"}",
        "{\"type\": \"quota-exceeded\"}",
        "{\"type\": \"abnormal-usage-detected",
        "{\"type",
        "\\",
        "\"",
        ""
      })
  void a_body_that_only_looks_like_an_abnormal_usage_problem_does_not_suspend(String body) {
    Answer answer = answer(429, "Content-Type: application/problem+json").withBody(body);
    assertThat(Signals.builder().build().read(answer).signal()).isEqualTo(Signal.throttled());
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 403})
  void a_page_where_json_is_expected_is_a_throttle_without_wait(int status) {
    Signals signals = Signals.builder().expectJson().build();
    assertThat(signals.read(answer(status, "Content-Type: Text/HTML; charset=utf-8")).signal())
        .isEqualTo(Signal.throttled());
    assertThat(signals.read(answer(status, "Content-Type: application/json")).signal())
        .isNotInstanceOf(Throttled.class);
    assertThat(signals.read(answer(status)).signal()).isNotInstanceOf(Throttled.class);
  }

  @Test
  void a_page_where_nothing_is_expected_is_what_its_status_says() {
    assertThat(read(200, "Content-Type: text/html")).isSameAs(Reading.SUCCESS);
    assertThat(read(403, "Content-Type: text/html").signal()).isInstanceOf(Rejected.class);
  }

  @Test
  void a_page_with_another_status_is_what_its_status_says() {
    Signals signals = Signals.builder().expectJson().build();
    assertThat(signals.read(answer(404, "Content-Type: text/html")).signal())
        .isEqualTo(Signal.rejected(Rejected.Kind.NOT_FOUND));
    assertThat(signals.read(answer(502, "Content-Type: text/html")).signal())
        .isEqualTo(Signal.transientFailure(Transient.Kind.SERVER_ERROR));
  }

  @Test
  void hints_ride_on_any_signal() {
    for (int status : new int[] {200, 413, 500, 404, 429}) {
      assertThat(read(status, "RateLimit-Limit: 10").signal().quota()).hasSize(1);
    }
    Signal success = read(200, "RateLimit-Limit: 10").signal();
    assertThat(((Success) success).durationNanos()).isEqualTo(Success.MEASURED);
  }

  private static Optional<Duration> waitOf(Reading reading) {
    return ((Throttled) reading.signal()).retryAfter();
  }
}
