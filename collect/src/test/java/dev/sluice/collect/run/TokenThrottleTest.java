package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever issues tokens and tells to wait is waited for, as the provider itself would be. */
class TokenThrottleTest {

  /** Issues no token before a moment that it tells. */
  private static final class Issuer implements Transport {
    final Time time;
    final List<Instant> asked = new ArrayList<>();
    final Instant opens;
    final int status;
    final boolean tells;

    Issuer(Time time, int status, Duration closed, boolean tells) {
      this.time = time;
      this.opens = time.instant().plus(closed);
      this.status = status;
      this.tells = tells;
    }

    @Override
    public WebAnswer send(WebRequest request) {
      if (!request.uri().getPath().equals("/token")) {
        return answer(200, "[{\"id\": 1}]", Map.of());
      }
      asked.add(time.instant());
      long left = Duration.between(time.instant(), opens).toSeconds();
      return left <= 0
          ? answer(200, "{\"access_token\": \"t\", \"expires_in\": 3600}", Map.of())
          : answer(
              status,
              "{}",
              tells ? Map.of("Retry-After", List.of(String.valueOf(left))) : Map.of());
    }

    private static WebAnswer answer(int status, String body, Map<String, List<String>> headers) {
      return new WebAnswer(
          status,
          HttpHeaders.of(headers, (name, value) -> true),
          body.getBytes(StandardCharsets.UTF_8));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void a_wait_that_the_issuer_of_tokens_tells_is_kept(int status) {
    SimulatedTime.run(
        1,
        time -> {
          Issuer issuer = new Issuer(time, status, Duration.ofSeconds(30), true);
          CollectionResult result = collect(issuer, Store.inMemory(time), time);
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(issuer.asked).hasSize(2);
          assertThat(issuer.asked.getLast()).isBetween(issuer.opens, issuer.opens.plusSeconds(1));
        });
  }

  @Test
  void a_wait_that_is_too_long_for_the_run_is_kept_by_the_next_process_too() {
    SimulatedTime.run(
        1,
        time -> {
          Issuer issuer = new Issuer(time, 429, Duration.ofHours(2), true);
          Store store = Store.inMemory(time);
          for (int run = 0; run < 3; run++) {
            assertThat(collect(issuer, store, time).outcome())
                .isInstanceOfSatisfying(
                    Outcome.Deferred.class,
                    end -> assertThat(end.reason()).isEqualTo(Reason.Pressure.RATE_LIMITED));
            time.sleep(Duration.ofMinutes(10));
          }
          assertThat(issuer.asked).hasSize(1);
          time.sleep(Duration.ofHours(2));
          assertThat(collect(issuer, store, time).outcome()).isEqualTo(new Outcome.Completed());
        });
  }

  @Test
  void an_issuer_of_tokens_that_fails_without_a_word_is_tried_again_as_a_provider_is() {
    SimulatedTime.run(
        1,
        time -> {
          Issuer issuer = new Issuer(time, 500, Duration.ofSeconds(2), false);
          assertThat(collect(issuer, Store.inMemory(time), time).outcome())
              .isEqualTo(new Outcome.Completed());
          assertThat(issuer.asked).hasSizeBetween(2, 4);
        });
  }

  private static CollectionResult collect(Issuer issuer, Store store, Time time) throws Exception {
    CollectionRequest request =
        CollectionRequest.of(
            "mine",
            ConnectorFile.parse(
                    "items.yaml",
                    """
                    connector: items
                    provider:
                      base: http://127.0.0.1:8089
                      auth:
                        oauth2:
                          grant: client-credentials
                          token-url: http://127.0.0.1:8089/token
                          client-id: client-1
                          client-secret: s3cret
                    streams:
                      items: {get: /items, key: id, pages: none}
                    """)
                .bind(Map.of(), issuer, time));
    try (ProviderGates gates = new ProviderGates(store, time)) {
      return new Collector(request, new MemorySink(), store, gates, issuer, time).run();
    }
  }
}
