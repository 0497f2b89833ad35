package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Collections of 2,000 records, each with details, from a provider with a limit, or with latency as
 * networks have it: how long that takes, beside the least that is possible.
 */
class LimitedCollectionTest {
  private static final int RECORDS = 2_000;
  private static final int REQUESTS = RECORDS + RECORDS / 100;

  /** As files describe it; with pacing, or without. */
  private static Connector connector(String pacing, Transport transport, Time time)
      throws Exception {
    return ConnectorFile.parse(
            "items.yaml",
            """
            connector: items
            provider: {base: "http://localhost"}
            %s
            streams:
              items:
                get: /items
                query: {sort: id, limit: 100}
                records: $.items[*]
                key: id
                pages: {token: $.next_cursor, ask: query cursor}
              comments:
                for-each: items
                get: /items/{parent.id}/comments
                records: $.items[*]
                key: id
                pages: {token: $.next_cursor, ask: query cursor}
            """
                .formatted(pacing))
        .bind(Map.of(), transport, time);
  }

  /** What stands before a provider: the answer itself, or what is told besides. */
  private interface Limiter {
    /** What it adds to the headers; a status other than 200 is the whole answer. */
    Told meet(Time time) throws InterruptedException;
  }

  private record Told(int status, Map<String, List<String>> headers) {}

  /** What a run came to. */
  private record Taken(CollectionResult result, double seconds) {}

  private static Taken collect(String pacing, Duration latency, double noise, Limiter limiter) {
    Taken[] taken = new Taken[1];
    SimulatedTime.run(
        1,
        time -> {
          Transport provider =
              new ProviderTransport(
                  new Provider(
                      ProviderOptions.DEFAULTS.withCatalogue(
                          CatalogueOptions.DEFAULTS.withItems(RECORDS)),
                      time));
          SplittableRandom random = new SplittableRandom(7);
          Transport transport =
              request -> {
                double factor = Math.exp(noise * random.nextGaussian());
                time.sleep(Duration.ofNanos((long) (latency.toNanos() * factor)));
                return through(limiter.meet(time), provider, request);
              };
          Connector connector = connector(pacing, transport, time);
          MemorySink sink = new MemorySink();
          try (Store store = Store.inMemory(time);
              ProviderGates gates = new ProviderGates(store, time)) {
            long began = time.nanos();
            CollectionResult result =
                new Collector(
                        CollectionRequest.of("mine", connector),
                        sink,
                        store,
                        gates,
                        transport,
                        time)
                    .run();
            assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
            assertThat(sink.keys("items")).hasSize(RECORDS);
            taken[0] = new Taken(result, (time.nanos() - began) / 1e9);
          }
        });
    return taken[0];
  }

  private static WebAnswer through(Told told, Transport provider, WebRequest request)
      throws IOException, InterruptedException {
    if (told.status != 200) {
      return new WebAnswer(
          told.status,
          HttpHeaders.of(told.headers, (name, value) -> true),
          "<html><title>Sorry</title></html>".getBytes(StandardCharsets.UTF_8));
    }
    WebAnswer answer = provider.send(request);
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(answer.headers().map());
    headers.putAll(told.headers);
    return new WebAnswer(
        answer.status(), HttpHeaders.of(headers, (name, value) -> true), answer.body());
  }

  /** nginx {@code limit_req} without {@code nodelay}, which counts in whole milliseconds. */
  private static final class Leaky implements Limiter {
    private static final double RATE = 20;
    private static final double BURST = 10;
    private double excess = -1;
    private long at;

    @Override
    public Told meet(Time time) throws InterruptedException {
      long now = time.nanos() / 1_000_000;
      double next = excess < 0 ? 0 : Math.max(0, excess - (now - at) / 1e3 * RATE + 1);
      if (next > BURST) {
        return new Told(503, Map.of("Content-Type", List.of("text/html")));
      }
      excess = next;
      at = now;
      time.sleep(Duration.ofNanos((long) (excess / RATE * 1e9)));
      return new Told(200, Map.of());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "pacing: {start: 10/s, ceiling: 20/s}"})
  void through_a_limit_of_20_per_second_that_is_not_told_it_takes_a_quarter_longer_at_most(
      String pacing) {
    Taken taken = collect(pacing, Duration.ofMillis(20), 0, new Leaky());
    assertThat(taken.seconds).isLessThan(1.25 * REQUESTS / Leaky.RATE);
    assertThat(taken.result.progress().met().refused() + taken.result.progress().met().failed())
        .isLessThan(REQUESTS / 50);
  }

