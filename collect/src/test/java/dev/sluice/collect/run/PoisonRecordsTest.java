package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.Pacing;
import dev.sluice.collect.connector.Provider;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.control.circuit.CircuitOptions;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.pressure.Cooldown;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What fails alone, and what a run does about it, so that everything else goes on. */
class PoisonRecordsTest {
  private static final Duration LATENCY = Duration.ofMillis(100);

  /** How a request fails. */
  enum Failure {
    STATUS_500,
    RESET,
    TIMEOUT
  }

  /** A shop and those who collect from it: pages of goods, and of each its price and its stock. */
  private static final class Shop implements Transport, Connector {
    final Time time;
    final Store store;
    final MemorySink sink = new MemorySink();
    final List<String> asked = new ArrayList<>();
    final List<String> details;
    Predicate<String> fails = path -> false;
    Failure failure = Failure.STATUS_500;
    int pages = 1;
    int before; // the first page begins after this key
    int perPage;
    boolean listsAgain; // every run reads the whole list, and details only if they are not there
    LaneOptions pacing = LaneOptions.fixed(4);

    Shop(Time time, int goods, String... details) {
      this.time = time;
      this.store = Store.inMemory(time);
      this.perPage = goods;
      this.details = List.of(details);
    }

    @Override
    public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
      String path = request.uri().getPath();
      asked.add(path);
      boolean failing = fails.test(path);
      time.sleep(failing && failure == Failure.TIMEOUT ? request.timeout() : LATENCY);
      if (failing && failure != Failure.STATUS_500) {
        throw new IOException("no answer");
      }
      return new WebAnswer(
          failing ? 500 : 200, HttpHeaders.of(Map.of(), (name, value) -> true), new byte[0]);
    }

    long askedFor(String path) {
      return asked.stream().filter(path::equals).count();
    }

    CollectionResult collect(Envelope envelope) throws InterruptedException {
      try (ProviderGates gates = new ProviderGates(store, time)) {
        return new Collector(
                CollectionRequest.of("mine", this).withEnvelope(envelope),
                sink,
                store,
                gates,
                this,
                time)
            .run();
      }
    }

    CollectionResult collect() throws InterruptedException {
      return collect(Envelope.UNBOUNDED);
    }

    List<DetailGap> gaps() {
      return store.read(
          transaction -> DetailGaps.list(transaction, "mine", Optional.empty(), 10_000));
    }

    DetailGap gap(String key) {
      return gaps().stream().filter(gap -> gap.recordKey().equals(key)).findFirst().orElseThrow();
    }

    /** Into which states the circuit moved in the last run. */
    List<String> circuitMoves() {
      long run = new Runs(store, time).latest(1).getFirst().id();
      return store.read(transaction -> EvidenceLog.latest(transaction, run, 1_000)).stream()
          .filter(each -> each.kind() == Evidence.Kind.CIRCUIT_MOVED)
          .map(each -> each.facts().get("state"))
          .toList();
    }

    Cooldown cooldown() {
      return store.read(transaction -> Lanes.of(transaction, "shop")).cooldown();
    }

    @Override
    public String name() {
      return "shop";
    }

    @Override
    public Provider provider() {
      return new Provider(
          "shop", Pacing.always(pacing), Signals.builder().build(), Authorization.NONE);
    }

    @Override
    public List<ListStream> streams() {
      return List.of(new Goods());
    }

    private static void get(Requests requests, String path)
        throws ProviderException, IOException, InterruptedException {
      WebAnswer unused =
          requests.send(
              new WebRequest(
                  "GET",
                  URI.create("http://localhost" + path),
                  List.of(),
                  new byte[0],
                  Duration.ofSeconds(30)));
    }

    private static ObjectNode body(String key) {
      return JsonNodeFactory.instance.objectNode().put("id", key);
    }

    private final class Goods implements ListStream {
      @Override
      public StreamShape shape() {
        return new StreamShape("goods", List.of("id"), Optional.empty());
      }

      @Override
      public Duration interval() {
        return Duration.ofMinutes(10);
      }

