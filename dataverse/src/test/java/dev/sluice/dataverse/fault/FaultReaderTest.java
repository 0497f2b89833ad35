package dev.sluice.dataverse.fault;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Facet;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.wire.WebAnswer;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultReaderTest {
  private static WebAnswer answer(int status, String body, String... headers) {
    Map<String, List<String>> fields = new HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      fields.computeIfAbsent(headers[i], name -> new ArrayList<>()).add(headers[i + 1]);
    }
    return new WebAnswer(
        status,
        HttpHeaders.of(fields, (name, value) -> true),
        body.getBytes(StandardCharsets.UTF_8));
  }

  private static WebAnswer error(int status, String code, String message, String... headers) {
    return answer(
        status,
        "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}".formatted(code, message),
        headers);
  }

  private static FaultReader.Reading read(WebAnswer answer) {
    return SimulatedTime.with(1)
        .call(time -> new FaultReader(time).read(answer, Duration.ofMillis(50)));
  }

  private static Fault fault(WebAnswer answer) {
    return requireNonNull(read(answer).fault());
  }

  /** The catalogue of codes, row by row: each means one thing, whatever the status beside it. */
  @ParameterizedTest(name = "{0} {1} is {2}")
  @CsvSource({
    "0x80072322, -2147015902, service_protection",
    "0x80072321, -2147015903, service_protection",
    "0x80072326, -2147015898, service_protection",
    "0x8005F103, -2147094269, busy",
    "0x80072324, -2147015900, busy",
    "0x80072327, -2147015897, busy",
    "0x80072330, -2147015888, busy",
    "0x80072323, -2147015901, busy",
    "0x80072325, -2147015899, privilege",
    "0x80072329, -2147015895, busy",
    "0x80071151, -2147020463, busy",
    "0x8004A001, -2147180543, busy",
    "0x80044151, -2147204783, sql_timeout",
    "0x80040255, -2147220907, deadlock",
    "0x80040251, -2147220911, deadlock",
    "0x80048564, -2147187356, busy",
    "0x80048559, -2147187367, busy",
    "0x80048543, -2147187389, busy",
    "0x80048553, -2147187373, busy",
    "0x80048554, -2147187372, busy",
    "0x80048573, -2147187341, validation",
    "0x80048574, -2147187340, validation",
    "0x80048575, -2147187339, validation",
    "0x80048544, -2147187388, busy",
    "0x80048644, -2147187132, busy",
    "0x80048744, -2147186876, busy",
    "0x80048745, -2147186875, busy",
    "0x80050544, -2147154620, busy",
    "0x80049544, -2147183292, validation",
    "0x80049545, -2147183291, validation",
    "0x80048105, -2147188475, deadlock",
    "0x80073000, -2147012608, unknown_outcome",
    "0x80072031, -2147016655, deadlock",
    "0x80098019, -2146861031, deadlock",
    "0x80044171, -2147204751, sql_timeout",
    "0x80044172, -2147204750, sql_timeout",
    "0x80044173, -2147204749, sql_timeout",
    "0x80081111, -2146954991, sql_timeout",
    "0x80081116, -2146954986, busy",
    "0x80044358, -2147204264, busy",
    "0x80040217, -2147220969, not_found",
    "0x80060891, -2147088239, not_found",
    "0x80040237, -2147220937, duplicate",
    "0x80060892, -2147088238, duplicate",
    "0x80073002, -2147012606, duplicate",
    "0x80043239, -2147208647, validation",
    "0x80040333, -2147220685, validation",
    "0x80060882, -2147088254, validation",
    "0x80060883, -2147088253, validation",
    "0x8006088D, -2147088243, validation",
    "0x80060889, -2147088247, validation",
    "0x80060890, -2147088240, validation",
    "0x8006088F, -2147088241, validation",
    "0x80044331, -2147204303, validation",
    "0x80073001, -2147012607, validation",
    "0x8004431A, -2147204326, validation",
    "0x8004432F, -2147204305, validation",
    "0x80044330, -2147204304, validation",
    "0x80040239, -2147220935, validation",
    "0x80040278, -2147220872, validation",
    "0x80040200, -2147220992, validation",
    "0x80048408, -2147187704, validation",
    "0x80040203, -2147220989, validation",
    "0x80040353, -2147220653, validation",
    "0x80048d43, -2147185341, validation",
    "0x80048d19, -2147185383, validation",
    "0x80060888, -2147088248, validation",
    "0x8006088A, -2147088246, validation",
    "0x80041102, -2147217150, validation",
    "0x80041103, -2147217149, validation",
    "0x8004112A, -2147217110, validation",
    "0x80041129, -2147217111, validation",
    "0x8004430A, -2147204342, validation",
    "0x8004E023, -2147164125, validation",
    "0x80044352, -2147204270, validation",
    "0x80072491, -2147015535, validation",
    "0x80040265, -2147220891, validation",
    "0x80048d02, -2147185406, validation",
    "0x80048d03, -2147185405, busy",
    "0x80048d04, -2147185404, busy",
    "0x80048d05, -2147185403, validation",
    "0x80048d06, -2147185402, validation",
    "0x80048d07, -2147185401, busy",
    "0x80048d08, -2147185400, validation",
    "0x80048d09, -2147185399, validation",
    "0x80048d0a, -2147185398, validation",
    "0x80048d0b, -2147185397, validation",
    "0x80048d0c, -2147185396, validation",
    "0x80040227, -2147220953, validation",
    "0x80040219, -2147220967, unsupported",
    "0x80048d2d, -2147185363, unsupported",
    "0x80072535, -2147015371, unsupported",
    "0x8004418a, -2147204726, too_large",
    "0x80040220, -2147220960, privilege",
    "0x80048306, -2147187962, privilege",
    "0x80048405, -2147187707, privilege",
    "0x80095FFC, -2146869252, privilege",
    "0x80040225, -2147220955, privilege",
    "0x8004D24B, -2147167669, privilege",
    "0x80042F09, -2147209463, privilege",
    "0x80072560, -2147015328, privilege",
    "0x8004A100, -2147180288, authentication",
    "0x8004A101, -2147180287, authentication",
    "0x8004A102, -2147180286, authentication",
    "0x8004A103, -2147180285, authentication",
    "0x8004A105, -2147180283, authentication",
    "0x8005F101, -2147094271, authentication",
    "0x8004A104, -2147180284, privilege"
  })
  void every_code_means_one_thing(String hex, String decimal, String name) {
    for (String code : List.of(hex, hex.toLowerCase(Locale.ROOT), decimal)) {
      for (int status : new int[] {400, 429, 500, 503}) {
        Fault fault = fault(error(status, code, "words"));
        assertThat(fault.wireName()).isEqualTo(name);
        assertThat(fault.code()).isEqualToIgnoringCase(hex);
        assertThat(fault.message()).isEqualTo("words");
      }
    }
  }

  @ParameterizedTest(name = "{0} {1} {2} is {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      textBlock =
          """
          500 | 0x80044150 | ` Sql error: Generic SQL error. CRM ErrorCode: -2147204784 Sql ErrorCode: -2146232060 Sql Number: 1205` | deadlock
          500 | 0x80044150 | Sql Number: 3732 | table_preparation
          500 | 0x80044150 | Sql Number: 2766 | table_preparation
          500 | 0x80044150 | Sql Number: 2812 | table_preparation
          500 | 0x80044150 | Cannot drop type 'new_widget_tvp' because it is being referenced by object 'p'. | table_preparation
          500 | 0x80044150 | Sql Number: 10054 | unknown_outcome
          500 | 0x80044150 | Sql Number: -2 | sql_timeout
          500 | 0x80044150 | Sql Number: 547 | validation
          500 | 0x80044150 | Generic SQL error. | validation
          400 | 0x80040216 | An unexpected error occurred. | validation
          500 | 0x80040216 | An unexpected error occurred. | unknown_outcome
          500 | 0x80040224 | An unexpected error occurred from ISV code. | unknown_outcome
          404 | `` | account With Id = b2d1 Does Not Exist | not_found
          404 | 0x0 | contact With Ids = 1, 2 Do Not Exist | not_found
          404 | `` | No HTTP resource was found that matches the request URI 'x'. | validation
          412 | `` | A record with matching key values already exists. | duplicate
          412 | 0x0 | The version of the existing record doesn't match the RowVersion property provided. | validation
          401 | `` | x | authentication
          403 | 0x80041234 | x | privilege
          413 | `` | x | too_large
          429 | `` | Number of requests exceeded the limit of 6000 over time window of 300 seconds. | service_protection
          429 | 0x80041234 | x | busy
          501 | `` | x | unsupported
          503 | 0x80041234 | x | busy
          502 | 0x80041234 | x | unknown_outcome
          500 | 0x80041234 | x | validation
          400 | 0x80040800 | The 'CreateMultiple' method does not support entities of type 'queue'. | unsupported
          400 | `` | CreateMultiple is not enabled on the entity team | unsupported
          400 | 0x0 | DeleteMultiple has not yet been implemented. | unsupported
          400 | `` | UpsertMultiple API is disabled for Organization with ID 1. | unsupported
          """)
  void words_and_statuses_decide_where_codes_do_not(
      int status, String code, String message, String name) {
    assertThat(fault(error(status, code, message, "OData-Version", "4.0")).wireName())
        .isEqualTo(name);
  }

  @ParameterizedTest(name = "{0} {1} is {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          502 | <html><body><h1>502 Bad Gateway</h1></body></html> | unknown_outcome
          503 | `` | unknown_outcome
          504 | upstream request timeout | unknown_outcome
          500 | {"error":{"code":"0x8004 | unknown_outcome
          500 | {"odd":1} | unknown_outcome
          413 | <html>Too large</html> | too_large
          401 | `` | authentication
          404 | <html>no such page</html> | not_dataverse
          404 | {"error":{"code":"ResourceNotFound","message":"x"}} | not_dataverse
          403 | {"statusCode":403,"message":"blocked"} | not_dataverse
          404 | {"error":{"code":404,"message":"Not found"}} | not_dataverse
          400 | {"error":{"code":"400","message":"Bad request"}} | not_dataverse
          403 | {"error":{"code":-1,"message":"Blocked"}} | not_dataverse
          404 | {"error":{"code":"0x0","message":"It does not exist"}} | not_dataverse
          500 | {"error":{"code":500,"message":"Oops"}} | unknown_outcome
          429 | `` | service_protection
          302 | `` | not_dataverse
          """)
  void what_gateways_say_is_not_what_the_service_says(int status, String body, String name) {
    Fault fault = fault(answer(status, body));
    assertThat(fault.wireName()).isEqualTo(name);
    assertThat(fault.message()).contains("status " + status);
  }

  @Test
  void a_page_where_data_was_due_is_no_success() {
    assertThat(fault(answer(200, "<html>Sign in</html>", "Content-Type", "text/html")))
        .isInstanceOf(Fault.NotDataverse.class);
    assertThat(fault(answer(200, "{}"))).isInstanceOf(Fault.NotDataverse.class);
    assertThat(fault(answer(204, ""))).isInstanceOf(Fault.NotDataverse.class);
    assertThat(read(answer(204, "", "OData-Version", "4.0")).fault()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"0x80072322, REQUESTS", "0x80072321, EXECUTION_TIME", "0x80072326, CONCURRENCY"})
  void a_throttle_tells_its_facet_and_its_wait(String code, Facet facet) {
    FaultReader.Reading reading = read(error(429, code, "words", "Retry-After", "37"));
    assertThat(reading.fault())
        .isEqualTo(
            new Fault.ServiceProtection(facet, Optional.of(Duration.ofSeconds(37)), code, "words"));
    assertThat(reading.signal())
        .isEqualTo(
            new Signal.Throttled(Optional.of(Duration.ofSeconds(37)), facet, code, List.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"37", "37.0", "Thu, 01 Jan 2026 00:00:37 GMT"})
  void a_wait_is_read_in_all_its_forms(String wait) {
    assertThat(read(error(503, "0x8004A001", "busy", "Retry-After", wait)).fault())
        .isInstanceOfSatisfying(
            Fault.Busy.class,
            busy -> assertThat(busy.retryAfter()).contains(Duration.ofSeconds(37)));
  }

  @Test
  void a_gateways_wait_is_a_hint_and_its_outcome_stays_unknown() {
    FaultReader.Reading reading = read(answer(503, "", "Retry-After", "7"));
    assertThat(reading.fault()).isInstanceOf(Fault.UnknownOutcome.class);
    assertThat(reading.signal()).isInstanceOf(Signal.Transient.class);
    assertThat(reading.signal().quota())
        .anySatisfy(hint -> assertThat(hint.retryAfter()).contains(Duration.ofSeconds(7)));
  }

  @Test
  void a_wait_told_with_another_error_of_a_gateway_concerns_that_request_alone() {
    assertThat(read(answer(502, "", "Retry-After", "7")).signal())
        .isInstanceOfSatisfying(
            Signal.Transient.class,
            lost -> assertThat(lost.retryAfter()).isEqualTo(Duration.ofSeconds(7)));
    assertThat(read(answer(503, "", "Retry-After", "7")).signal())
        .isInstanceOfSatisfying(
            Signal.Transient.class, lost -> assertThat(lost.retryAfter()).isZero());
  }

  @Test
  void what_is_left_of_the_budget_rides_on_every_answer() {
    String[] left = {
      "x-ms-ratelimit-time-remaining-xrm-requests", "1,200.00",
      "x-ms-ratelimit-burst-remaining-xrm-requests", "5999"
    };
    for (WebAnswer answer :
        List.of(answer(204, "", left), error(404, "0x80040217", "Does Not Exist", left))) {
      List<QuotaHint> hints = read(answer).signal().quota();
      assertThat(hints).hasSize(2);
      assertThat(hints.get(0).remaining()).isEqualTo(OptionalLong.of(5999));
      assertThat(hints.get(0).scope().unit()).isEqualTo(QuotaHint.Unit.REQUESTS);
      assertThat(hints.get(1).remaining()).isEqualTo(OptionalLong.of(1200));
      assertThat(hints.get(1).scope().unit()).isEqualTo(QuotaHint.Unit.WORK_TIME);
      assertThat(hints).allMatch(hint -> hint.retryAfter().isEmpty());
    }
  }

  @Test
  void every_fault_has_a_signal() {
    assertThat(fault(error(404, "0x80040217", "x")).signal())
        .isEqualTo(Signal.rejected(Signal.Rejected.Kind.NOT_FOUND));
    assertThat(fault(answer(401, "")).signal())
        .isEqualTo(Signal.rejected(Signal.Rejected.Kind.UNAUTHORIZED));
    assertThat(fault(error(403, "0x80040220", "x")).signal())
        .isEqualTo(Signal.rejected(Signal.Rejected.Kind.FORBIDDEN));
    assertThat(fault(error(412, "0x80040237", "x")).signal())
        .isEqualTo(Signal.rejected(Signal.Rejected.Kind.INVALID));
    assertThat(fault(error(500, "0x80044151", "x")).signal())
        .isEqualTo(Signal.answered(Signal.Answered.Kind.SQL_TIMEOUT));
    assertThat(fault(error(500, "0x80044150", "Sql Number: 1205")).signal())
        .isEqualTo(Signal.answered(Signal.Answered.Kind.DEADLOCK));
    assertThat(fault(answer(413, "")).signal())
        .isEqualTo(Signal.answered(Signal.Answered.Kind.TOO_LARGE));
    assertThat(fault(answer(504, "")).signal())
        .isEqualTo(Signal.transientFailure(Signal.Transient.Kind.UNKNOWN_OUTCOME));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void nothing_that_a_network_brings_makes_it_throw(long seed) {
    Random random = new Random(seed);
    String whole =
        "{\"error\":{\"code\":\"0x80040237\",\"message\":\"x\",\"@a.BulkApiErrorDetails\":\"[]\"}}";
    for (int i = 0; i < 2_000; i++) {
      byte[] body = whole.getBytes(StandardCharsets.UTF_8);
      for (int change = random.nextInt(4); change > 0; change--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      String text =
          new String(body, 0, random.nextInt(body.length + 1), StandardCharsets.ISO_8859_1);
      assertThat(fault(answer(400 + random.nextInt(200), text)).wireName()).isNotEmpty();
    }
  }
}
