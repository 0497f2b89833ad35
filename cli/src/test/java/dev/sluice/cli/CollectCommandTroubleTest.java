package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.LoopbackServer;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Request;
import dev.sluice.simulator.http.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What goes wrong when people collect: each trouble is told in words that say what to do, ends with
 * the exit code that the guide promises, and loses nothing.
 */
class CollectCommandTroubleTest {
  private static final int PAGES = 5;
  private static final Headers JSON = Headers.of("Content-Type", "application/json");

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private LoopbackServer server;

  private final List<Integer> asked = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Trouble> trouble = new AtomicReference<>();

  /** What the provider does with the third page instead of giving it. */
  private interface Trouble {
    Reply answer() throws InterruptedException;
  }

  @BeforeEach
  void start() throws IOException {
    server = LoopbackServer.start(0, this::serve, Time.real());
    connector("key: id");
    collection("into: {json-lines: data}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Reply serve(Request request) throws InterruptedException {
    Matcher cursor = Pattern.compile("cursor=t(\\d+)").matcher(request.target());
    int page = cursor.find() ? Integer.parseInt(cursor.group(1)) : 0;
    asked.add(page);
    Trouble current = trouble.get();
    return page == 2 && current != null ? current.answer() : page(page, page + 1);
  }

  private static Response page(int page, int next) {
    return Response.of(
        200,
        JSON,
        "{\"items\": [{\"id\": %d}, {\"id\": %d}], \"next\": %s}"
            .formatted(2 * page + 1, 2 * page + 2, next < PAGES ? "\"t" + next + "\"" : null));
  }

  private void connector(String key, String... more) throws IOException {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "connector: items",
                "provider: {base: \"" + server.address() + "\", timeout: 30s}",
                "streams:",
                "  items:",
                "    get: /items",
                "    records: $.items[*]",
                "    " + key,
                "    pages: {token: $.next, ask: query cursor}"));
    lines.addAll(List.of(more));
    Files.write(folder.resolve("items.yaml"), lines);
  }

  private void collection(String... more) throws IOException {
    List<String> lines = new ArrayList<>(List.of("collect: items.yaml", "as: mine"));
    lines.addAll(List.of(more));
    Files.write(folder.resolve("mine.yaml"), lines);
  }

  private Ran collect() {
    return Ran.of("collect", folder.resolve("mine.yaml").toString(), "--output", "json");
  }

  private Ran look(String... command) {
    return Ran.of(
        Stream.concat(Stream.of(command), Stream.of("--state", state().toString()))
            .toArray(String[]::new));
  }

  private Path state() {
    return folder.resolve(".sluice").resolve("state.db");
  }

  /** The ids of all records, in the order of the files. */
  private List<Integer> ids() throws IOException {
    List<Integer> ids = new ArrayList<>();
    if (Files.isDirectory(folder.resolve("data"))) {
      try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          assertThat(file.getFileName().toString()).endsWith(".jsonl");
          for (String line : Files.readAllLines(file)) {
            ids.add(JsonMapper.shared().readTree(line).path("id").asInt());
          }
        }
      }
    }
    return ids;
  }

  private static void assertEnd(Ran ran, ExitCode code, String... words) {
    assertThat(ran.code()).as(ran.toString()).isEqualTo(code.number());
    assertThat(ran.err()).doesNotContain("\tat ").doesNotContain("Exception");
    for (String word : words) {
      assertThat(ran.err()).contains(word);
    }
  }

  /** Refused before anybody was asked, and before anything was written. */
  private void assertRefused(Ran ran, String... words) {
    assertEnd(ran, ExitCode.BAD_ARGUMENTS, words);
    assertThat(ran.out()).isEmpty();
    assertThat(asked).isEmpty();
    assertThat(state()).doesNotExist();
    assertThat(folder.resolve("data")).doesNotExist();
  }

  /** Two pages are there and the bookmark is behind them. */
  private void assertStandsBeforeTheThirdPage(Ran ran, String outcome, String reason)
      throws IOException {
    assertThat(ran.json().path("outcome").asString()).isEqualTo(outcome);
    assertThat(ran.json().path("reason").asString()).isEqualTo(reason);
    assertThat(ran.json().path("tracks").path(0).path("cursor").asString()).contains("t2");
    assertThat(ids()).containsExactly(1, 2, 3, 4);
    assertThat(look("gaps").out()).contains("mine", "items");
    assertThat(look("runs").out()).contains("%s (%s)".formatted(outcome, reason));
  }

  private void reopenLane() {
    JsonNode lanes = look("status", "--output", "json").json();
    String lane = lanes.path("lanes").path(0).path("lane").asString();
    assertThat(lane).as(lanes.toString()).isNotEmpty();
    assertEnd(look("status", "--reopen", lane), ExitCode.DONE);
  }

  /** Once it is mended, the same command gets the rest, and only the rest. */
  private void assertGoesOn() throws IOException {
    trouble.set(null);
    asked.clear();
    reopenLane(); // instead of waiting for a minute until the provider has rested
    assertEnd(collect(), ExitCode.DONE);
    assertThat(asked).containsExactly(2, 3, 4);
    assertThat(ids())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 2 * PAGES).boxed().toList());
    assertThat(look("gaps").out()).contains("nothing is known to be missing");
  }

  @Test
  void a_typo_in_the_connector_is_told_with_its_line_and_what_was_meant() throws IOException {
    connector("kye: id");
    assertRefused(collect(), "items.yaml:7: ", "kye", "did you mean key?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "config: {from: yesterday}| from",
        "config: {most: many, from: 2024-01-01}| most",
        "config: {from: 2024-01-01, mots: 5}| mots",
      })
  void a_value_of_the_wrong_type_is_told_before_anybody_is_asked(String config, String word)
      throws IOException {
    connector("key: id", "config:", "  from: {type: date}", "  most: {type: int, default: \"5\"}");
    collection("into: {json-lines: data}", config);
    assertRefused(collect(), word);
  }

  @Test
  void a_secret_that_is_missing_is_named_before_anybody_is_asked() throws IOException {
    connector("key: id", "config: {token: {type: secret}}");
    assertRefused(collect(), "token");
    collection("into: {json-lines: data}", "config: {token: \"{env.SLUICE_TEST_NOT_SET}\"}");
    assertRefused(collect(), "SLUICE_TEST_NOT_SET, which is not set");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"items\": [{\"id\": 5}, {\"id",
        "{\"items\": \"none\", \"next\": null}",
        "{\"items\": [{}], \"next\": null}",
        "{\"ok\": false}"
      })
  void an_answer_that_is_cut_off_or_of_another_shape_fails_and_the_same_command_goes_on(String body)
      throws IOException {
    trouble.set(() -> Response.of(200, JSON, body));
    Ran ran = collect();
    assertEnd(
        ran,
        ExitCode.FAILED,
        "failed, because the service answered with something other than it declares");
    assertStandsBeforeTheThirdPage(ran, "failed", "unexpected_content");
    assertGoesOn();
  }

  @Test
  void a_page_for_people_is_deferred_as_pressure_and_the_same_command_goes_on() throws IOException {
    collection("into: {json-lines: data}", "run: {inline-wait: 100ms}");
    trouble.set(
        () ->
            Response.of(
                200,
                Headers.of("Content-Type", "text/html"),
                "<html><title>One moment</title></html>"));
    Ran ran = collect();
    assertEnd(
        ran,
        ExitCode.DEFERRED,
        "deferred, because",
        "127.0.0.1 answered with a page for people (HTML, titled 'One moment')",
        "the same command goes on from here");
    assertStandsBeforeTheThirdPage(ran, "deferred", "rate_limited");
    asked.clear();
    assertEnd(collect(), ExitCode.DEFERRED);
    assertThat(asked).as("it is left alone").isEmpty();
  }

  @Test
  @Tag("slow")
  void a_body_that_never_ends_is_given_up_in_time_and_the_same_command_goes_on()
      throws IOException {
    Path connector = folder.resolve("items.yaml");
    Files.writeString(
        connector, Files.readString(connector).replace("timeout: 30s", "timeout: 1s"));
    collection("into: {json-lines: data}", "run: {inline-wait: 100ms}");
    trouble.set(() -> page(2, 3).slowly(Duration.ofMinutes(5)));
    Ran ran = collect();
    assertEnd(ran, ExitCode.DEFERRED, "the service keeps failing");
    assertStandsBeforeTheThirdPage(ran, "deferred", "upstream_pressure");
    assertGoesOn();
  }

  @Test
  void pages_that_lead_back_end_with_what_is_wrong() {
    trouble.set(() -> page(2, 1));
    Ran ran = collect();
    assertEnd(ran, ExitCode.FAILED, "failed, because the service's pages go round in a circle");
    assertThat(ran.json().path("reason").asString()).isEqualTo("cursor_loop");
    assertThat(asked).hasSizeLessThan(20);
  }

  @ParameterizedTest
  @CsvSource({
    "401, NOT_SIGNED_IN, auth_failure, the service does not accept the credentials",
    "402, FAILED, quota_spent, the account's quota or credit is spent",
    "451, FAILED, suspended, the account is suspended",
  })
  void who_is_locked_out_is_told_asks_no_more_and_goes_on_when_somebody_has_acted(
      int status, ExitCode code, String reason, String words) throws IOException {
    connector(
        "key: id",
        "pacing:",
        "  answers:",
        "    - {when: status == 402, mean: stop, because: quota-spent}",
        "    - {when: status == 451, mean: stop, because: suspended}");
    trouble.set(() -> Response.of(status, JSON, "{}"));
    Ran ran = collect();
    assertEnd(ran, code, "failed, because " + words);
    assertStandsBeforeTheThirdPage(ran, "failed", reason);
    asked.clear();
    trouble.set(null);
    Ran again = collect();
    assertEnd(again, code, "failed, because " + words, "sluice status --state " + state());
    assertThat(asked).as("nothing is sent until somebody has acted").isEmpty();
    assertGoesOn();
  }

  @Test
  void the_same_collection_at_the_same_time_is_running_elsewhere() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    trouble.set(
        () -> {
          reading.countDown();
          assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
          return page(2, 3);
        });
    AtomicReference<@Nullable Ran> first = new AtomicReference<>();
    Time.Task collection = Time.real().start("first collection", () -> first.set(collect()));
    assertThat(reading.await(30, TimeUnit.SECONDS)).isTrue();
    int before = asked.size();
    Ran second = collect();
    assertEnd(second, ExitCode.RUNNING_ELSEWHERE, "another process is at this collection");
    assertThat(second.json().path("outcome").asString()).isEqualTo("already_running");
    assertThat(asked).as("whoever comes second does not trouble the provider").hasSize(before);
    goOn.countDown();
    collection.join();
    assertThat(first.get()).isNotNull().extracting(Ran::code).isEqualTo(0);
    assertThat(ids())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 2 * PAGES).boxed().toList());
  }

  @Test
  void a_folder_for_records_that_is_none_is_told_with_what_to_do() throws IOException {
    Files.createFile(folder.resolve("data"));
    Ran ran = collect();
    assertThat(ran.code()).as(ran.toString()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.err()).contains("something could not be written here", "name another folder");
    assertThat(ran.json().path("reason").asString()).isEqualTo("storage");
    assertThat(ran.json().path("tracks").path(0).has("cursor")).isFalse();
    Files.delete(folder.resolve("data"));
    assertEnd(collect(), ExitCode.DONE);
    assertThat(ids())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 2 * PAGES).boxed().toList());
  }

  @Test
  void a_database_for_records_that_cannot_be_made_is_told_with_what_to_do() throws IOException {
    collection("into: {sqlite: nowhere/records.db}");
    Ran ran = collect();
    assertEnd(ran, ExitCode.FAILED, "something could not be written here", "its folder must exist");
    assertThat(ran.json().path("reason").asString()).isEqualTo("storage");
    Files.createDirectory(folder.resolve("nowhere"));
    assertEnd(collect(), ExitCode.DONE);
  }

  /** All that a user sees of the command, log lines among it. */
  private String screen(ExitCode code, Map<String, String> environment) throws Exception {
    Path shown = folder.resolve("screen.txt");
    ProcessBuilder command = Ran.process("collect", folder.resolve("mine.yaml").toString());
    command.environment().putAll(environment);
    Process process = command.redirectErrorStream(true).redirectOutput(shown.toFile()).start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    String screen = Files.readString(shown);
    assertThat(process.exitValue()).as(screen).isEqualTo(code.number());
    assertThat(screen).doesNotContain("\tat ");
    return screen;
  }

  @Test
  void a_throttle_that_is_sat_out_leaves_nothing_on_the_screen() throws Exception {
    trouble.set(
        () -> {
          trouble.set(null);
          return Response.of(429, Headers.of("Retry-After", "1"), "");
        });
    assertThat(screen(ExitCode.DONE, Map.of()).lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("mine: "),
            line -> assertThat(line).startsWith("  0 failed, 1 refused, 1 retry, waited "),
            line -> assertThat(line).startsWith("  items: "));
    assertThat(asked).containsExactly(0, 1, 2, 2, 3, 4);
  }

  @Test
  void a_store_that_fails_under_a_run_is_told_in_one_sentence_without_a_stack_trace()
      throws Exception {
    assertEnd(collect(), ExitCode.DONE);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + state());
        Statement statement = connection.createStatement()) {
      boolean unused =
          statement.execute(
              "create trigger broken before update of ended on run"
                  + " begin select raise(abort, 'no more of this'); end");
    }
    assertThat(screen(ExitCode.FAILED, Map.of()).lines())
        .singleElement()
        .asString()
        .startsWith("sluice collect: the store %s failed (".formatted(state()))
        .contains("run the same command again");
  }

  @Test
  void a_state_file_that_is_none_is_told_and_left_as_it_is() throws IOException {
    Files.createDirectories(state().getParent());
    String letter = "Dear diary, today I was taken for a database.\n".repeat(100);
    Files.writeString(state(), letter);
    Ran ran = collect();
    assertEnd(ran, ExitCode.FAILED, "cannot be used", "move this one away");
    assertThat(asked).isEmpty();
    assertThat(Files.readString(state())).isEqualTo(letter);
  }

  @Test
  @Tag("slow")
  void an_answer_for_which_there_is_no_memory_fails_and_the_same_command_goes_on()
      throws Exception {
    String text = "x".repeat(40_000_000);
    trouble.set(
        () -> Response.of(200, JSON, "{\"items\": [{\"id\": 5, \"v\": \"" + text + "\"}]}"));
    assertThat(screen(ExitCode.FAILED, Map.of("JAVA_TOOL_OPTIONS", "-Xmx128m")))
        .contains("not enough memory", "smaller pages");
    assertGoesOn();
  }
}