      @Override
      public List<DetailStream> details() {
        Optional<String> edition = listsAgain ? Optional.of("first") : Optional.empty();
        return details.stream().<DetailStream>map(name -> new Detail(name, edition)).toList();
      }

      /** One page a slice; beyond the last, there is nothing new. */
      @Override
      public SliceEnd read(SliceStart start, Requests requests, Records records)
          throws ProviderException, IOException, InterruptedException {
        int page = start.cursor().map(Integer::parseInt).orElse(0);
        get(requests, "/goods");
        if (page >= pages) {
          return SliceEnd.at(String.valueOf(page), false);
        }
        for (int i = 1; i <= perPage; i++) {
          String key = String.valueOf(before + page * perPage + i);
          records.accept(new CollectedRecord(key, "", body(key)));
        }
        boolean more = page + 1 < pages;
        return SliceEnd.at(String.valueOf(listsAgain && !more ? 0 : page + 1), more);
      }
    }

    private record Detail(String name, Optional<String> edition) implements DetailStream {
      @Override
      public Optional<String> edition(CollectedRecord parent) {
        return edition;
      }

      @Override
      public StreamShape shape() {
        return new StreamShape(name, List.of(), Optional.empty());
      }

      @Override
      public boolean wants(CollectedRecord parent) {
        return true;
      }

      @Override
      public ObjectNode remembered(CollectedRecord parent) {
        return parent.body();
      }

