package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Pacing;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Providers that nobody would write on purpose. Whatever they do, a run ends in a bounded time and
 * says why it was slow, and every record is there, or is known to be missing; once the provider has
 * come to its senses, later runs get the rest.
 */
class BadProviderTest {
  private static final int ITEMS = 300;
  private static final Duration LATENCY = Duration.ofMillis(50);

  /** How the lane is paced. */
  enum Pace {
    LEARNED,
    DECLARED;

    Pacing pacing() {
      return this == LEARNED
          ? Pacing.learned()
          : (lane, memory) -> memory.paced(lane, PacerOptions.DEFAULTS);
    }
  }

  /** What it does with a request; null if it answers as it should. */
  private interface Mood {
    @Nullable WebAnswer answer(World world, WebRequest request)
        throws IOException, InterruptedException;
  }

  private static final class World implements Transport {
    private static final Pattern DETAIL = Pattern.compile("/items/([0-9]+)/comments");

    final Time time;
    final Store store;
    final MemorySink sink = new MemorySink();
    final Set<String> served = new HashSet<>();
    final int items;
    final Pacing pacing;
    private final Transport provider;
    private final long began;
    Mood mood;
    int sent;
    Duration refusedAt = Duration.ofDays(-1);
    int tooEarly; // requests in the first two seconds of a wait that was told
    String reasons = "";

    World(Time time, int items, Pacing pacing, Mood mood) {
      this.time = time;
      this.items = items;
      this.pacing = pacing;
      this.mood = mood;
      this.began = time.nanos();
      this.store = Store.inMemory(time);
      this.provider =
          new ProviderTransport(
              new Provider(
                  ProviderOptions.DEFAULTS.withCatalogue(
                      CatalogueOptions.DEFAULTS.withItems(items)),
                  time));
    }

    Duration age() {
      return Duration.ofNanos(time.nanos() - began);
    }

    static Optional<String> detail(WebRequest request) {
      Matcher found = DETAIL.matcher(request.uri().getPath());
      return found.matches() ? Optional.of(found.group(1)) : Optional.empty();
    }

    @Override
    public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
      sent++;
      WebAnswer other = mood.answer(this, request);
      time.sleep(LATENCY);
      if (other != null) {
        return other;
      }
      return serve(request);
    }

    WebAnswer serve(WebRequest request) throws IOException, InterruptedException {
      WebAnswer answer = provider.send(request);
      detail(request).ifPresent(served::add);
      return answer;
    }

