package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.Provider;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.gate.Gate;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.pressure.Cooldown;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
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
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A throttle keeps away whom it reaches, as long as it says, and nobody else: one record, a stream,
 * a lane, or whoever comes from here. Seen by the providers' own log.
 */
class ThrottleReachTest {
  private static final int ITEMS = 12;
  private static final String COMMENTS_OF_3 = "/items/3/comments";
  private static final List<String> ALL =
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

  private record Logged(String host, String path, Instant at) {}

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

  private interface Story {
    void happen(Scene scene) throws Exception;
  }

  /** Providers with one log, a store, and processes that come and go. */
  private static final class Scene implements Transport {
    static final Duration ROUND_TRIP = Duration.ofMillis(50);

    final SimulatedTime time;
    final Store store;
    final MemorySink sink = new MemorySink();
    final List<Logged> log = new ArrayList<>();
    final List<Instant> told = new ArrayList<>();
    private final Map<String, Refusal> refusals = new HashMap<>();

    Scene(SimulatedTime time) {
      this.time = time;
      this.store = Store.inMemory(time);
    }

    void refuse(String path, String about, Duration wait, int times) {
      refusals.put(path, new Refusal(about, Optional.of(wait), times));
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
      return ids.stream()
          .map("{\"id\": %s}"::formatted)
          .collect(Collectors.joining(", ", "[", "]"));
    }

    private static WebAnswer answer(int status, String body, Map<String, List<String>> headers) {
      Map<String, List<String>> all = new HashMap<>(headers);
      all.put("Content-Type", List.of("application/json"));
      return new WebAnswer(
          status,
          HttpHeaders.of(all, (name, value) -> true),
          body.getBytes(StandardCharsets.UTF_8));
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
      return CollectionRequest.of(name, shop("shop.example"));
    }

    Collector collector(CollectionRequest request, ProviderGates gates) {
      return new Collector(request, sink, store, gates, this, time);
    }