      @Override
      public void read(String split, ObjectNode parent, Requests requests, Records records)
          throws ProviderException, IOException, InterruptedException {
        String key = parent.path("id").asString();
        get(requests, "/" + name + "/" + key);
        records.accept(new CollectedRecord("", "", body(key)));
      }
    }
  }

  @Test
  void
      a_detail_that_fails_twice_while_others_are_served_and_at_the_end_is_a_gap_with_one_failure() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 60, "price");
          shop.fails = "/price/20"::equals;
          assertThat(shop.collect().outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(shop.askedFor("/price/20")).isEqualTo(3);
          assertThat(shop.gaps())
              .singleElement()
              .satisfies(
                  gap -> {
                    assertThat(gap.recordKey()).isEqualTo("20");
                    assertThat(gap.failures()).isEqualTo(1);
                    assertThat(gap.reason()).isEqualTo("upstream_pressure");
                  });
          int reopened =
              shop.store.write(
                  transaction ->
                      DetailGaps.requeue(transaction, "mine", Optional.empty(), Optional.empty()));
          assertThat(reopened).as("it can be requeued").isEqualTo(1);
          shop.fails = path -> false;
          time.sleep(Duration.ofSeconds(1));
          assertThat(shop.collect().outcome()).isEqualTo(new Outcome.Completed());
        });
  }

  @Test
  void a_detail_that_failed_twice_by_chance_is_had_at_the_end_of_the_run() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 20, "price");
          shop.pages = 5;
          shop.fails = path -> path.equals("/price/20") && shop.askedFor("/price/20") <= 2;
          assertThat(shop.collect().outcome()).isEqualTo(new Outcome.Completed());
          assertThat(shop.sink.keys("price")).hasSize(100);
          assertThat(shop.asked.getLast()).isEqualTo("/price/20");
        });
  }

  /** The first twenty pages have forty records that fail; every later run finds another page. */
  @ParameterizedTest
  @EnumSource
  void many_records_that_always_fail_are_each_asked_for_once_a_run_and_quarantined_together(
      Failure failure) {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 20, "price");
          shop.pages = 20;
          shop.failure = failure;
          shop.fails = path -> path.matches("/price/([123]?[0-9])?7");
          assertThat(shop.collect().outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(shop.gaps()).hasSize(40).allMatch(gap -> gap.failures() == 1);
          for (int run = 2; run <= 8; run++) {
            time.sleep(Duration.ofHours(7));
            shop.asked.clear();
            shop.pages++;
            assertThat(shop.collect().outcome()).isEqualTo(new Outcome.CompletedWithGaps());
            assertThat(shop.asked).hasSize(1 + 20 + 40).startsWith("/goods");
            assertThat(shop.circuitMoves()).isEmpty();
            assertThat(shop.cooldown()).isEqualTo(Cooldown.NONE);
          }
          assertThat(shop.gaps()).allMatch(gap -> gap.state() == DetailGap.State.QUARANTINED);
        });
  }

  @ParameterizedTest
  @EnumSource
  void where_only_records_that_fail_are_left_they_are_asked_for_once_and_the_circuit_stays_shut(
      Failure failure) {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 20, "price");
          shop.pages = 20;
          shop.listsAgain = true;
          shop.failure = failure;
          shop.fails = path -> path.endsWith("7");
          assertThat(shop.collect().outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          for (int run = 2; run <= 8; run++) {
            time.sleep(Duration.ofHours(7));
            shop.asked.clear();
            long began = time.nanos();
            assertThat(shop.collect().outcome()).isEqualTo(new Outcome.CompletedWithGaps());
            assertThat(shop.asked).hasSize(20 + 40);
            assertThat(shop.circuitMoves()).isEmpty();
            assertThat(Duration.ofNanos(time.nanos() - began))
                .isLessThan(
                    failure == Failure.TIMEOUT ? Duration.ofMinutes(11) : Duration.ofSeconds(10));
          }
        });
  }

  @Test
  void records_that_are_known_to_fail_are_not_blamed_for_an_outage_of_their_backend() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 60, "price");
          shop.pages = 8;
          shop.listsAgain = true;
          shop.fails = path -> path.endsWith("7");
          CollectionResult unused = shop.collect();
          shop.fails = path -> path.startsWith("/price");
          for (int run = 2; run <= 10; run++) {
            time.sleep(Duration.ofHours(7));
            assertThat(shop.collect().outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          }
          assertThat(shop.gaps())
              .hasSize(48)
              .allMatch(gap -> gap.failures() == 1)
              .allMatch(gap -> gap.state() == DetailGap.State.PENDING);
        });
  }

  @Test
  void a_record_that_is_known_to_fail_counts_no_failure_unless_five_others_were_served() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 4, "price");
          shop.pages = 10;
          shop.fails = "/price/20"::equals;
          CollectionResult unused = shop.collect();
          int before = shop.gap("20").failures();
          time.sleep(Duration.ofHours(7));
          shop.pages++;
          unused = shop.collect();
          assertThat(shop.gap("20").failures()).as("four others").isEqualTo(before);
          time.sleep(Duration.ofHours(7));
          shop.pages += 2;
          unused = shop.collect();
          assertThat(shop.gap("20").failures()).as("eight others").isEqualTo(before + 1);
        });
  }

  @Test
  void in_an_outage_no_record_that_is_known_to_fail_closes_the_circuit() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 40, "price");
          shop.before = 100;
          shop.listsAgain = true;
          shop.fails = path -> path.endsWith("7");
          CollectionResult unused = shop.collect();
          assertThat(shop.gaps()).hasSize(4);
          time.sleep(Duration.ofHours(7));
          shop.before = 92; // eight new ones, before those that are known to fail
          shop.perPage = 48;
          shop.fails = path -> path.startsWith("/price");
          unused = shop.collect();
          assertThat(shop.circuitMoves()).contains("open").doesNotContain("closed");
          assertThat(shop.gaps()).hasSize(12).allMatch(gap -> gap.failures() <= 1);
        });
  }

  @Test
  void a_record_that_is_known_to_fail_is_not_blamed_while_the_provider_serves_nobody() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 60, "price");
          shop.fails = "/price/20"::equals;
          CollectionResult unused = shop.collect();
          shop.fails = path -> true;
          for (int run = 0; run < 10; run++) {
            time.sleep(Duration.ofHours(7));
            assertThat(shop.collect().outcome()).isInstanceOf(Outcome.Deferred.class);
          }
          assertThat(shop.gap("20").failures()).isEqualTo(1);
        });
  }

  @Test
  void a_detail_without_a_retry_token_is_a_gap_and_the_run_goes_on() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 500, "price");
          shop.pacing = LaneOptions.fixed(4).withCircuit(CircuitOptions.off());
          // A retry is earned by five successes, and needed after four.
          shop.fails = path -> path.endsWith("5") || path.endsWith("0");
          assertThat(shop.collect().outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(shop.sink.keys("price")).hasSize(400);
          assertThat(shop.gaps()).hasSize(100);
          assertThat(shop.gaps()).anyMatch(gap -> gap.reason().equals("retry_budget"));
        });
  }

  @Test
  void a_list_request_without_a_retry_token_defers() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 10, "price");
          shop.fails = "/goods"::equals;
          assertThat(shop.collect(Envelope.UNBOUNDED.withRequestCap(5)).outcome())
              .isInstanceOfSatisfying(
                  Outcome.Deferred.class,
                  end -> assertThat(end.reason()).isEqualTo(Reason.Planned.RETRY_BUDGET));
          assertThat(shop.asked).hasSize(2);
        });
  }

  @Test
  void a_list_request_out_of_attempts_is_tried_again_every_minute() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 10, "price");
          shop.fails = path -> shop.asked.size() <= 4 + 3;
          long began = time.nanos();
          assertThat(shop.collect().outcome()).isEqualTo(new Outcome.Completed());
          assertThat(Duration.ofNanos(time.nanos() - began))
              .isBetween(Duration.ofMinutes(4), Duration.ofSeconds(4 * 60 + 15));
        });
  }

  @Test
  void a_list_that_always_fails_is_given_up_after_eight_minutes_or_when_the_time_is_over() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 10, "price");
          shop.fails = "/goods"::equals;
          Outcome late =
              shop.collect(Envelope.UNBOUNDED.withWallClock(Duration.ofSeconds(90))).outcome();
          assertThat(late).isInstanceOf(Outcome.Deferred.class);
          assertThat(shop.asked).hasSize(4 + 1);
          shop.asked.clear();
          time.sleep(Duration.ofHours(1));
          long began = time.nanos();
          assertThat(shop.collect().outcome())
              .isInstanceOfSatisfying(
                  Outcome.Deferred.class,
                  end -> assertThat(end.reason()).isEqualTo(Reason.Pressure.UPSTREAM_PRESSURE));
          assertThat(shop.asked).hasSizeBetween(8, 4 + 8 + 8);
          assertThat(Duration.ofNanos(time.nanos() - began)).isLessThan(Duration.ofMinutes(20));
          assertThat(shop.cooldown().consecutive()).isPositive();
        });
  }

  @Test
  void a_detail_stream_that_always_fails_is_left_after_eight_openings_and_another_is_complete() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 50, "price", "stock");
          shop.pages = 20;
          shop.fails = path -> path.startsWith("/stock");
          long began = time.nanos();
          CollectionResult result = shop.collect();
          assertThat(result.outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(shop.sink.keys("price")).hasSize(1_000);
          assertThat(shop.gaps()).hasSize(1_000).allMatch(gap -> gap.stream().equals("stock"));
          assertThat(shop.asked.stream().filter(path -> path.startsWith("/stock")).count())
              .isLessThan(500);
          assertThat(Duration.ofNanos(time.nanos() - began)).isLessThan(Duration.ofMinutes(30));
        });
  }

  @Test
  void gaps_that_had_no_turn_for_some_runs_have_it_although_there_is_always_forward_work() {
    SimulatedTime.run(
        1,
        time -> {
          Shop shop = new Shop(time, 4, "price");
          shop.pages = Integer.MAX_VALUE;
          shop.fails = "/price/3"::equals;
          Envelope envelope = Envelope.UNBOUNDED.withRequestCap(40);
          int runs = 0;
          boolean forwardAlways = true;
          for (; runs < 20; runs++) {
            shop.asked.clear();
            CollectionResult result = shop.collect(envelope);
            forwardAlways &= result.progress().slices() >= 4;
            if (runs > 0 && shop.askedFor("/price/3") > 0) {
              break;
            }
            shop.fails = path -> false;
            time.sleep(Duration.ofHours(1));
          }
          assertThat(runs).isBetween(4, 7);
          assertThat(forwardAlways).as("every run went on with new records").isTrue();
          assertThat(shop.gap("3").state()).isEqualTo(DetailGap.State.RECOVERED);
        });
  }
}
