package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.Provider;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Signal;
import dev.sluice.simulator.provider.Suspension;
import dev.sluice.simulator.provider.Verdict;
import dev.sluice.simulator.provider.http.Call;
import dev.sluice.simulator.provider.http.LoggedRequest;
import dev.sluice.simulator.provider.http.ProviderOptions;
import dev.sluice.simulator.provider.http.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The four ways in which providers push back (429 with a wait, 429 without, 503, answers that come
 * late), and the one in which they throw an account out. Whichever it is: everything is collected
 * once, by one run or by several; a run that stops says why; and by the provider's own log nothing
 * is sent earlier than an answer had told whose word a process has, or the store.
 */
class FourPressuresTest {
  private static final int ITEMS = 120;
  private static final int PAGE = 10;
  private static final int MOST_RUNS = 2_000;
  private static final long SEEDS = 10L * Integer.getInteger("sluice.seeds", 1);
  private static final List<String> EVERY_ITEM =
      IntStream.rangeClosed(1, ITEMS).mapToObj(String::valueOf).toList();

  /** No pace is configured: it has to be learned. */
  private static final String CONNECTOR =
      """
      connector: items
      provider: {base: "http://127.0.0.1:8089"}
      pacing:
        answers:
          - {when: "status == 403 and body contains 'account_suspended'", mean: stop, because: suspended}
      streams:
        items: {get: /items, records: "$.items[*]", key: id}
      """;

  /** The items and their comments; what the provider's answers mean is read from a file. */
  private record Collected(Provider provider) implements Connector {
    @Override
    public String name() {
      return "items";
    }

    @Override
    public List<ListStream> streams() {
      return Items.of(PAGE).withComments().streams();
    }
  }

  /** What an answer said to a process. */
  private record Told(Instant received, Instant until) {}

  private interface Story {
    void happen(Scene scene) throws Exception;
  }

  /** A provider with its log, a disk, and processes that come and go. */
  private static final class Scene {
    final SimulatedTime time;
    final Store disk;
    final MemorySink sink = new MemorySink();
    final List<Told> told = new ArrayList<>();
    final List<String> tooEarly = new ArrayList<>();
    private final dev.sluice.simulator.provider.http.Provider provider;

    Scene(SimulatedTime time, ServiceOptions service) {
      this.time = time;
      this.disk = Store.inMemory(time);
      this.provider =
          new dev.sluice.simulator.provider.http.Provider(
              ProviderOptions.DEFAULTS
                  .withCatalogue(CatalogueOptions.DEFAULTS.withItems(ITEMS))
                  .withService(service),
              time);
    }

    CollectionRequest request() throws Exception {
      Transport nobody =
          request -> {
            throw new IOException("nobody issues tokens here");
          };
      return CollectionRequest.of(
          "mine",
          new Collected(
              ConnectorFile.parse("items.yaml", CONNECTOR)
                  .bind(Map.of(), nobody, time)
                  .provider()));
    }

    /** The wire of one process: it knows what it was told, and sees what is stored. */
    Transport wire(String lane) {
      ProviderTransport wire = new ProviderTransport(provider);
      Instant[] notBefore = {Instant.EPOCH};
      return request -> {
        Instant now = time.instant();
        LaneRecord stored = lane(lane);
        check("was told to wait until", notBefore[0], now);
        // A hold is stored in tenths of a second, rounded up.
        check("finds stored a hold until", stored.holdUntil().minusMillis(100), now);
        check("finds stored a cooldown until", stored.cooldown().until(), now);
        WebAnswer answer = wire.send(request);
        if (!answer.succeeded()) {
          Instant received = time.instant();
          answer
              .headers()
              .firstValueAsLong("Retry-After")
              .ifPresent(
                  seconds -> {
                    notBefore[0] = received.plusSeconds(seconds);
                    told.add(new Told(received, notBefore[0]));
                  });
        }
        return answer;
      };
    }

    private void check(String what, Instant until, Instant now) {
      if (now.isBefore(until)) {
        tooEarly.add("at %s a process %s %s, and asks".formatted(now, what, until));
      }
    }

