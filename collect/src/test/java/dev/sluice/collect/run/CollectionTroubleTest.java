package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.sql.SqlSink;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.collect.yaml.request.PageReader;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.Reason.Failure;
import dev.sluice.runs.store.PostgresServer;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.StoreException.Problem;
import dev.sluice.runs.store.Work;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What goes wrong while a collection runs, at its provider and here: every trouble has its outcome
 * and its reason, the bookmark stays behind the last slice that is whole, and once the trouble is
 * over the next run goes on from there, so that every record is there once.
 */
class CollectionTroubleTest {
  private static final int PAGES = 5;
  private static final Track TRACK = new Track("mine", "items", "", Mode.STEADY);

  /** Two items to a page, each page a slice that leads to the next. */
  private static final String BY_TOKEN = "{token: $.next, ask: query cursor}";

  /** The same pages by their numbers: all of them are one slice. */
  private static final String BY_NUMBER = "{number: query cursor, first: 0, until: page >= $.last}";

  /** What the provider does to a page instead of giving it. */
  private interface Trouble {
    WebAnswer answer(WebRequest request) throws IOException;
  }

  private interface Story {
    void happen(Scene scene) throws Exception;
  }

  /** A provider of five pages that has trouble with the third, and processes that ask it. */
  private static final class Scene {
    final SimulatedTime time;
    final Store store;
    final MemorySink sink = new MemorySink();
    final List<String> asked = new ArrayList<>();
    private final String pages;
    private @Nullable Trouble trouble;

    Scene(SimulatedTime time, String pages) {
      this.time = time;
      this.store = Store.inMemory(time);
      this.pages = pages;
    }

    void trouble(Trouble other) {
      trouble = other;
    }

    void mend() {
      trouble = null;
      asked.clear();
    }

    WebAnswer send(WebRequest request) throws IOException {
      Matcher cursor = Pattern.compile("cursor=t?(\\d+)").matcher(request.uri().toString());
      int page = cursor.find() ? Integer.parseInt(cursor.group(1)) : 0;
      asked.add("page " + page);
      return trouble != null && page == 2 ? trouble.answer(request) : page(page);
    }

    CollectionRequest request(String... more) throws Exception {
      String file =
          """
          connector: items
          provider: {base: "http://127.0.0.1:8089"}
          streams:
            items: {get: /items, records: "$.items[*]", key: id, pages: %s}
          """
              .formatted(pages);
      return CollectionRequest.of(
          "mine",
          ConnectorFile.parse("items.yaml", file + String.join("\n", more))
              .bind(Map.of(), this::send, time));
    }

    CollectionResult collect(String... more) throws Exception {
      return collect(request(more), sink, store, this::send);
    }

    CollectionResult collect(CollectionRequest request, Sink into, Store state, Transport transport)
        throws Exception {
      try (ProviderGates gates = new ProviderGates(state, time)) {
        return new Collector(request, into, state, gates, transport, time).run();
      }
    }

    Optional<String> bookmark() {
      return store
          .read(transaction -> Bookmarks.find(transaction, TRACK))
          .flatMap(Bookmark::cursor);
    }

    /** Whether all pages are committed, whatever became of the run that did so. */
    boolean isWhole() {
      Optional<Bookmark> last = store.read(transaction -> Bookmarks.find(transaction, TRACK));
      return last.isPresent() && last.get().cursor().isEmpty();
    }

    List<StreamGap> gaps() {
      return store.read(transaction -> StreamGaps.of(transaction, "mine"));
    }

    void reopenLanes() {
      store.write(
          transaction -> {
            Lanes.all(transaction).forEach(lane -> Lanes.reopen(transaction, lane.name()));
            return null;
          });
    }

    /** Two slices are whole, and the next run goes on behind them. */
    void assertStandsBeforeTheThirdPage(CollectionResult result) {
      assertThat(sink.keys("items")).containsExactly("1", "2", "3", "4");
      assertThat(bookmark()).hasValueSatisfying(place -> assertThat(place).contains("t2"));
      assertThat(result.tracks().getFirst().cursor()).isEqualTo(bookmark());
      assertThat(gaps())
          .singleElement()
          .satisfies(
              gap -> {
                assertThat(gap.reason()).isEqualTo(result.outcome().reason());
                assertThat(gap.cursor()).isEqualTo(bookmark());
              });
    }