    /** A run; what is said of its speed is looked at every second. */
    CollectionResult collect() throws InterruptedException {
      try (ProviderGates gates = new ProviderGates(store, time)) {
        Collector collector =
            new Collector(
                CollectionRequest.of("mine", Items.of(100).withComments().looking().paced(pacing)),
                sink,
                store,
                gates,
                this,
                time);
        Time.Bell over = time.bell();
        Time.Task watch =
            time.start(
                "watch",
                () -> {
                  try {
                    while (!over.await(time.deadline(Duration.ofSeconds(1)))) {
                      collector.reason().ifPresent(reason -> reasons += reason + "\n");
                    }
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
        CollectionResult result = collector.run();
        over.ring();
        watch.join();
        return result;
      }
    }

    List<DetailGap> gaps() {
      return store.read(
          transaction -> DetailGaps.list(transaction, "mine", Optional.empty(), items));
    }

    /** Every record is there with its details, or what is missing of it is on record. */
    void assertNothingIsLost() {
      Set<String> found = new HashSet<>(sink.keys("items"));
      if (found.size() < items) {
        assertThat(store.read(StreamGaps::all)).as("the rest of the list").isNotEmpty();
      }
      found.removeAll(served);
      gaps().forEach(gap -> found.remove(gap.recordKey()));
      assertThat(found).as("without details, and nobody knows").isEmpty();
    }

    /** The provider behaves: later runs get everything that is left. */
    void assertTheRestComes() throws InterruptedException {
      mood = (world, request) -> null;
      Outcome outcome = new Outcome.Cancelled();
      for (int run = 0; run < 12 && !outcome.equals(new Outcome.Completed()); run++) {
        time.sleep(Duration.ofHours(7));
        outcome = collect().outcome();
      }
      assertThat(outcome).isEqualTo(new Outcome.Completed());
      assertThat(sink.keys("items")).hasSize(items);
      assertThat(served).hasSize(items);
    }
  }

  private static WebAnswer answer(int status, String body, Object... headers) {
    Map<String, List<String>> all = new TreeMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i].toString(), List.of(headers[i + 1].toString()));
    }
    return new WebAnswer(
        status, HttpHeaders.of(all, (name, value) -> true), body.getBytes(StandardCharsets.UTF_8));
  }

  private static void play(Pace pace, int items, Mood mood, Duration most, Watching watching) {
    SimulatedTime.run(
        1,
        time -> {
          World world = new World(time, items, pace.pacing(), mood);
          CollectionResult result = world.collect();
          assertThat(world.age()).as("ended as %s", result.outcome()).isLessThan(most);
          world.assertNothingIsLost();
          watching.look(world, result);
          world.assertTheRestComes();
        });
  }

  private interface Watching {
    void look(World world, CollectionResult result);
  }

  /** Another mind every minute. */
  private static @Nullable WebAnswer whim(World world) throws IOException {
    long minute = world.age().toMinutes();
    if (minute > 60) {
      return null;
    }
    return switch ((int) minute % 9) {
      case 0 -> world.sent % 3 == 0 ? answer(429, "", "Retry-After", 1) : null;
      case 1 -> answer(503, "<html>busy</html>", "Content-Type", "text/html");
      case 2 ->
          answer(
              429,
              "",
              "X-RateLimit-Limit",
              world.sent % 2 == 0 ? "1000000000000" : "1",
              "X-RateLimit-Remaining",
              "999",
              "X-RateLimit-Reset",
              "-5");
      case 3 -> world.sent % 2 == 0 ? answer(500, "{") : null;
      case 4 -> answer(403, "<html>who are you</html>", "Content-Type", "text/html");
      case 5 -> answer(429, "", "RateLimit", "limit=0, remaining=NaN, reset=Infinity");
      case 6 -> answer(200, "<html>login</html>", "Content-Type", "text/html");
      case 7 -> {
        if (world.sent % 2 == 0) {
          throw new IOException("connection reset");
        }
        yield answer(502, "");
      }
      default -> answer(429, "", "Retry-After", "0");
    };
  }

  @ParameterizedTest
  @EnumSource
  void a_provider_that_changes_its_mind_every_minute_is_left_in_time_and_nothing_is_lost(
      Pace pace) {
    play(
        pace,
        ITEMS,
        (world, request) -> whim(world),
        Duration.ofHours(2),
        (world, result) -> {
          RequestCounts met = result.progress().met();
          assertThat(met.refused() + met.failed()).isPositive();
          assertThat(world.reasons).isNotEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_provider_that_refuses_everything_for_an_hour_is_probed_a_few_times_and_then_collected(
      Pace pace) {
    play(
        pace,
        ITEMS,
        (world, request) ->
            world.age().compareTo(Duration.ofSeconds(2)) > 0
                    && world.age().compareTo(Duration.ofHours(1)) < 0
                ? answer(429, "")
                : null,
        Duration.ofHours(2),
        (world, result) -> {
          assertThat(world.reasons).contains("refuse");
          assertThat(result.progress().met().refused()).isBetween(1L, 120L);
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_provider_that_never_answers_is_given_up_in_time(Pace pace) {
    play(
        pace,
        ITEMS,
        (world, request) -> {
          world.time.sleep(request.timeout());
          throw new HttpTimeoutException("no answer in time");
        },
        Duration.ofHours(1),
        (world, result) -> {
          assertThat(result.outcome()).isInstanceOf(Outcome.Deferred.class);
          assertThat(result.outcome().detail()).isNotBlank();
          assertThat(world.reasons).contains("for an answer");
          assertThat(result.progress().met().failed()).isPositive();
        });
  }

  @ParameterizedTest
  @CsvSource({"LEARNED, 23", "LEARNED, -23", "DECLARED, 23", "DECLARED, -23"})
  void a_provider_whose_clock_is_a_day_off_is_waited_for_as_long_as_it_means(Pace pace, int hours) {
    play(
        pace,
        ITEMS,
        (world, request) -> skewed(world, request, Duration.ofHours(hours)),
        Duration.ofMinutes(20),
        (world, result) -> {
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(result.progress().met().refused()).isPositive();
          assertThat(world.tooEarly).isZero();
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_date_beyond_belief_defers_the_run_and_says_for_how_long(Pace pace) {
    play(
        pace,
        ITEMS,
        (world, request) -> skewed(world, request, Duration.ofHours(25)),
        Duration.ofMinutes(20),
        (world, result) -> {
          assertThat(result.outcome()).isInstanceOf(Outcome.Deferred.class);
          assertThat(result.outcome().detail()).contains("is held back for another 25h");
        });
  }

  /** Every fiftieth request is to wait for three seconds, as a date on its own clock. */
  private static WebAnswer skewed(World world, WebRequest request, Duration ahead)
      throws IOException, InterruptedException {
    String its = http(world.time.instant().plus(ahead));
    Duration since = world.age().minus(world.refusedAt);
    if (since.compareTo(LATENCY.multipliedBy(2)) > 0
        && since.compareTo(Duration.ofSeconds(2)) < 0) {
      world.tooEarly++;
    }
    if (world.sent % 50 == 49) {
      world.refusedAt = world.age();
      String until = http(world.time.instant().plus(ahead).plusSeconds(3));
      return answer(429, "", "Date", its, "Retry-After", until);
    }
    WebAnswer served = world.serve(request);
    return answer(
        served.status(),
        new String(served.body(), StandardCharsets.UTF_8),
        "Content-Type",
        "application/json",
        "Date",
        its);
  }

  private static String http(Instant time) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));
  }

  private static Mood poison(int oneIn) {
    return (world, request) ->
        World.detail(request).filter(id -> Integer.parseInt(id) % oneIn == 0).isPresent()
            ? answer(500, "")
            : null;
  }

  @ParameterizedTest
  @EnumSource
  void thousands_of_records_that_always_fail_are_gaps_after_the_first_run(Pace pace) {
    int items = 6_000;
    play(
        pace,
        items,
        poison(3),
        Duration.ofHours(2),
        (world, result) -> {
          assertThat(world.sink.keys("items")).hasSize(items);
          assertThat(result.openGaps()).isEqualTo(items / 3);
          assertThat(result.progress().met().failed()).isGreaterThanOrEqualTo(items / 3);
        });
  }

  @ParameterizedTest
  @EnumSource
  void if_every_second_record_always_fails_the_run_is_deferred_in_time(Pace pace) {
    play(
        pace,
        ITEMS,
        poison(2),
        Duration.ofHours(2),
        (world, result) -> {
          assertThat(result.outcome().detail()).isNotBlank();
          assertThat(world.reasons).contains("the circuit is open");
        });
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 PT0S 0 0",
    "Infinity, Infinity PT0S 0 1",
    "NaN, NaN PT0S -1 7",
    "-3, -3 PT0S 3 0.5",
    "1e-300, 1e-300 PT0S 1 1",
    "1e300, 1e300 PT0S 2147483647 1",
    "many, v9:{rate:{p50:3}} and more",
    "5, ''",
  })
  void a_profile_of_a_newer_version_or_of_zero_or_of_infinity_harms_nobody(
      String rate, String profile) {
    for (Pace pace : Pace.values()) {
      SimulatedTime.run(
          1,
          time -> {
            World world = new World(time, ITEMS, pace.pacing(), (there, request) -> null);
            world.store.write(
                transaction ->
                    transaction.update(
                        "insert into lane (name, rate, rate_proven, profile, hold_cause, updated)"
                            + " values ('simulated', ?, ?, ?, 'a_cause_of_tomorrow', ?)",
                        rate,
                        transaction.now(),
                        profile,
                        transaction.now()));
            assertThat(world.collect().outcome()).isEqualTo(new Outcome.Completed());
            assertThat(world.age()).isLessThan(Duration.ofMinutes(30));
            assertThat(world.served).hasSize(ITEMS);
          });
    }
  }

  @Test
  void a_provider_that_behaves_takes_a_few_minutes_at_most() {
    play(
        Pace.DECLARED,
        ITEMS,
        (world, request) -> null,
        Duration.ofMinutes(5),
        (world, result) -> assertThat(result.outcome()).isEqualTo(new Outcome.Completed()));
  }
}