    LaneRecord lane(String lane) {
      return disk.read(transaction -> Lanes.of(transaction, lane));
    }

    /** One run of a process of its own. */
    CollectionResult collect(CollectionRequest request) throws Exception {
      return collect(request, disk, wire(request.connector().provider().lane()));
    }

    CollectionResult collect(CollectionRequest request, Store store, Transport transport)
        throws Exception {
      try (ProviderGates gates = new ProviderGates(store, time)) {
        return new Collector(request, sink, store, gates, transport, time).run();
      }
    }

    /** Lets a scheduler start runs that do not look whether it is time, until one has it all. */
    int collectAll(Duration between) throws Exception {
      int runs = 0;
      boolean done = false;
      while (!done) {
        assertThat(runs++).as("runs until everything is there").isLessThan(MOST_RUNS);
        CollectionRequest request = request();
        CollectionResult result = collect(request);
        assertHonest(request, result);
        done = result.outcome() instanceof Outcome.Completed;
        time.sleep(between);
      }
      return runs;
    }

    /** An end before everything is there has its reason on record, and a time to go on. */
    private void assertHonest(CollectionRequest request, CollectionResult result) {
      switch (result.outcome()) {
        case Outcome.Completed completed -> assertThat(gaps()).isEmpty();
        case Outcome.CompletedWithGaps gaps -> assertThat(result.openGaps()).isPositive();
        case Outcome.Deferred(Reason.Deferral reason, String detail) -> {
          assertThat(reason).as(detail).isInstanceOf(Reason.Pressure.class);
          assertThat(lane(request.connector().provider().lane()).held(time.instant()))
              .as("how long it is left alone after: %s", detail)
              .isPositive();
          assertThat(gaps()).singleElement().extracting(StreamGap::reason).isEqualTo(reason);
        }
        default -> throw new AssertionError("ended with " + result.outcome());
      }
    }

    List<StreamGap> gaps() {
      return disk.read(transaction -> StreamGaps.of(transaction, "mine"));
    }

    void assertAllIsThereOnce() throws Exception {
      assertThat(sink.keys("items")).containsExactlyElementsOf(EVERY_ITEM);
      assertThat(sink.keys("comments")).containsExactlyInAnyOrderElementsOf(everyComment());
    }

    private List<String> everyComment() throws Exception {
      Scene unlimited = new Scene(time, ServiceOptions.DEFAULTS);
      assertThat(unlimited.collect(unlimited.request()).outcome())
          .isEqualTo(new Outcome.Completed());
      return unlimited.sink.keys("comments");
    }

    void assertNothingWasSentTooEarly() {
      assertThat(tooEarly).isEmpty();
      List<LoggedRequest> log = provider.log();
      for (Told each : told) {
        assertThat(log)
            .as("requests after %s, which was told to wait until %s", each.received, each.until)
            .noneMatch(
                request ->
                    request.at().isAfter(each.received) && request.at().isBefore(each.until));
      }
    }

    void control(String change) throws Exception {
      Reply reply = provider.exchange(Call.post("/control", change));
      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }
  }

  private static void play(ServiceOptions service, Story story) {
    SimulatedTime.run(1, time -> story.happen(new Scene(time, service)));
  }

  private static ServiceOptions service(Signal signal, String limit) {
    return ServiceOptions.DEFAULTS.withSignal(signal).withLimit(LimitOptions.parse(limit));
  }