  /** Headers of express-rate-limit, 100 in 10 s; a window begins with the first request in it. */
  private static final class Telling implements Limiter {
    private static final int LIMIT = 100;
    private static final long WINDOW = 10_000;
    private final String form;
    private long resetsAt;
    private int used;

    Telling(String form) {
      this.form = form;
    }

    @Override
    public Told meet(Time time) {
      long now = time.instant().toEpochMilli();
      if (now >= resetsAt) {
        resetsAt = now + WINDOW;
        used = 0;
      }
      used++;
      int left = Math.max(0, LIMIT - used);
      long seconds = Math.ceilDiv(resetsAt - now, 1_000);
      Map<String, List<String>> headers =
          new TreeMap<>(
              switch (form) {
                case "6" ->
                    Map.of(
                        "RateLimit-Policy", List.of("100;w=10"),
                        "RateLimit-Limit", List.of("100"),
                        "RateLimit-Remaining", List.of("" + left),
                        "RateLimit-Reset", List.of("" + seconds));
                case "7" ->
                    Map.of(
                        "RateLimit-Policy", List.of("100;w=10"),
                        "RateLimit",
                            List.of("limit=100, remaining=" + left + ", reset=" + seconds));
                case "8" ->
                    Map.of(
                        "RateLimit-Policy", List.of("\"100-in-10sec\"; q=100; w=10"),
                        "RateLimit", List.of("\"100-in-10sec\"; r=" + left + "; t=" + seconds));
                default ->
                    Map.of(
                        "X-RateLimit-Limit", List.of("100"),
                        "X-RateLimit-Remaining", List.of("" + left),
                        "X-RateLimit-Reset", List.of("" + Math.ceilDiv(resetsAt, 1_000)));
              });
      if (used > LIMIT) {
        headers.put("Retry-After", List.of("" + seconds));
      }
      return new Told(used > LIMIT ? 429 : 200, headers);
    }
  }

  @ParameterizedTest
  @CsvSource({"6,''", "7,''", "8,''", "legacy,''", "7,'pacing: {start: 10/s}'"})
  void a_limit_that_the_provider_tells_is_spent_almost_whole_and_none_is_refused(
      String form, String pacing) {
    Taken taken = collect(pacing, Duration.ofMillis(20), 0, new Telling(form));
    double ideal = Math.ceilDiv(REQUESTS, Telling.LIMIT) * Telling.WINDOW / 1e3 - 10;
    assertThat(taken.seconds).isLessThan(1.06 * ideal);
    assertThat(taken.result.progress().met().refused()).isZero();
  }

  /** A number in each window, which begins with the first request in it; nothing is told. */
  private static Limiter silent(int limit, Duration window) {
    long[] resetsAt = {Long.MIN_VALUE};
    int[] used = {0};
    return time -> {
      if (time.nanos() >= resetsAt[0]) {
        resetsAt[0] = time.nanos() + window.toNanos();
        used[0] = 0;
      }
      return new Told(++used[0] > limit ? 429 : 200, Map.of());
    };
  }

  @ParameterizedTest
  @CsvSource({"100, 10, 1.25", "600, 60, 1.4", "1000, 300, 1.2"})
  void a_window_that_nobody_tells_is_waited_for_and_nothing_is_missing(
      int limit, long window, double longest) {
    Taken taken = collect("", Duration.ofMillis(2), 0, silent(limit, Duration.ofSeconds(window)));
    long ideal = (REQUESTS - 1) / limit * window;
    assertThat(taken.seconds).isLessThan(longest * ideal);
    assertThat(taken.result.progress().met().refused()).isLessThan(REQUESTS / 40);
  }

  @Test
  void latency_with_noise_costs_a_third_more_than_latency_without_at_most() {
    Limiter none = time -> new Told(200, Map.of());
    double even = collect("", Duration.ofMillis(50), 0, none).seconds;
    double noisy = collect("", Duration.ofMillis(50), 0.6, none).seconds;
    // The mean of that noise alone is a fifth more.
    assertThat(noisy).isLessThan(1.3 * even);
  }
}