    /** Once it is mended, the next run reads what is missing, and nothing else. */
    void assertGoesOn() throws Exception {
      mend();
      time.sleep(Duration.ofHours(7)); // longer than any cooldown
      assertThat(collect().outcome()).isEqualTo(new Outcome.Completed());
      assertThat(asked).containsExactly("page 2", "page 3", "page 4");
      assertThat(sink.keys("items")).containsExactlyElementsOf(everyItem());
      assertThat(gaps()).isEmpty();
    }
  }

  private static List<String> everyItem() {
    return IntStream.rangeClosed(1, 2 * PAGES).mapToObj(String::valueOf).toList();
  }

  private static void play(Story story) {
    play(BY_TOKEN, story);
  }

  private static void play(String pages, Story story) {
    SimulatedTime.run(1, time -> story.happen(new Scene(time, pages)));
  }

  private static WebAnswer page(int number) {
    return page(number, number + 1 < PAGES ? "\"t" + (number + 1) + "\"" : "null");
  }

  private static WebAnswer page(int number, String next) {
    return answer(
        200,
        "{\"items\": [{\"id\": %d}, {\"id\": %d}], \"next\": %s, \"last\": %d}"
            .formatted(2 * number + 1, 2 * number + 2, next, PAGES - 1));
  }

  private static WebAnswer answer(int status, String body, String... headers) {
    Map<String, List<String>> fields = new HashMap<>();
    fields.put("Content-Type", List.of("application/json"));
    for (int i = 0; i < headers.length; i += 2) {
      fields.put(headers[i], List.of(headers[i + 1]));
    }
    return new WebAnswer(
        status,
        HttpHeaders.of(fields, (name, value) -> true),
        body.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertFailed(CollectionResult result, Failure reason) {
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Failed.class, end -> assertThat(end.reason()).isEqualTo(reason));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"items\": [{\"id\": 5}, {\"id",
        "{\"items\": {\"id\": 5}, \"next\": \"t3\"}",
        "{\"items\": [5, 6], \"next\": \"t3\"}",
        "{\"items\": [{\"name\": \"without an id\"}], \"next\": \"t3\"}",
        "{\"error\": \"nobody has thought of this\"}",
        "",
      })
  void an_answer_that_is_cut_off_or_of_another_shape_fails_the_stream_where_it_stands(String body) {
    play(
        scene -> {
          scene.trouble(request -> answer(200, body));
          CollectionResult result = scene.collect();
          assertFailed(result, Failure.UNEXPECTED_CONTENT);
          assertThat(result.outcome().detail()).isNotBlank().doesNotContain("nobody has thought");
          scene.assertStandsBeforeTheThirdPage(result);
          scene.assertGoesOn();
        });
  }

  @Test
  void an_answer_larger_than_any_page_fails_the_stream_where_it_stands() {
    play(
        scene -> {
          byte[] huge = new byte[PageReader.LARGEST_BODY + 1];
          Arrays.fill(huge, (byte) ' ');
          WebAnswer answer = answer(200, "");
          scene.trouble(request -> new WebAnswer(200, answer.headers(), huge));
          CollectionResult result = scene.collect();
          assertFailed(result, Failure.UNEXPECTED_CONTENT);
          assertThat(result.outcome().detail()).contains("ask for smaller pages");
          scene.assertStandsBeforeTheThirdPage(result);
          scene.assertGoesOn();
        });
  }

  @Test
  void a_page_for_people_where_json_is_due_is_pressure_and_never_an_empty_page() {
    play(
        scene -> {
          scene.trouble(
              request ->
                  answer(200, "<html>One moment, please</html>", "Content-Type", "text/html"));
          CollectionResult result = scene.collect();
          assertThat(result.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Deferred.class,
                  end -> assertThat(end.reason()).isInstanceOf(Reason.Pressure.class));
          scene.assertStandsBeforeTheThirdPage(result);
          scene.assertGoesOn();
        });
  }

  @ParameterizedTest
  @CsvSource({"403, FORBIDDEN", "404, NOT_FOUND", "410, NOT_FOUND", "400, INVALID", "302, INVALID"})
  void a_list_that_is_refused_fails_with_what_was_said(int status, Failure reason) {
    play(
        "{token: $.next, ask: query cursor, token-dies: fail}",
        scene -> {
          scene.trouble(request -> answer(status, "{}"));
          CollectionResult result = scene.collect();
          assertFailed(result, reason);
          scene.assertStandsBeforeTheThirdPage(result);
          scene.assertGoesOn();
        });
  }

