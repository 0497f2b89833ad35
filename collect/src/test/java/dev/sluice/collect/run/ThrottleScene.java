package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Where a throttle keeps away whom it reaches: providers with one log, a store, and processes that
 * come and go.
 */
final class ThrottleScene implements Transport {
  static final int ITEMS = 12;
  static final String COMMENTS_OF_3 = "/items/3/comments";
  static final List<String> ALL =
      IntStream.rangeClosed(1, ITEMS).mapToObj(String::valueOf).toList();

  private static final String CONNECTOR =
      """
      connector: shop
      provider: {base: "http://HOST"}
      pacing:
        start: 20/s
        ceiling: 20/s
        no-hint-wait: 7s
        answers:
      REACHES
      streams:
        items: {get: /items, key: id, pages: none}
        comments: {for-each: items, get: "/items/{parent.id}/comments", key: id, pages: none}
        orders: {get: /orders, key: id, pages: none}
        lines: {for-each: orders, get: "/orders/{parent.id}/lines", key: id, pages: none}
      """;

  private static final String REACHES =
      List.of("object", "route", "pool", "credential", "account", "provider", "address").stream()
          .map(
              word ->
                  "    - {when: \"status == 429 and body.about == '%s'\", mean: throttled, reach: %s}"
                      .formatted(word, word))
          .collect(Collectors.joining("\n"));

  private static final Duration ROUND_TRIP = Duration.ofMillis(50);

  /** A request as a provider saw it come. */
  record Logged(String host, String path, Instant at) {}

  /** What is answered to so many requests for a path, instead of serving them. */
  private static final class Refusal {
    final String about;
    final Optional<Duration> wait;
    int left;

    Refusal(String about, Optional<Duration> wait, int left) {
      this.about = about;
      this.wait = wait;
      this.left = left;
    }
  }

  /** What happens there. */
  interface Story {
    void happen(ThrottleScene scene) throws Exception;
  }

  final SimulatedTime time;
  final Store store;
  final MemorySink sink = new MemorySink();
  final List<Logged> log = new ArrayList<>();
  final List<Instant> told = new ArrayList<>();
  private final Map<String, Refusal> refusals = new HashMap<>();

  private ThrottleScene(SimulatedTime time) {
    this.time = time;
    this.store = Store.inMemory(time);
  }

  static void play(Story story) {
    SimulatedTime.run(1, time -> story.happen(new ThrottleScene(time)));
  }

  void refuse(String path, String about, Duration wait, int times) {
    refusals.put(path, new Refusal(about, Optional.of(wait), times));
  }

  void refuseWithoutAWait(String path, String about, int times) {
    refusals.put(path, new Refusal(about, Optional.empty(), times));
  }

  @Override
  public WebAnswer send(WebRequest request) throws InterruptedException {
    String path = request.uri().getPath();
    log.add(new Logged(request.uri().getHost(), path, time.instant()));
    time.sleep(ROUND_TRIP);
    Refusal refusal = refusals.get(path);
    if (refusal != null && refusal.left > 0) {
      refusal.left--;
      told.add(time.instant());
      return answer(
          429,
          "{\"about\": \"%s\"}".formatted(refusal.about),
          refusal
              .wait
              .map(wait -> Map.of("Retry-After", List.of(String.valueOf(wait.toSeconds()))))
              .orElse(Map.of()));
    }
    boolean list = path.equals("/items") || path.equals("/orders");
    return answer(
        200,
        list ? ids(ALL) : ids(List.of(path.replaceFirst("^/[a-z]+/([0-9]+)/.*", "$1"))),
        Map.of());
  }

  private static String ids(List<String> ids) {
    return ids.stream().map("{\"id\": %s}"::formatted).collect(Collectors.joining(", ", "[", "]"));
  }

  private static WebAnswer answer(int status, String body, Map<String, List<String>> headers) {
    Map<String, List<String>> all = new HashMap<>(headers);
    all.put("Content-Type", List.of("application/json"));
    return new WebAnswer(
        status, HttpHeaders.of(all, (name, value) -> true), body.getBytes(StandardCharsets.UTF_8));
  }

  Connector shop(String host) throws Exception {
    Transport nobody =
        request -> {
          throw new IOException("nobody issues tokens here");
        };
    return ConnectorFile.parse(
            "shop.yaml", CONNECTOR.replace("HOST", host).replace("REACHES", REACHES))
        .bind(Map.of(), nobody, time);
  }

  CollectionRequest request(String name) throws Exception {
    return request(name, "shop.example");
  }

  CollectionRequest request(String name, String host) throws Exception {
    return CollectionRequest.of(name, shop(host));
  }

  ProviderGates process() {
    return new ProviderGates(store, time);
  }

  Collector collector(CollectionRequest request, ProviderGates gates) {
    return new Collector(request, sink, store, gates, this, time);
  }

  /** One run of a process of its own. */
  CollectionResult collect(CollectionRequest request) throws Exception {
    try (ProviderGates gates = process()) {
      return collector(request, gates).run();
    }
  }

  /** One run besides others of the same process, after a while. */
  Time.Task start(CollectionRequest request, ProviderGates gates, Duration after) {
    return time.start(
        request.name(),
        () -> {
          try {
            time.sleep(after);
            assertThat(collector(request, gates).run().outcome())
                .isEqualTo(new Outcome.Completed());
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  void finish(Time.Task... runs) throws InterruptedException {
    for (Time.Task run : runs) {
      run.join();
    }
  }

  void sleepUntil(Instant instant) throws InterruptedException {
    time.sleep(Duration.between(time.instant(), instant));
  }

  List<Instant> asked(String path) {
    return log.stream().filter(each -> each.path.equals(path)).map(Logged::at).toList();
  }

  /** What was asked for while the first throttle lasted. */
  List<Logged> meanwhile(Duration wait) {
    Instant from = told.getFirst();
    return log.stream()
        .filter(each -> each.at.isAfter(from) && each.at.isBefore(from.plus(wait)))
        .toList();
  }

  LaneRecord lane(CollectionRequest request) {
    return store.read(transaction -> Lanes.of(transaction, request.connector().provider().lane()));
  }

  List<DetailGap> missing() {
    return store.read(
        transaction ->
            DetailGaps.list(transaction, "mine", Optional.of(DetailGap.State.PENDING), 100));
  }

  List<StreamGap> left() {
    return store.read(transaction -> StreamGaps.of(transaction, "mine"));
  }
}
