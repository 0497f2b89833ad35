package dev.sluice.arena.contender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.bout.Sending;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.fault.FaultReader;
import dev.sluice.dataverse.webapi.WhoAmI;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.simulator.farm.Facet;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What answers mean in the arena is what the product reads from them. */
class WorldAnswersTest {
  private static final long SECOND = 1_000_000_000;

  @ParameterizedTest
  @CsvSource({"429, 0", "429, 1", "429, 3600", "503, 0", "503, 7", "403, 0"})
  void a_refusal_means_what_the_product_reads(int status, int seconds) {
    Sending sending = new Sending();
    sending.refuse(status, seconds == 0 ? Sending.NONE : seconds * SECOND, Sending.NONE);
    assertThat(new WorldAnswers(0).signal(sending)).isEqualTo(read(status, seconds));
  }

  @ParameterizedTest
  @CsvSource({"500", "502", "503", "504"})
  void a_failure_means_what_the_product_reads(int status) {
    Sending sending = new Sending();
    sending.fail(status, 1, 0, false);
    assertThat(new WorldAnswers(0).signal(sending)).isEqualTo(read(status, 0));
  }

  @Test
  void a_success_means_what_the_product_reads() {
    Sending sending = new Sending();
    sending.admit(1, Sending.NONE, null);
    assertThat(new WorldAnswers(0).signal(sending)).isEqualTo(read(200, 0));
  }

  @Test
  void no_answer_means_what_the_product_reads() {
    Sending sending = new Sending();
    sending.fail(0, 1, 0, false);
    assertThat(new WorldAnswers(0).signal(sending))
        .isEqualTo(Signals.failed(new IOException("Connection reset")))
        .isEqualTo(Signals.failed(new HttpTimeoutException("request timed out")));
  }

  @ParameterizedTest
  @CsvSource({"REQUESTS, true", "EXECUTION_TIME, true", "CONCURRENCY, false"})
  void a_throttle_of_dataverse_means_what_the_product_reads(Facet facet, boolean tells) {
    Sending sending = new Sending();
    sending.refuse(429, 7 * SECOND, 3, Signal.Facet.valueOf(facet.name()));
    Map<String, List<String>> headers = new HashMap<>(Map.of("Retry-After", List.of("7")));
    if (tells) {
      tell(sending, headers);
    }
    String body = "{\"error\":{\"code\":\"%s\",\"message\":\"m\"}}".formatted(facet.code());
    assertThat(new WorldAnswers(4).signal(sending)).isEqualTo(readByClient(429, headers, body));
  }

  @Test
  void what_dataverse_says_is_left_means_what_the_product_reads() {
    Sending sending = new Sending();
    sending.admit(1, 3, null);
    Map<String, List<String>> headers = new HashMap<>();
    tell(sending, headers);
    assertThat(new WorldAnswers(4).signal(sending)).isEqualTo(readByClient(200, headers, "{}"));
  }

  @Test
  void the_product_knows_servers_and_recommendations_from_the_arenas_headers() {
    WorldAnswers answers = new WorldAnswers(17);
    Sending sending = new Sending();
    sending.admit(1, 3, null);
    assertThat(WhoAmI.toldDegree(answers.answer(sending))).hasValue(17);
    assertThat(answers.answer(sending).headers().firstValue("Set-Cookie"))
        .hasValueSatisfying(
            cookie ->
                assertThat(WorldAnswers.server(cookie.substring(0, cookie.indexOf(';'))))
                    .isEqualTo(3));
  }

  private static void tell(Sending sending, Map<String, List<String>> headers) {
    sending.tell(5_990, 1_187.53);
    headers.put("x-ms-ratelimit-burst-remaining-xrm-requests", List.of("5990"));
    headers.put("x-ms-ratelimit-time-remaining-xrm-requests", List.of("1,187.53"));
  }

  private static Signal readByClient(int status, Map<String, List<String>> headers, String body) {
    Map<String, List<String>> all = new TreeMap<>(headers);
    all.put("OData-Version", List.of("4.0")); // every answer of the service has it
    WebAnswer answer =
        new WebAnswer(
            status,
            HttpHeaders.of(all, (name, value) -> true),
            body.getBytes(StandardCharsets.UTF_8));
    return new FaultReader(new GivenTime(1)).read(answer, Duration.ZERO).signal();
  }

  private static Signal read(int status, int seconds) {
    Map<String, List<String>> headers =
        seconds == 0 ? Map.of() : Map.of("Retry-After", List.of(Integer.toString(seconds)));
    return Signals.builder().build().read(Answer.of(status, headers, Instant.EPOCH)).signal();
  }
}