  @Test
  void a_place_that_the_provider_no_longer_knows_sends_the_walk_back_and_loses_nothing() {
    play(
        scene -> {
          boolean[] died = {false};
          scene.trouble(
              request -> {
                if (died[0]) {
                  return page(2);
                }
                died[0] = true;
                return answer(410, "{\"error\": \"cursor_expired\"}");
              });
          assertThat(scene.collect().outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.asked)
              .containsExactly(
                  "page 0", "page 1", "page 2", "page 0", "page 1", "page 2", "page 3", "page 4");
          assertThat(scene.sink.keys("items"))
              .as("what was read before comes again, with the same keys")
              .startsWith("1", "2", "3", "4", "1", "2")
              .containsOnlyOnceElementsOf(everyItem().subList(4, 10));
        });
  }

  @Test
  void pages_that_lead_back_end_the_stream_before_they_are_read_for_ever() {
    play(
        scene -> {
          scene.trouble(request -> page(2, "\"t1\""));
          CollectionResult result = scene.collect();
          assertFailed(result, Failure.CURSOR_LOOP);
          assertThat(scene.asked).hasSizeLessThan(20);
          assertThat(scene.sink.keys("items")).startsWith("1", "2", "3", "4", "5", "6");
          assertThat(result.tracks().getFirst().cursor()).isEqualTo(scene.bookmark());
        });
  }

  @Test
  void pages_without_records_that_never_end_do_end() {
    play(
        scene -> {
          int[] page = {100};
          Transport endless =
              request -> answer(200, "{\"items\": [], \"next\": \"t%d\"}".formatted(++page[0]));
          CollectionResult result =
              scene.collect(scene.request(), scene.sink, scene.store, endless);
          assertFailed(result, Failure.CURSOR_LOOP);
          assertThat(page[0]).isLessThan(2_000);
          assertThat(scene.sink.keys("items")).isEmpty();
        });
  }

  @Test
  void pages_with_records_that_never_end_are_cut_by_the_envelope_and_gone_on_with() {
    play(
        scene -> {
          int[] page = {0};
          Transport endless = request -> page(page[0]++, "\"t" + page[0] + "\"");
          CollectionRequest bounded =
              scene.request().withEnvelope(Envelope.UNBOUNDED.withRequestCap(100));
          for (int run = 1; run <= 3; run++) {
            CollectionResult result = scene.collect(bounded, scene.sink, scene.store, endless);
            assertThat(result.outcome().reason()).isEqualTo(Reason.Planned.REQUEST_CAP);
            assertThat(scene.sink.keys("items")).hasSize(200 * run).doesNotHaveDuplicates();
          }
        });
  }

  @Test
  void a_credential_that_dies_within_a_slice_gives_up_that_slice_and_closes_the_lane() {
    play(
        BY_NUMBER,
        scene -> {
          scene.trouble(request -> answer(401, "{}"));
          CollectionResult result = scene.collect();
          assertFailed(result, Failure.AUTH_FAILURE);
          assertThat(scene.asked).containsExactly("page 0", "page 1", "page 2");
          assertThat(scene.sink.keys("items")).as("half a slice is none").isEmpty();
          assertThat(scene.bookmark()).isEmpty();
          scene.mend();
          assertFailed(scene.collect(), Failure.AUTH_FAILURE);
          assertThat(scene.asked).as("until somebody has acted").isEmpty();
          scene.reopenLanes();
          assertThat(scene.collect().outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyItem());
        });
  }

