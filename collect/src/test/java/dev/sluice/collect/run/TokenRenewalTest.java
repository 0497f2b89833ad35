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
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A token that a provider no longer accepts is renewed by one request, whoever else had it. */
class TokenRenewalTest {
  private static final int ITEMS = 40;

  /** Accepts the token that it issued last, until that has been used so often. */
  private static final class Provider implements Transport {
    final Time time;
    final int uses;
    int issued;
    int used;
    int refused;

    Provider(Time time, int uses) {
      this.time = time;
      this.uses = uses;
    }

    @Override
    public WebAnswer send(WebRequest request) throws InterruptedException {
      String path = request.uri().getPath();
      if (path.equals("/token")) {
        time.sleep(Duration.ofMillis(200));
        used = 0;
        issued++;
        return answer(200, "{\"access_token\": \"t%d\", \"expires_in\": 3600}".formatted(issued));
      }
      boolean accepted =
          request.headers().contains("Bearer t" + issued) && (issued > 1 || used++ < uses);
      // Refusals of the same token come at very different times.
      time.sleep(Duration.ofMillis(100 + (accepted ? 0 : time.random().nextInt(5_000))));
      if (!accepted) {
        refused++;
        return answer(401, "{}");
      }
      return answer(
          200,
          path.equals("/items")
              ? IntStream.rangeClosed(1, ITEMS)
                  .mapToObj("{\"id\": %d}"::formatted)
                  .collect(Collectors.joining(", ", "[", "]"))
              : "[{\"id\": 1}]");
    }

    private static WebAnswer answer(int status, String body) {
      return new WebAnswer(
          status,
          HttpHeaders.of(Map.of(), (name, value) -> true),
          body.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static CollectionResult collect(Provider provider, Time time) throws Exception {
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
                    pacing: {start: 20/s, ceiling: 20/s}
                    streams:
                      items: {get: /items, key: id, pages: none}
                      notes: {for-each: items, get: "/items/{parent.id}/notes", key: id, pages: none}
                    """)
                .bind(Map.of(), provider, time));
    Store store = Store.inMemory(time);
    try (ProviderGates gates = new ProviderGates(store, time)) {
      return new Collector(request, new MemorySink(), store, gates, provider, time).run();
    }
  }

  @Test
  void a_late_401_for_an_old_token_leaves_the_fresh_one_in_use() {
    for (int seed = 0; seed < 10; seed++) {
      SimulatedTime.run(
          seed,
          time -> {
            Provider provider = new Provider(time, 10);
            assertThat(collect(provider, time).outcome()).isEqualTo(new Outcome.Completed());
            assertThat(provider.refused).as("several had the old one").isGreaterThan(2);
            assertThat(provider.issued).as("tokens").isEqualTo(2);
          });
    }
  }

  @Test
  void a_fresh_token_that_is_refused_closes_the_lane() {
    SimulatedTime.run(
        1,
        time -> {
          Provider provider = new Provider(time, 0);
          provider.issued = -100; // none of these is accepted
          assertThat(collect(provider, time).outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  end -> assertThat(end.reason()).isEqualTo(Reason.Failure.AUTH_FAILURE));
          assertThat(provider.refused).isEqualTo(2);
        });
  }
}
