package dev.sluice.arena;

import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.world.OpaqueScenario;
import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.Collector;
import dev.sluice.collect.run.ProviderGates;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.Header;
import dev.sluice.simulator.provider.OpaqueService;
import dev.sluice.simulator.provider.Verdict;
import dev.sluice.simulator.provider.http.Call;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import dev.sluice.simulator.provider.http.Reply;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The collector, end to end: it lists a provider's items and fetches the details of each, in
 * simulated time, run after run as a timer starts them, until every detail that can be had is
 * there.
 */
public final class CollectorTrial {
  /** How many items there are to collect. */
  public static final int ITEMS = 2_000;

  private static final int PAGE = 100;
  private static final Duration EVERY = Duration.ofMinutes(5);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final String DETAILS = "details";

  /** Nothing is configured: limits have to be found out. */
  private static final String CONNECTOR =
      """
      connector: items
      provider: {base: "http://127.0.0.1:8089"}
      streams:
        items:
          get: /items
          query: {sort: id, limit: "%d"}
          records: $.items[*]
          key: id
          pages: {token: body $.next_cursor, ask: query cursor}
        %s:
          for-each: items
          get: /items/{parent.id}
          records: $
          key: id
          redo-when: parent.updated_at changes
      """
          .formatted(PAGE, DETAILS);

  private final OpaqueScenario scenario;
  private final long seed;
  private final Set<String> collected = new HashSet<>();
  private long lastAt;

  private CollectorTrial(OpaqueScenario scenario, long seed) {
    this.scenario = scenario;
    this.seed = seed;
  }

  /**
   * What came of it.
   *
   * @param venue where it was played
   * @param seconds until the last detail that can be had was there; a day if some are missing
   * @param bestSeconds what the oracle needs for as many requests
   * @param missing details that could be had and are not there
   * @param broken details that nobody can have
   * @param requests how many were sent
   * @param refused how many of them a limit refused
   * @param suspended whether the account was thrown out
   * @param runs how many runs it took
   */
  public record Collected(
      Venue venue,
      double seconds,
      double bestSeconds,
      int missing,
      int broken,
      long requests,
      long refused,
      boolean suspended,
      int runs) {
    /** The oracle's time divided by the collector's, at most 1; 0 if something is missing. */
    public double ratio() {
      return missing > 0 ? 0 : Math.min(1, bestSeconds / seconds);
    }
  }

  /** Plays every ordinary provider that has a name, and the first so many that nobody has seen. */
  public static List<Collected> playAll(int random) {
    OrdinaryLeague league = new OrdinaryLeague();
    return Stream.concat(
            league.named().stream(),
            LongStream.iterate(Selection.UNSEEN, number -> number + 1)
                .mapToObj(league::random)
                .filter(OpaqueScenario::isRated)
                .limit(random))
        .map(scenario -> play(scenario, 1))
        .toList();
  }

  /** Plays it; equal scenarios and seeds give equal results. */
  public static Collected play(OpaqueScenario scenario, long seed) {
    return SimulatedTime.with(seed).call(new CollectorTrial(scenario, seed)::play);
  }

  private Collected play(SimulatedTime time) throws Exception {
    Provider provider =
        new Provider(
            ProviderOptions.DEFAULTS
                .withCatalogue(CatalogueOptions.DEFAULTS.withItems(ITEMS).withSeed(seed))
                .withService(scenario.service()),
            time);
    OpaqueService twin = new OpaqueService(scenario.service(), seed, 0);
    int broken = (int) LongStream.rangeClosed(1, ITEMS).filter(twin::isBroken).count();
    Transport transport = request -> send(provider, request, time);
    CollectionRequest request =
        CollectionRequest.of(
            "items", ConnectorFile.parse("items.yaml", CONNECTOR).bind(Map.of(), transport, time));
    int runs = 0;
    try (Store store = Store.inMemory(time)) {
      while (collected.size() < ITEMS - broken && time.nanos() < LONGEST.toNanos()) {
        if (runs++ > 0) {
          time.sleep(EVERY);
        }
        try (ProviderGates gates = new ProviderGates(store, time)) {
          var unused = new Collector(request, new Kept(time), store, gates, transport, time).run();
        }
      }
    }
    int missing = ITEMS - broken - collected.size();
    OrdinaryLeague league = new OrdinaryLeague();
    Score best = league.best(scenario, Job.of("", ITEMS + ITEMS / PAGE), seed);
    long requests = 0;
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      requests += provider.counters(0).of(kind);
    }
    return new Collected(
        league.venue(scenario),
        (missing > 0 ? LONGEST.toNanos() : lastAt) / 1e9,
        best.nanos() / 1e9,
        missing,
        broken,
        requests,
        provider.counters(0).throttled(),
        provider.counters(0).of(Verdict.Kind.SUSPENDED) > 0,
        runs);
  }

  private WebAnswer send(Provider provider, WebRequest request, SimulatedTime time)
      throws IOException, InterruptedException {
    time.sleep(Duration.ofNanos(scenario.oneWay()));
    String query = request.uri().getRawQuery();
    Reply reply =
        provider.exchange(
            Call.get(request.uri().getRawPath() + (query == null ? "" : "?" + query)),
            request.timeout());
    time.sleep(Duration.ofNanos(scenario.oneWay()));
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (Header header : reply.headers()) {
      headers.computeIfAbsent(header.name(), name -> new ArrayList<>()).add(header.value());
    }
    return new WebAnswer(
        reply.status(),
        HttpHeaders.of(headers, (name, value) -> true),
        reply.body().getBytes(StandardCharsets.UTF_8));
  }

  /** Notes which details are there, and when the last one came. */
  private final class Kept implements Sink {
    private final SimulatedTime time;

    Kept(SimulatedTime time) {
      this.time = time;
    }

    @Override
    public SliceWriter open(
        Track track, List<StreamShape> streams, long fence, Optional<String> mark) {
      List<String> written = new ArrayList<>();
      return new SliceWriter() {
        @Override
        public void write(String stream, CollectedRecord record) {
          if (stream.equals(DETAILS)) {
            written.add(record.key());
          }
        }

        @Override
        public String prepare(SliceEnd end) {
          if (collected.addAll(written)) {
            lastAt = time.nanos();
          }
          written.clear();
          return "";
        }

        @Override
        public void giveUp() {
          written.clear();
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public String description() {
      return "the arena's memory";
    }

    @Override
    public void close() {}
  }
}
