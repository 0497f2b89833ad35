package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.Pacing;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.pressure.Cooldown;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Collections of 2,000 records, each with details, from a provider without a limit that answers
 * after 50 ms. Some records always fail, or some answers do by chance: how long that takes, beside
 * the same collection from a provider that never fails.
 */
class OrdinaryCollectionTest {
  private static final int RECORDS = 2_000;
  private static final Duration LATENCY = Duration.ofMillis(50);
  private static final Pacing LEARNED = Pacing.learned();
  private static final Pacing DECLARED =
      (lane, memory) -> memory.paced(lane, PacerOptions.DEFAULTS);

  /** How a record fails. */
  enum Failure {
    STATUS_500,
    HTML;

    WebAnswer answer() {
      return this == STATUS_500
          ? new WebAnswer(500, HttpHeaders.of(Map.of(), (name, value) -> true), new byte[0])
          : new WebAnswer(
              200,
              HttpHeaders.of(Map.of("Content-Type", List.of("text/html")), (name, value) -> true),
              "<html><title>Sorry</title></html>".getBytes(StandardCharsets.UTF_8));
    }
  }

  /** A provider that fails as it is told, and the runs that ask it. */
  private static final class World implements Transport {
    private static final Pattern DETAIL = Pattern.compile("/items/([0-9]+)/comments");

    final Time time;
    final Store store;
    final Transport provider;
    final SplittableRandom random = new SplittableRandom(1);
    final List<String> asked = new ArrayList<>();
    LongPredicate poison = id -> false;
    Failure failure = Failure.STATUS_500;
    double chance;
    IntFunction<Duration> delays = number -> Duration.ZERO;
    MemorySink sink = new MemorySink();
    long lastServed;
    long silence;

    World(Time time) {
      this.time = time;
      this.store = Store.inMemory(time);
      this.provider =
          new ProviderTransport(
              new Provider(
                  ProviderOptions.DEFAULTS.withCatalogue(
                      CatalogueOptions.DEFAULTS.withItems(RECORDS)),
                  time));
    }

    /** One record in so many always fails. */
    World withPoison(int oneIn) {
      poison = id -> id % oneIn == 37 % oneIn;
      return this;
    }

    @Override
    public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
      asked.add(request.uri().getPath());
      Matcher detail = DETAIL.matcher(request.uri().getPath());
      boolean fails = detail.matches() && poison.test(Long.parseLong(detail.group(1)));
      if (fails || random.nextDouble() < chance) {
        time.sleep(LATENCY);
        return failure.answer();
      }
      Duration delay = delays.apply(asked.size());
      boolean late = delay.compareTo(request.timeout()) > 0;
      time.sleep(late ? request.timeout() : delay);
      if (late) {
        throw new HttpTimeoutException("no answer in time");
      }
      silence = Math.max(silence, time.nanos() - lastServed);
      lastServed = time.nanos();
      return provider.send(request);
    }

    Taken collect(Pacing pacing) throws InterruptedException {
      return collect("mine", pacing);
    }

    Taken collect(String name, Pacing pacing) throws InterruptedException {
      long began = time.nanos();
      asked.clear();
      lastServed = began;
      silence = 0;
      try (ProviderGates gates = new ProviderGates(store, time)) {
        CollectionResult result =
            new Collector(
                    CollectionRequest.of(
                        name, Items.of(100).withComments().looking().paced(pacing)),
                    sink,
                    store,
                    gates,
                    this,
                    time)
                .run();
        return new Taken(
            result,
            Duration.ofNanos(time.nanos() - began),
            asked.size(),
            Duration.ofNanos(silence));
      }
    }

    List<DetailGap> gaps() {
      return store.read(
          transaction -> DetailGaps.list(transaction, "mine", Optional.empty(), RECORDS));
    }

