package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.sql.SqlSink;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.Work;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Details: side by side, once for each edition, kept with their slice, and left when cancelled. */
class CollectorDetailsTest {
  private static final Duration LATENCY = Duration.ofSeconds(1);

  @TempDir Path folder;

  /** Answers after a second, and remembers what was asked. */
  private static final class Library implements Transport {
    final Time time;
    final List<String> asked = new ArrayList<>();
    final Set<String> missing = new HashSet<>();
    final Set<String> unreachable = new HashSet<>();
    int status = 200;
    String retryAfter = "0";
    int inFlight;
    int mostInFlight;

    Library(Time time) {
      this.time = time;
    }

    @Override
    public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
      String book = request.uri().getPath().substring("/texts/".length());
      asked.add(book);
      inFlight++;
      mostInFlight = Math.max(mostInFlight, inFlight);
      time.sleep(LATENCY);
      inFlight--;
      if (unreachable.contains(book)) {
        throw new IOException("the line went dead");
      }
      Map<String, List<String>> headers =
          status == 200 ? Map.of() : Map.of("Retry-After", List.of(retryAfter));
      return new WebAnswer(
          missing.contains(book) ? 422 : status,
          HttpHeaders.of(headers, (name, value) -> true),
          new byte[0]);
    }
  }

  private static CollectionRequest request(Bookcase books) {
    return CollectionRequest.of("mine", books);
  }

  private static CollectionResult collect(
      CollectionRequest request, Sink sink, Store store, Transport transport, Time time)
      throws InterruptedException {
    try (ProviderGates gates = new ProviderGates(store, time)) {
      return new Collector(request, sink, store, gates, transport, time).run();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void details_are_fetched_side_by_side_as_far_as_the_lane_allows(int slots) {
    SimulatedTime.run(
        1,
        time -> {
          Library library = new Library(time);
          MemorySink sink = new MemorySink();
          long began = time.nanos();
          CollectionResult result =
              collect(
                  request(new Bookcase(LaneOptions.fixed(slots), 48)),
                  sink,
                  Store.inMemory(time),
                  library,
                  time);
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(sink.keys("texts")).hasSize(48);
          assertThat(library.mostInFlight).isEqualTo(slots);
          assertThat(Duration.ofNanos(time.nanos() - began)).hasSeconds(48 / slots);
        });
  }

  /** A store that cannot be read a single time, long after the run has begun. */
  private static final class HiccupStore implements Store {
    private final Store store;
    private int readsLeft;

    HiccupStore(Store store, int readsLeft) {
      this.store = store;
      this.readsLeft = readsLeft;
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> work) {
      return store.write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) {
      if (readsLeft-- == 0) {
        throw new StoreException(StoreException.Problem.BUSY, "somebody else writes", null);
      }
      return store.read(work);
    }

    @Override
    public void close() {}
  }

  @Test
  void nothing_more_is_fetched_for_a_slice_that_is_lost_to_the_store() {
    SimulatedTime.run(
        1,
        time -> {
          Library library = new Library(time);
          MemorySink sink = new MemorySink();
          CollectionResult result =
              collect(
                  request(new Bookcase(LaneOptions.fixed(8), 100)),
                  sink,
                  new HiccupStore(Store.inMemory(time), 30),
                  library,
                  time);
          assertThat(result.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  failed -> assertThat(failed.reason()).isEqualTo(Reason.Failure.STORAGE));
          assertThat(library.asked).hasSizeBetween(8, 48);
        });
  }

  @Test
  void details_that_are_there_are_fetched_again_only_for_another_edition() {
    SimulatedTime.run(
        1,
        time -> {
          Library library = new Library(time);
          Store store = Store.inMemory(time);
          MemorySink sink = new MemorySink();
          Bookcase books = new Bookcase(LaneOptions.fixed(4), 5);
          library.missing.add("2");
          CollectionResult unused = collect(request(books), sink, store, library, time);
          assertThat(library.asked).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
          library.asked.clear();
          books.editions.put("4", "second");
          books.editions.remove("5");
          unused = collect(request(books), sink, store, library, time);
          assertThat(library.asked).as("missing, and another edition").contains("2", "4");
          assertThat(library.asked).doesNotContain("1", "3");
          library.asked.clear();
          books.editions.put("5", "first");
          unused = collect(request(books), sink, store, library, time);
          assertThat(library.asked).as("forgotten when it vanished").contains("5");
          assertThat(library.asked).doesNotContain("1", "3", "4");
        });
  }

  @Test
  void a_refusal_and_a_line_that_dies_for_one_record_alone_count_against_that_record() {
    SimulatedTime.run(
        1,
        time -> {
          Library library = new Library(time);
          library.missing.add("2");
          library.unreachable.add("3");
          Store store = Store.inMemory(time);
          MemorySink sink = new MemorySink();
          Bookcase books = new Bookcase(LaneOptions.fixed(1), 60);
          for (int run = 1; run <= 12; run++) {
            // All of them anew: so many are served that nobody takes the provider for ill.
            String edition = "edition " + run;
            books.editions.replaceAll((book, before) -> edition);
            assertThat(collect(request(books), sink, store, library, time).outcome())
                .isEqualTo(new Outcome.CompletedWithGaps());
            time.sleep(Duration.ofHours(7));
          }
          for (String book : List.of("2", "3")) {
            assertThat(gap(store, book).state()).isEqualTo(DetailGap.State.QUARANTINED);
            assertThat(gap(store, book).failures()).isGreaterThanOrEqualTo(8);
          }
        });
  }

  @Test
  void a_line_that_is_dead_for_everybody_counts_against_no_record() {
    SimulatedTime.run(
        1,
        time -> {
          Library library = new Library(time);
          Store store = Store.inMemory(time);
          Bookcase books = new Bookcase(LaneOptions.fixed(4), 20);
          library.unreachable.addAll(books.editions.keySet());
          MemorySink sink = new MemorySink();
          for (int run = 1; run <= 12; run++) {
            assertThat(collect(request(books), sink, store, library, time).outcome())
                .isInstanceOf(Outcome.Deferred.class);
            time.sleep(Duration.ofHours(7));
          }
          List<DetailGap> gaps =
              store.read(
                  transaction -> DetailGaps.list(transaction, "mine", Optional.empty(), 100));
          assertThat(gaps)
              .hasSize(20)
              .allMatch(gap -> gap.failures() == 0 && gap.state() == DetailGap.State.PENDING);
        });
  }

  private static DetailGap gap(Store store, String book) {
    return store
        .read(transaction -> DetailGaps.list(transaction, "mine", Optional.empty(), 100))
        .stream()
        .filter(each -> each.recordKey().equals(book))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whoever_waits_for_a_turn_when_the_run_is_cancelled_sends_nothing() {
    SimulatedTime.run(
        1,
        time -> {
          Library library = new Library(time);
          library.status = 429;
          library.retryAfter = "60";
          Store store = Store.inMemory(time);
          ProviderGates gates = new ProviderGates(store, time);
          Collector collector =
              new Collector(
                  request(new Bookcase(LaneOptions.fixed(1), 20)),
                  new MemorySink(),
                  store,
                  gates,
                  library,
                  time);
          Time.Task cancelling =
              time.start(
                  "cancel",
                  () -> {
                    try {
                      time.sleep(Duration.ofSeconds(5));
                      collector.cancel(Duration.ofSeconds(10));
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
          CollectionResult result = collector.run();
          assertThat(result.outcome()).isEqualTo(new Outcome.Cancelled());
          assertThat(library.asked).as("one was sent before anybody was told to wait").hasSize(1);
          cancelling.join();
          gates.close();
        });
  }

  @Test
  void what_is_missing_of_a_slice_outlives_a_death_between_sink_and_store() throws Exception {
    Path file = folder.resolve("books.db");
    SimulatedTime.run(
        1,
        time -> {
          Store store = Store.inMemory(time);
          // Dies at every step of the run in turn, until one run is not cut short.
          AtomicBoolean done = new AtomicBoolean();
          for (int life = 1; !done.get(); life++) {
            Library library = new Library(time);
            library.missing.add("3");
            MortalProcess process =
                new MortalProcess(
                    store,
                    library,
                    time,
                    life % 2 == 0
                        ? MortalProcess.Fate.KILLED_AFTER
                        : MortalProcess.Fate.KILLED_BEFORE,
                    life);
            try (Sink sink = SqlSink.at("jdbc:sqlite:" + file, new Properties(), time)) {
              process.run(
                  () -> {
                    Outcome outcome =
                        process
                            .collect(
                                request(new Bookcase(LaneOptions.fixed(1), 5))
                                    .withEnvelope(Envelope.UNBOUNDED.withRequestCap(4)),
                                sink)
                            .outcome();
                    done.set(
                        outcome instanceof Outcome.Deferred
                            || outcome instanceof Outcome.CompletedWithGaps);
                  });
            }
            time.sleep(Duration.ofMinutes(2));
          }
          List<String> there = texts(file);
          assertThat(there).doesNotHaveDuplicates().doesNotContain("3");
          List<DetailGap> open =
              store.read(
                  transaction ->
                      DetailGaps.list(
                          transaction, "mine", Optional.of(DetailGap.State.PENDING), 100));
          assertThat(open).extracting(DetailGap::recordKey).contains("3");
          open.forEach(gap -> there.add(gap.recordKey()));
          assertThat(there).as("had, or known to be missing").contains("1", "2", "3", "4", "5");
        });
  }

  private static List<String> texts(Path file) throws Exception {
    List<String> all = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select id from texts order by id")) {
      while (rows.next()) {
        all.add(rows.getString(1));
      }
    }
    return all;
  }
}