    /** One run of a process of its own. */
    CollectionResult collect(CollectionRequest request) throws Exception {
      try (ProviderGates gates = new ProviderGates(store, time)) {
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

    LaneRecord lane(String name) {
      return store.read(transaction -> Lanes.of(transaction, name));
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

  private static void play(Story story) {
    SimulatedTime.run(1, time -> story.happen(new Scene(time)));
  }

  private static Predicate<Logged> of(String stream) {
    return each -> each.path.endsWith("/" + stream);
  }

  private static void assertDeferred(CollectionResult result) {
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Deferred.class,
            end -> assertThat(end.reason()).isEqualTo(Reason.Pressure.RATE_LIMITED));
  }

  @Test
  void a_throttle_about_one_record_lets_that_record_alone_wait() {
    play(
        scene -> {
          Duration wait = Duration.ofSeconds(60);
          scene.refuse(COMMENTS_OF_3, "object", wait, 1);
          CollectionRequest request = scene.request("mine");
          try (ProviderGates gates = new ProviderGates(scene.store, scene.time)) {
            Collector collector = scene.collector(request.withStreams(Set.of("items")), gates);
            assertThat(collector.run().outcome()).isEqualTo(new Outcome.Completed());
            assertThat(collector.lane())
                .hasValueSatisfying(
                    lane -> {
                      assertThat(lane.throttleEvents()).isZero();
                      assertThat(lane.circuit()).isEqualTo(CircuitState.CLOSED);
                      assertThat(lane.rate()).isGreaterThanOrEqualTo(20);
                    });
          }
          List<Instant> asked = scene.asked(COMMENTS_OF_3);
          assertThat(asked).hasSize(2);
          Instant again = scene.told.getFirst().plus(wait);
          assertThat(asked.getLast()).isBetween(again, again.plusSeconds(1));
          assertThat(scene.meanwhile(wait)).as("the others go on").hasSizeGreaterThan(5);
          assertThat(scene.sink.keys("comments")).containsExactlyInAnyOrderElementsOf(ALL);
          String lane = request.connector().provider().lane();
          assertThat(scene.lane(lane).held(scene.time.instant())).isZero();
          assertThat(scene.lane(lane).holdUntil()).isEqualTo(Instant.EPOCH);
        });
  }

  @Test
  void a_record_that_has_to_wait_for_longer_than_the_run_may_is_a_gap_until_then() {
    play(
        scene -> {
          scene.refuse(COMMENTS_OF_3, "object", Duration.ofHours(1), 1);
          CollectionRequest request = scene.request("mine");
          CollectionResult first = scene.collect(request);
          assertThat(first.outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          Instant until = scene.told.getFirst().plus(Duration.ofHours(1));
          assertThat(scene.missing())
              .singleElement()
              .satisfies(
                  gap -> {
                    assertThat(gap.recordKey()).isEqualTo("3");
                    assertThat(gap.due()).isBetween(until, until.plusSeconds(1));
                    assertThat(gap.reason()).isEqualTo(Reason.Pressure.RATE_LIMITED.wireName());
                  });
          // Another process sees the record again, and still it is too early.
          scene.time.sleep(Duration.ofMinutes(30));
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(scene.asked(COMMENTS_OF_3)).hasSize(1);
          assertThat(scene.asked("/items/4/comments")).hasSize(2);
          assertThat(scene.missing())
              .singleElement()
              .satisfies(gap -> assertThat(gap.due()).isBetween(until, until.plusSeconds(1)));
          scene.time.sleep(Duration.between(scene.time.instant(), until).plusSeconds(2));
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.asked(COMMENTS_OF_3)).hasSizeGreaterThanOrEqualTo(2);
          assertThat(scene.asked(COMMENTS_OF_3).get(1)).isAfterOrEqualTo(until);
          assertThat(scene.sink.keys("comments")).contains("3");
        });
  }

  @Test
  void a_record_that_is_throttled_again_and_again_becomes_a_gap_and_no_pressure() {
    play(
        scene -> {
          scene.refuse(COMMENTS_OF_3, "object", Duration.ofSeconds(10), 100);
          CollectionRequest request = scene.request("mine");
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          List<Instant> asked = scene.asked(COMMENTS_OF_3);
          assertThat(asked).hasSize(4);
          for (int i = 1; i < asked.size(); i++) {
            assertThat(asked.get(i)).isAfterOrEqualTo(scene.told.get(i - 1).plusSeconds(10));
          }
          assertThat(scene.missing()).extracting(DetailGap::recordKey).containsExactly("3");
          assertThat(scene.lane(request.connector().provider().lane()).cooldown())
              .isEqualTo(Cooldown.NONE);
        });
  }

  @Test
  void a_throttle_about_one_record_that_tells_no_wait_doubles_the_declared_one() {
    play(
        scene -> {
          scene.refusals.put(COMMENTS_OF_3, new Refusal("object", Optional.empty(), 2));
          assertThat(scene.collect(scene.request("mine")).outcome())
              .isEqualTo(new Outcome.Completed());
          List<Instant> asked = scene.asked(COMMENTS_OF_3);
          assertThat(asked).hasSize(3);
          assertThat(Duration.between(scene.told.get(0), asked.get(1))).hasSeconds(7);
          assertThat(Duration.between(scene.told.get(1), asked.get(2))).hasSeconds(14);
        });
  }

  @Test
  void a_list_that_is_throttled_alone_waits_and_goes_on() {
    play(
        scene -> {
          scene.refuse("/items", "object", Duration.ofSeconds(60), 1);
          assertThat(scene.collect(scene.request("mine")).outcome())
              .isEqualTo(new Outcome.Completed());
          Instant again = scene.told.getFirst().plusSeconds(60);
          assertThat(scene.asked("/items").getLast()).isBetween(again, again.plusSeconds(1));
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(ALL);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"object", "route"})
  void a_list_that_has_to_wait_for_longer_than_the_run_may_is_deferred_and_the_others_go_on(
      String about) {
    play(
        scene -> {
          scene.refuse("/items", about, Duration.ofHours(1), 1);
          CollectionRequest request = scene.request("mine");
          assertDeferred(scene.collect(request));
          Instant until = scene.told.getFirst().plus(Duration.ofHours(1));
          assertThat(scene.left())
              .singleElement()
              .satisfies(
                  gap -> {
                    assertThat(gap.track().stream()).isEqualTo("items");
                    assertThat(gap.due()).isBetween(until, until.plusSeconds(1));
                  });
          assertThat(scene.sink.keys("lines")).containsExactlyInAnyOrderElementsOf(ALL);
          assertThat(scene.lane(request.connector().provider().lane()).held(scene.time.instant()))
              .isZero();
          scene.time.sleep(Duration.ofMinutes(30));
          assertDeferred(scene.collect(request));
          assertThat(scene.asked("/items")).as("by another process, too early").hasSize(1);
          try (ProviderGates gates = new ProviderGates(scene.store, scene.time)) {
            CollectionRequest yours = scene.request("yours");
            Outcome others =
                new Collector(yours, new MemorySink(), scene.store, gates, scene, scene.time)
                    .run()
                    .outcome();
            assertThat(others instanceof Outcome.Completed)
                .as("another collection, whose request is another one: %s", others)
                .isEqualTo(about.equals("object"));
          }
          scene.time.sleep(Duration.between(scene.time.instant(), until).plusSeconds(2));
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.left()).isEmpty();
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(ALL);
        });
  }

  @Test
  void a_throttle_about_a_route_lets_that_stream_alone_wait_whoever_collects_it() {
    play(
        scene -> {
          Duration wait = Duration.ofSeconds(90);
          scene.refuse(COMMENTS_OF_3, "route", wait, 1);
          Set<String> items = Set.of("items");
          try (ProviderGates gates = new ProviderGates(scene.store, scene.time)) {
            List<Time.Task> runs =
                List.of(
                    scene.start(scene.request("mine").withStreams(items), gates, Duration.ZERO),
                    scene.start(
                        scene.request("yours").withStreams(items), gates, Duration.ofSeconds(10)),
                    scene.start(
                        scene.request("others").withStreams(Set.of("orders")),
                        gates,
                        Duration.ofSeconds(20)));
            for (Time.Task run : runs) {
              run.join();
            }
          }
          // A request that was under way when the answer came does not count.
          Instant from = scene.told.getFirst();
          assertThat(scene.meanwhile(wait))
              .as("of all that was asked for after %s", from)
              .noneMatch(of("comments"))
              .anyMatch(each -> each.path.equals("/items"));
          assertThat(scene.meanwhile(wait).stream().filter(of("lines")))
              .as("successes meanwhile lift nothing")
              .hasSize(ITEMS);
          assertThat(scene.log.stream().filter(each -> !each.at.isBefore(from.plus(wait))))
              .as("nobody is left out afterwards")
              .anyMatch(of("comments"))
              .allSatisfy(each -> assertThat(each.at).isBefore(from.plus(wait).plusSeconds(5)));
          assertThat(scene.sink.keys("comments")).hasSize(2 * ITEMS);
        });
  }

  @Test
  void details_of_a_stream_that_has_to_wait_for_longer_than_the_run_may_are_gaps_until_then() {
    play(
        scene -> {
          scene.refuse("/items/1/comments", "route", Duration.ofHours(1), 1);
          CollectionRequest request = scene.request("mine");
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(scene.meanwhile(Duration.ofHours(1))).noneMatch(of("comments"));
          Instant until = scene.told.getFirst().plus(Duration.ofHours(1));
          assertThat(scene.missing())
              .hasSizeGreaterThan(5)
              .allSatisfy(gap -> assertThat(gap.due()).isBetween(until, until.plusSeconds(1)));
          assertThat(scene.sink.keys("lines")).containsExactlyInAnyOrderElementsOf(ALL);
          // Another process, and still too early: the list is read, its comments are not.
          scene.time.sleep(Duration.ofMinutes(30));
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(scene.meanwhile(Duration.ofHours(1))).noneMatch(of("comments"));
          scene.time.sleep(Duration.ofMinutes(31));
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.sink.keys("comments")).containsAll(ALL);
        });
  }

  @Test
  void a_process_that_is_started_again_keeps_the_hold_of_a_route_and_asks_for_the_rest() {
    play(
        scene -> {
          Duration wait = Duration.ofSeconds(90);
          scene.refuse(COMMENTS_OF_3, "route", wait, 1);
          CollectionRequest request = scene.request("mine");
          Time.Task first =
              scene.time.start(
                  "a process that waits",
                  () -> {
                    try {
                      CollectionResult unused = scene.collect(request);
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  });
          scene.time.sleep(Duration.ofSeconds(10));
          first.interrupt();
          first.join();
          Instant until = scene.told.getFirst().plus(wait);
          String lane = request.connector().provider().lane();
          assertThat(scene.lane(lane).held(scene.time.instant())).isZero();
          assertThat(scene.store.read(Lanes::all))
              .as("what the status shows")
              .filteredOn(each -> each.name().equals(lane + " route comments"))
              .singleElement()
              .satisfies(each -> assertThat(each.holdUntil()).isAfterOrEqualTo(until));
          Instant restarted = scene.time.instant();
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.meanwhile(wait))
              .noneMatch(of("comments"))
              .anyMatch(each -> each.path.equals("/items") && !each.at.isBefore(restarted));
          assertThat(scene.sink.keys("comments")).containsExactlyInAnyOrderElementsOf(ALL);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool", "credential", "account", "provider", "whatever it may be"})
  void a_throttle_about_anything_wider_or_unknown_holds_the_whole_lane(String about) {
    play(
        scene -> {
          Duration wait = Duration.ofSeconds(60);
          scene.refuse(COMMENTS_OF_3, about, wait, 1);
          CollectionRequest request = scene.request("mine");
          CollectionRequest elsewhere =
              CollectionRequest.of("elsewhere", scene.shop("another.example"));
          try (ProviderGates gates = new ProviderGates(scene.store, scene.time)) {
            List<Time.Task> runs =
                List.of(
                    scene.start(request, gates, Duration.ZERO),
                    scene.start(scene.request("yours"), gates, Duration.ofSeconds(10)),
                    scene.start(elsewhere, gates, Duration.ofSeconds(10)));
            for (Time.Task run : runs) {
              run.join();
            }
          }
          assertThat(scene.meanwhile(wait))
              .isNotEmpty()
              .allMatch(each -> each.host.equals("another.example"));
          assertThat(scene.lane(request.connector().provider().lane()).holdUntil())
              .isAfterOrEqualTo(scene.told.getFirst().plus(wait));
        });
  }

  @Test
  void a_throttle_about_the_address_holds_the_lanes_of_every_provider_in_every_process() {
    play(
        scene -> {
          Duration wait = Duration.ofSeconds(100);
          CollectionRequest known = CollectionRequest.of("known", scene.shop("known.example"));
          assertThat(scene.collect(known).outcome()).isEqualTo(new Outcome.Completed());
          scene.refuse(COMMENTS_OF_3, "address", wait, 1);
          try (ProviderGates gates = new ProviderGates(scene.store, scene.time);
              ProviderGates others = new ProviderGates(scene.store, scene.time)) {
            CollectionRequest open = CollectionRequest.of("open", scene.shop("open.example"));
            List<Time.Task> runs =
                List.of(
                    scene.start(open.withStreams(Set.of("orders")), gates, Duration.ZERO),
                    scene.start(scene.request("mine"), gates, Duration.ofSeconds(3)),
                    scene.start(
                        CollectionRequest.of("again", scene.shop("open.example")),
                        gates,
                        Duration.ofSeconds(10)),
                    scene.start(
                        CollectionRequest.of("new", scene.shop("new.example")),
                        gates,
                        Duration.ofSeconds(10)),
                    scene.start(
                        CollectionRequest.of("known again", scene.shop("known.example")),
                        others,
                        Duration.ofSeconds(10)));
            for (Time.Task run : runs) {
              run.join();
            }
          }
          assertThat(scene.meanwhile(wait)).isEmpty();
          Instant until = scene.told.getFirst().plus(wait);
          assertThat(scene.log.stream().filter(each -> !each.at.isBefore(until)))
              .extracting(Logged::host)
              .contains("shop.example", "open.example", "new.example", "known.example");
        });
  }

  @Test
  void lanes_of_this_process_know_of_the_address_before_anybody_looks_into_the_store() {
    play(
        scene -> {
          Provider open = scene.shop("open.example").provider();
          Provider later = scene.shop("later.example").provider();
          try (ProviderGates gates = new ProviderGates(scene.store, scene.time)) {
            Gate gate = gates.gate(open);
            gates.holdAll(Duration.ofSeconds(100));
            scene.time.sleep(Duration.ofSeconds(99));
            assertThat(gate.throttleTracker().isThrottled(open.lane())).isTrue();
            assertThat(gates.gate(later).throttleTracker().isThrottled(later.lane())).isTrue();
            scene.time.sleep(Duration.ofSeconds(1));
            assertThat(gate.throttleTracker().isThrottled(open.lane())).isFalse();
            assertThat(gates.gate(later).throttleTracker().isThrottled(later.lane())).isFalse();
          }
        });
  }

  @Test
  void whoever_waits_alone_is_woken_when_the_run_is_cancelled_and_sends_nothing() {
    play(
        scene -> {
          scene.refuse(COMMENTS_OF_3, "object", Duration.ofSeconds(100), 1);
          try (ProviderGates gates = new ProviderGates(scene.store, scene.time)) {
            Collector collector = scene.collector(scene.request("mine"), gates);
            Time.Task cancelling =
                scene.time.start(
                    "cancel",
                    () -> {
                      try {
                        scene.time.sleep(Duration.ofSeconds(30));
                        collector.cancel(Duration.ofSeconds(10));
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    });
            Instant begun = scene.time.instant();
            assertThat(collector.run().outcome()).isEqualTo(new Outcome.Cancelled());
            assertThat(scene.time.instant()).isBefore(begun.plusSeconds(31));
            assertThat(scene.asked(COMMENTS_OF_3)).hasSize(1);
            cancelling.join();
          }
        });
  }

  @Test
  void a_request_that_waits_alone_is_counted_each_time_that_it_is_sent() {
    play(
        scene -> {
          scene.refuse("/items", "object", Duration.ofSeconds(5), 2);
          CollectionRequest request =
              scene.request("mine").withEnvelope(Envelope.UNBOUNDED.withRequestCap(2));
          CollectionResult result = scene.collect(request);
          assertThat(result.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Deferred.class,
                  end -> assertThat(end.reason()).isEqualTo(Reason.Planned.REQUEST_CAP));
          assertThat(scene.log).hasSize(2);
          assertThat(result.progress().requests()).isEqualTo(2);
        });
  }
}