    /** Nothing but what always fails is missing, and that is known. */
    void assertOnlyPoisonIsMissing(Taken taken, int poisoned) {
      assertThat(sink.keys("items")).hasSize(RECORDS);
      assertThat(taken.result.openGaps()).isEqualTo(poisoned);
      assertThat(gaps())
          .filteredOn(gap -> gap.state().isOpen())
          .allMatch(gap -> poison.test(Long.parseLong(gap.recordKey())));
    }
  }

  /** What a run came to. */
  private record Taken(CollectionResult result, Duration time, int requests, Duration silence) {}

  private static Duration times(double factor, Duration time) {
    return Duration.ofNanos(Math.round(factor * time.toNanos()));
  }

  /** How long it takes if nothing fails. */
  private static Taken clean(Pacing pacing) {
    Taken[] taken = new Taken[1];
    SimulatedTime.run(
        1,
        time -> {
          World world = new World(time);
          taken[0] = world.collect(pacing);
          assertThat(taken[0].result.outcome()).isEqualTo(new Outcome.Completed());
          world.assertOnlyPoisonIsMissing(taken[0], 0);
        });
    return taken[0];
  }

  @Test
  void nobody_notices_that_one_url_always_answers_500_after_thirty_good_ones() {
    Taken clean = clean(LEARNED);
    SimulatedTime.run(
        1,
        time -> {
          World world = new World(time);
          world.poison = id -> id == 31;
          Taken taken = world.collect(LEARNED);
          world.assertOnlyPoisonIsMissing(taken, 1);
          assertThat(taken.silence)
              .as("the longest time in which no other was sent")
              .isLessThanOrEqualTo(clean.silence.plus(Duration.ofMillis(500)));
          assertThat(taken.time).isLessThan(clean.time.plusSeconds(1));
          assertThat(taken.requests).isLessThanOrEqualTo(clean.requests + 4);
        });
  }

  @Test
  void one_record_of_2000_that_always_answers_500_costs_no_time() {
    Taken clean = clean(LEARNED);
    SimulatedTime.run(
        1,
        time -> {
          World world = new World(time).withPoison(RECORDS);
          Taken taken = world.collect(LEARNED);
          assertThat(taken.result.outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          world.assertOnlyPoisonIsMissing(taken, 1);
          assertThat(taken.time)
              .isLessThan(Duration.ofSeconds(25))
              .isLessThan(clean.time.plusSeconds(1));
          assertThat(taken.requests).isLessThanOrEqualTo(clean.requests + 4);
        });
  }

  @Test
  void one_percent_of_records_that_always_answer_500_take_half_as_long_again_at_most() {
    Taken clean = clean(LEARNED);
    SimulatedTime.run(
        1,
        time -> {
          World world = new World(time).withPoison(100);
          Taken taken = world.collect(LEARNED);
          assertThat(taken.result.outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          world.assertOnlyPoisonIsMissing(taken, 20);
          assertThat(taken.time).isLessThan(times(1.5, clean.time));
          assertThat(taken.requests).isLessThanOrEqualTo(clean.requests + 20 * 4);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 20})
  void two_percent_of_answers_that_are_500_by_chance_take_half_as_long_again_at_most(int oneIn) {
    Taken clean = clean(LEARNED);
    SimulatedTime.run(
        1,
        time -> {
          World world = oneIn == 0 ? new World(time) : new World(time).withPoison(oneIn);
          world.chance = 0.02;
          Taken taken = world.collect(LEARNED);
          assertThat(world.sink.keys("items")).hasSize(RECORDS);
          assertThat(taken.time).isLessThan(times(1.5, clean.time));
        });
  }

  @Test
  void with_declared_pacing_and_five_percent_that_always_fail_the_first_run_gets_all_others() {
    Taken clean = clean(DECLARED);
    SimulatedTime.run(
        1,
        time -> {
          World world = new World(time).withPoison(20);
          Taken first = world.collect(DECLARED);
          assertThat(first.result.outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          world.assertOnlyPoisonIsMissing(first, 100);
          assertThat(first.time).isLessThan(times(1.5, clean.time));
          for (int run = 2; run <= 20; run++) {
            time.sleep(Duration.ofMinutes(5));
            Taken later = world.collect(DECLARED);
            assertThat(later.result.outcome()).isEqualTo(new Outcome.CompletedWithGaps());
            assertThat(later.requests).as("run %d", run).isLessThanOrEqualTo(1 + 100);
            assertThat(later.time).as("run %d", run).isLessThan(Duration.ofSeconds(30));
          }
        });
  }

  @Test
  void a_healthy_run_one_hour_after_one_with_failures_is_as_fast_as_if_nothing_had_happened() {
    Taken clean = clean(LEARNED);
    SimulatedTime.run(
        1,
        time -> {
          World world = new World(time).withPoison(100);
          world.chance = 0.02;
          Taken bad = world.collect(LEARNED);
          assertThat(bad.result.openGaps()).isPositive();
          time.sleep(Duration.ofHours(1));
          world.poison = id -> false;
          world.chance = 0;
          world.sink = new MemorySink();
          Taken healthy = world.collect("another", LEARNED);
          assertThat(healthy.result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(healthy.time).isLessThan(times(1.02, clean.time));
        });
  }

  /** The 15th and the 300th of all. */
  @ParameterizedTest
  @ValueSource(strings = {"PT2S", "PT20S", "PT1H"})
  void single_answers_that_come_late_or_never_cost_a_few_seconds(Duration delay) {
    Taken clean = clean(LEARNED);
    SimulatedTime.run(
        1,
        time -> {
          World world = new World(time);
          world.delays = number -> number == 15 || number == 300 ? delay : Duration.ZERO;
          Taken taken = world.collect(LEARNED);
          assertThat(taken.result.outcome()).isEqualTo(new Outcome.Completed());
          world.assertOnlyPoisonIsMissing(taken, 0);
          assertThat(taken.time).isLessThan(clean.time.plusSeconds(8));
        });
  }

  @Test
  void a_provider_that_becomes_a_hundred_times_slower_is_waited_for() {
    SimulatedTime.run(
        1,
        time -> {
          World world = new World(time);
          world.delays = number -> number > 500 ? Duration.ofSeconds(5) : Duration.ZERO;
          Taken taken = world.collect(LEARNED);
          assertThat(taken.result.outcome()).isEqualTo(new Outcome.Completed());
          world.assertOnlyPoisonIsMissing(taken, 0);
        });
  }

  /** A misspelt parameter: the provider gives its first page again, with another token. */
  @Test
  void a_list_whose_page_tokens_lead_nowhere_fails_at_the_second_page_that_is_known() {
    SimulatedTime.run(
        1,
        time -> {
          Provider provider =
              new Provider(
                  ProviderOptions.DEFAULTS
                      .withCatalogue(CatalogueOptions.DEFAULTS.withItems(RECORDS))
                      .withService(
                          ServiceOptions.DEFAULTS.withMisbehaviours(
                              Set.of(Misbehaviour.CURSOR_EXPIRES))),
                  time);
          CollectionResult result =
              collectList("curser", new ProviderTransport(provider), new MemorySink(), time);
          assertFailed(result, Reason.Failure.CURSOR_LOOP);
          assertThat(provider.log()).hasSize(3);
        });
  }

  /** Collects a list by a connector file that asks for the next page with this parameter. */
  private static CollectionResult collectList(
      String parameter, Transport transport, MemorySink sink, Time time) throws Exception {
    Connector connector =
        ConnectorFile.parse(
                "items.yaml",
                """
                connector: items
                provider: {base: "http://127.0.0.1:8089"}
                streams:
                  items:
                    get: /items
                    records: $.items[*]
                    key: id
                    pages: {token: $.next_cursor, ask: query %s}
                """
                    .formatted(parameter))
            .bind(Map.of(), transport, time);
    Store store = Store.inMemory(time);
    try (ProviderGates gates = new ProviderGates(store, time)) {
      return new Collector(
              CollectionRequest.of("mine", connector)
                  .withEnvelope(Envelope.UNBOUNDED.withRequestCap(1_000)),
              sink,
              store,
              gates,
              transport,
              time)
          .run();
    }
  }

  private static void assertFailed(CollectionResult result, Reason.Failure reason) {
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Failed.class, end -> assertThat(end.reason()).isEqualTo(reason));
  }

  /** Breaks the JSON of some answers of a provider, and leaves their length. */
  private static Transport breaking(Transport provider, List<String> asked, IntPredicate which) {
    return request -> {
      asked.add(request.uri().getPath());
      int number = asked.size();
      WebAnswer answer = provider.send(request);
      if (which.test(number)) {
        byte[] body = answer.body();
        Arrays.fill(body, body.length / 2, body.length, (byte) ' ');
        return new WebAnswer(answer.status(), answer.headers(), body);
      }
      return answer;
    };
  }

  @Test
  void one_page_of_broken_json_with_the_right_length_is_asked_for_again() {
    SimulatedTime.run(
        1,
        time -> {
          List<String> asked = new ArrayList<>();
          MemorySink sink = new MemorySink();
          Transport provider = new World(time).provider;
          CollectionResult result =
              collectList("cursor", breaking(provider, asked, number -> number == 3), sink, time);
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(sink.keys("items")).hasSize(RECORDS);
          assertThat(asked).hasSize(RECORDS / 100 + 1);
        });
  }

  @Test
  void json_that_stays_broken_fails_its_stream_after_four_attempts() {
    SimulatedTime.run(
        1,
        time -> {
          List<String> asked = new ArrayList<>();
          Transport provider = new World(time).provider;
          CollectionResult result =
              collectList(
                  "cursor", breaking(provider, asked, number -> true), new MemorySink(), time);
          assertFailed(result, Reason.Failure.UNEXPECTED_CONTENT);
          assertThat(result.outcome().detail()).contains("no JSON, or ends too early");
          assertThat(asked).hasSize(4);
        });
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void a_record_that_always_fails_costs_later_runs_one_request(Failure failure) {
    SimulatedTime.run(
        1,
        time -> {
          World world = new World(time).withPoison(RECORDS);
          world.failure = failure;
          Taken first = world.collect(LEARNED);
          world.assertOnlyPoisonIsMissing(first, 1);
          for (int run = 2; run <= 8; run++) {
            time.sleep(Duration.ofHours(7));
            Taken later = world.collect(LEARNED);
            assertThat(later.result.outcome()).isEqualTo(new Outcome.CompletedWithGaps());
            assertThat(world.asked).as("run %d", run).hasSizeLessThanOrEqualTo(2);
            assertThat(world.asked.getFirst()).as("forward work first").isEqualTo("/items");
            assertThat(world.store.read(t -> Lanes.of(t, "simulated")).cooldown())
                .isEqualTo(Cooldown.NONE);
          }
          assertThat(world.gaps())
              .singleElement()
              .satisfies(
                  gap -> {
                    assertThat(gap.tries()).isEqualTo(8);
                    assertThat(gap.failures()).as("no other was served").isEqualTo(1);
                  });
        });
  }
}