  /** A window that a run sits out, one that it does not, and limits that leave no window to see. */
  @ParameterizedTest
  @CsvSource({
    "RETRY_AFTER, 20/1m",
    "RETRY_AFTER, first:30/10m",
    "RETRY_AFTER, sliding:30/1m",
    "BARE_429, 20/1m",
    "BARE_429, first:30/10m",
    "BARE_429, bucket:5:60/1m",
    "BARE_503, 20/1m",
    "BARE_503, first:30/10m",
    "RETRY_AFTER_503, first:30/10m",
    "SLOW_DOWN, 20/1m",
    "SLOW_DOWN, bucket:5:60/1m",
  })
  void all_is_collected_once_and_nothing_is_sent_before_its_time(Signal signal, String limit) {
    play(
        service(signal, limit),
        scene -> {
          Instant begun = scene.time.instant();
          int runs = scene.collectAll(Duration.ofSeconds(20));
          assertThat(runs).isPositive();
          scene.assertAllIsThereOnce();
          scene.assertNothingWasSentTooEarly();
          assertThat(Duration.between(begun, scene.time.instant()))
              .as("the limit was felt")
              .isGreaterThan(Duration.ofMinutes(1));
          if (signal.tellsWait()) {
            assertThat(scene.told).isNotEmpty();
          }
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = Signal.class,
      names = {"RETRY_AFTER", "BARE_429", "BARE_503"})
  void a_provider_that_closes_for_hours_is_left_alone_ever_longer_and_collected_afterwards(
      Signal signal) {
    play(
        service(signal, "none"),
        scene -> {
          CollectionRequest some =
              scene.request().withEnvelope(Envelope.UNBOUNDED.withRequestCap(40));
          assertThat(scene.collect(some).outcome()).isInstanceOf(Outcome.Deferred.class);
          scene.control("{\"limit\": \"0/1h\"}");
          int before = scene.provider.log().size();
          for (int run = 0; run < 6 * 60; run++) { // six hours, a run every minute
            CollectionRequest request = scene.request();
            CollectionResult result = scene.collect(request);
            scene.assertHonest(request, result);
            assertThat(result.outcome()).isInstanceOf(Outcome.Deferred.class);
            scene.time.sleep(Duration.ofMinutes(1));
          }
          assertThat(scene.provider.log().size() - before)
              .as("requests in six hours to a provider that is closed")
              .isBetween(1, 150);
          scene.control("{\"limit\": \"none\"}");
          scene.collectAll(Duration.ofMinutes(10));
          scene.assertAllIsThereOnce();
          scene.assertNothingWasSentTooEarly();
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = Signal.class,
      names = {"RETRY_AFTER", "RETRY_AFTER_503"})
  void a_process_that_is_killed_in_the_middle_of_a_hold_leaves_the_hold_behind(Signal signal) {
    play(
        service(signal, "first:30/10m"),
        scene -> {
          CollectionRequest patient = scene.request().withInlineWait(Duration.ofHours(1));
          String lane = patient.connector().provider().lane();
          MortalProcess process =
              new MortalProcess(
                  scene.disk,
                  scene.wire(lane),
                  scene.time,
                  MortalProcess.Fate.KILLED_BEFORE,
                  MortalProcess.IMMORTAL);
          Time.Task first =
              scene.time.start(
                  "a process that is killed",
                  () -> {
                    try {
                      process.run(
                          () -> {
                            CollectionResult unused = process.collect(patient, scene.sink);
                          });
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  });
          while (scene.told.isEmpty()) {
            scene.time.sleep(Duration.ofSeconds(1));
          }
          scene.time.sleep(Duration.ofSeconds(20));
          process.kill();
          Instant killed = scene.time.instant();
          Instant until = scene.told.getLast().until();
          assertThat(until).isAfter(killed.plusSeconds(120));
          assertThat(scene.lane(lane).holdUntil()).isAfterOrEqualTo(until);
          assertThat(scene.collect(scene.request()).outcome())
              .as("nobody knows yet that it is dead")
              .isEqualTo(new Outcome.AlreadyRunning());
          scene.time.sleep(Duration.ofSeconds(61)); // its leases have expired
          scene.collectAll(Duration.ofSeconds(20));
          first.join();
          assertThat(scene.provider.log())
              .as("requests between the kill and the end of the hold")
              .noneMatch(request -> request.at().isAfter(killed) && request.at().isBefore(until));
          scene.assertAllIsThereOnce();
          scene.assertNothingWasSentTooEarly();
        });
  }

  static LongStream seeds() {
    return LongStream.range(0, SEEDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void killed_anywhere_no_process_asks_before_what_it_was_told_or_finds_stored(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Signal> signals = List.of(Signal.RETRY_AFTER, Signal.BARE_429, Signal.RETRY_AFTER_503);
    List<String> limits = List.of("first:30/10m", "20/1m", "sliding:40/5m");
    SimulatedTime.run(
        seed,
        time -> {
          Scene scene =
              new Scene(
                  time,
                  service(
                      signals.get(random.nextInt(signals.size())),
                      limits.get(random.nextInt(limits.size()))));
          boolean done = false;
          for (int run = 0; !done; run++) {
            assertThat(run).isLessThan(MOST_RUNS);
            CollectionRequest request = scene.request();
            MortalProcess process =
                new MortalProcess(
                    scene.disk,
                    scene.wire(request.connector().provider().lane()),
                    time,
                    random.nextBoolean()
                        ? MortalProcess.Fate.KILLED_BEFORE
                        : MortalProcess.Fate.KILLED_AFTER,
                    random.nextInt(4) == 0 ? MortalProcess.IMMORTAL : random.nextInt(1, 80));
            AtomicBoolean completed = new AtomicBoolean();
            process.run(
                () ->
                    completed.set(
                        process.collect(request, scene.sink).outcome()
                            instanceof Outcome.Completed));
            done = completed.get() && !process.isDead();
            time.sleep(Duration.ofSeconds(random.nextInt(1, 120)));
          }
          scene.assertAllIsThereOnce();
          assertThat(scene.tooEarly).isEmpty();
        });
  }

  @ParameterizedTest
  @CsvSource({"RETRY_AFTER, 40/1m", "BARE_429, 40/1m", "RETRY_AFTER, sliding:30/1m"})
  void who_keeps_to_what_is_told_is_not_thrown_out(Signal signal, String limit) {
    play(
        service(signal, limit).withSuspension(Suspension.USUAL),
        scene -> {
          scene.collectAll(Duration.ofSeconds(20));
          assertThat(scene.provider.log())
              .noneMatch(request -> request.verdict() == Verdict.Kind.SUSPENDED);
          scene.assertAllIsThereOnce();
          scene.assertNothingWasSentTooEarly();
        });
  }

  @Test
  void an_account_that_is_thrown_out_is_not_asked_for_again_until_somebody_has_acted() {
    play(
        service(Signal.BARE_429, "first:30/10m")
            .withSuspension(new Suspension(0, Duration.ofMinutes(10), 1)), // the first throttle
        scene -> {
          CollectionResult first = scene.collect(scene.request());
          for (int run = 0; !(first.outcome() instanceof Outcome.Failed); run++) {
            assertThat(run).isLessThan(10); // deferred by the throttle, until it asks again
            scene.time.sleep(Duration.ofMinutes(20));
            first = scene.collect(scene.request());
          }
          assertThat(first.outcome().reason()).isEqualTo(Reason.Failure.SUSPENDED);
          assertThat(scene.provider.log())
              .filteredOn(request -> request.verdict() == Verdict.Kind.SUSPENDED)
              .as("it is told once")
              .hasSize(1);
          List<String> kept = scene.sink.keys("items");
          int asked = scene.provider.log().size();
          scene.time.sleep(Duration.ofDays(2));
          CollectionResult second = scene.collect(scene.request());
          assertThat(second.outcome().reason()).isEqualTo(Reason.Failure.SUSPENDED);
          assertThat(second.outcome().detail()).contains("sluice status --reopen");
          assertThat(scene.provider.log()).hasSize(asked);
          assertThat(scene.sink.keys("items")).isEqualTo(kept);
          assertThat(scene.gaps())
              .singleElement()
              .extracting(StreamGap::reason)
              .isEqualTo(Reason.Failure.SUSPENDED);

          scene.control("{\"reinstate\": true, \"limit\": \"none\"}");
          String lane = scene.request().connector().provider().lane();
          scene.disk.write(
              transaction -> {
                Lanes.reopen(transaction, lane);
                return null;
              });
          scene.collectAll(Duration.ofMinutes(10));
          scene.assertAllIsThereOnce();
          scene.assertNothingWasSentTooEarly();
        });
  }
}