  @Test
  void an_access_token_that_dies_within_a_slice_is_renewed_and_the_slice_goes_on() {
    play(
        BY_NUMBER,
        scene -> {
          List<String> issued = new ArrayList<>();
          Transport provider =
              request -> {
                if (request.uri().getPath().equals("/token")) {
                  issued.add("a" + issued.size());
                  return answer(
                      200,
                      "{\"access_token\": \"%s\", \"expires_in\": 3600}"
                          .formatted(issued.getLast()));
                }
                // The first token is withdrawn before the third page, long before it expires.
                boolean dead =
                    request.uri().toString().endsWith("cursor=2")
                        && request.headers().contains("Bearer a0");
                return dead ? answer(401, "{}") : scene.send(request);
              };
          CollectionRequest request =
              CollectionRequest.of(
                  "mine",
                  ConnectorFile.parse(
                          "items.yaml",
                          """
                          connector: items
                          config: {secret: {type: secret}}
                          provider:
                            base: http://127.0.0.1:8089
                            auth:
                              oauth2:
                                grant: client-credentials
                                token-url: http://127.0.0.1:8089/token
                                client-id: me
                                client-secret: "{config.secret}"
                          streams:
                            items: {get: /items, records: "$.items[*]", key: id, pages: %s}
                          """
                              .formatted(BY_NUMBER))
                      .bind(Map.of("secret", "s"), provider, scene.time));
          CollectionResult result = scene.collect(request, scene.sink, scene.store, provider);
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(issued).containsExactly("a0", "a1");
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyItem());
        });
  }

  @ParameterizedTest
  @CsvSource({
    "402, SUSPENDED, suspended",
    "429, QUOTA_SPENT, quota-spent",
  })
  void an_account_that_is_closed_is_not_asked_for_again_until_somebody_has_acted(
      int status, Failure reason, String because) {
    play(
        scene -> {
          String rule =
              "pacing: {answers: [{when: \"status == %d and body contains 'closed'\", mean: stop, because: %s}]}"
                  .formatted(status, because);
          scene.trouble(request -> answer(status, "{\"error\": \"closed\"}"));
          CollectionResult result = scene.collect(rule);
          assertFailed(result, reason);
          scene.assertStandsBeforeTheThirdPage(result);
          scene.asked.clear();
          scene.time.sleep(Duration.ofDays(1));
          CollectionResult again = scene.collect(rule);
          assertFailed(again, reason);
          assertThat(scene.asked).isEmpty();
          scene.assertStandsBeforeTheThirdPage(again);
          scene.reopenLanes();
          scene.assertGoesOn();
        });
  }

  /** A store that is gone after so many writes, until it is back. */
  private static final class VanishingStore implements Store {
    private final Store disk;
    private int left;

    VanishingStore(Store disk, int left) {
      this.disk = disk;
      this.left = left;
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> work) {
      if (left-- <= 0) {
        throw new StoreException(Problem.UNREACHABLE, "the store does not answer", null);
      }
      return disk.write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) {
      if (left <= 0) {
        throw new StoreException(Problem.UNREACHABLE, "the store does not answer", null);
      }
      return disk.read(work);
    }

    @Override
    public void close() {}
  }

  @Test
  void a_store_that_is_gone_at_any_write_costs_at_most_the_slice_under_way() {
    int writes = 0;
    boolean survived = false;
    while (!survived) {
      int left = writes++;
      boolean[] done = {false};
      play(
          scene -> {
            try {
              CollectionResult result =
                  scene.collect(
                      scene.request(),
                      scene.sink,
                      new VanishingStore(scene.store, left),
                      scene::send);
              done[0] = result.outcome().equals(new Outcome.Completed());
              if (!done[0]) {
                assertFailed(result, Failure.STORAGE);
              }
            } catch (StoreException e) {
              assertThat(e.problem()).isEqualTo(Problem.UNREACHABLE);
            }
            if (!scene.isWhole()) {
              scene.time.sleep(Duration.ofMinutes(2)); // its leases have expired
              assertThat(scene.collect().outcome()).isEqualTo(new Outcome.Completed());
            }
            assertThat(scene.sink.keys("items"))
                .as("gone after %d writes", left)
                .containsExactlyElementsOf(everyItem());
          });
      survived = done[0];
    }
    assertThat(writes).as("every write of a run was the last one once").isGreaterThan(PAGES + 4);
  }

  @Test
  void a_database_for_records_whose_disk_is_full_costs_only_the_slice_and_says_so(
      @TempDir Path folder) {
    play(
        scene -> {
          String url = "jdbc:sqlite:" + folder.resolve("records.db");
          String note = "x".repeat(30_000);
          boolean[] large = {true};
          Transport verbose =
              request -> {
                WebAnswer answer = scene.send(request);
                boolean third = large[0] && request.uri().toString().contains("t2");
                return third
                    ? answer(200, answer.text().replace("}, {", ", \"note\": \"" + note + "\"}, {"))
                    : answer;
              };
          try (Sink small = SqlSink.at(url + "?max_page_count=10", new Properties(), scene.time)) {
            CollectionResult result = scene.collect(scene.request(), small, scene.store, verbose);
            assertFailed(result, Failure.STORAGE);
            assertThat(result.outcome().detail()).contains("the disk is full; make room");
            assertThat(scene.bookmark()).hasValueSatisfying(at -> assertThat(at).contains("t2"));
          }
          assertThat(ids(url, new Properties(), "items")).containsExactly("1", "2", "3", "4");
          large[0] = false;
          try (Sink roomy = SqlSink.at(url, new Properties(), scene.time)) {
            assertThat(scene.collect(scene.request(), roomy, scene.store, verbose).outcome())
                .isEqualTo(new Outcome.Completed());
          }
          assertThat(ids(url, new Properties(), "items")).containsExactlyElementsOf(everyItem());
        });
  }

  @Test
  void a_database_server_for_records_that_breaks_off_costs_only_the_slice_and_says_so()
      throws SQLException {
    String url = PostgresServer.running().url();
    Properties login = new Properties();
    login.setProperty("user", PostgresServer.LOGIN.user());
    login.setProperty("password", PostgresServer.LOGIN.password());
    login.setProperty("ApplicationName", "records that break off");
    login.setProperty("currentSchema", "trouble_test");
    sql(url, login, "drop schema if exists trouble_test cascade");
    sql(url, login, "create schema trouble_test");
    play(
        scene -> {
          scene.trouble(
              request -> {
                try {
                  sql(
                      url,
                      login,
                      "select pg_terminate_backend(pid) from pg_stat_activity where pid <>"
                          + " pg_backend_pid() and application_name = 'records that break off'");
                } catch (SQLException e) {
                  throw new IOException(e);
                }
                return page(2);
              });
          try (Sink tables = SqlSink.at(url, login, scene.time)) {
            CollectionResult result =
                scene.collect(scene.request(), tables, scene.store, scene::send);
            assertFailed(result, Failure.STORAGE);
            assertThat(result.outcome().detail())
                .contains("cannot be reached", "run the same command again");
            assertThat(scene.bookmark()).hasValueSatisfying(at -> assertThat(at).contains("t2"));
            assertThat(ids(url, login, "items")).containsExactly("1", "2", "3", "4");
            scene.mend();
            assertThat(scene.collect(scene.request(), tables, scene.store, scene::send).outcome())
                .isEqualTo(new Outcome.Completed());
          }
          assertThat(scene.asked).containsExactly("page 2", "page 3", "page 4");
          assertThat(ids(url, login, "items")).containsExactlyElementsOf(everyItem());
        });
  }

  private static void sql(String url, Properties login, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, login);
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  private static List<String> ids(String url, Properties login, String table) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, login);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select id from " + table + " order by id")) {
      List<String> ids = new ArrayList<>();
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
      return ids;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-3, 3})
  void a_clock_that_is_set_between_runs_loses_nothing(long hours) {
    play(
        scene -> {
          scene.trouble(request -> answer(429, "{}", "Retry-After", "600"));
          CollectionResult result = scene.collect();
          assertThat(result.outcome().reason()).isEqualTo(Reason.Pressure.RATE_LIMITED);
          scene.assertStandsBeforeTheThirdPage(result);
          scene.time.jumpWallClock(Duration.ofHours(hours));
          scene.assertGoesOn();
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {-3, 3})
  void a_clock_that_is_set_within_a_run_loses_nothing(long hours) {
    play(
        scene -> {
          boolean[] jumped = {false};
          scene.trouble(
              request -> {
                if (!jumped[0]) {
                  jumped[0] = true;
                  scene.time.jumpWallClock(Duration.ofHours(hours));
                }
                return page(2);
              });
          CollectionResult result = scene.collect();
          if (!result.outcome().equals(new Outcome.Completed())) {
            scene.time.sleep(Duration.ofHours(7));
            assertThat(scene.collect().outcome()).isEqualTo(new Outcome.Completed());
          }
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyItem());
          assertThat(scene.gaps()).isEmpty();
        });
  }

  @Test
  void a_file_with_a_mistake_never_becomes_a_collection() {
    assertThatThrownBy(
            () ->
                ConnectorFile.parse(
                    "items.yaml",
                    """
                    connector: items
                    provider: {base: "http://127.0.0.1:8089"}
                    streams:
                      items: {get: /items, record: "$.items[*]", key: id}
                    """))
        .hasMessageContaining("did you mean records?");
  }
}
