package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import dev.sluice.simulator.provider.http.ProviderServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code sluice collect} and what looks into its store, against a simulated provider on loopback.
 */
class CollectCommandTest {
  private static final int ITEMS = 30;
  private static final List<String> CONNECTOR =
      List.of(
          "connector: items",
          "version: 1",
          "config:",
          "  port: {type: int}",
          "provider:",
          "  base: http://127.0.0.1:{config.port}",
          "streams:",
          "  items:",
          "    get: /items",
          "    query: {sort: updated_at, limit: 10}",
          "    records: $.items[*]",
          "    key: id",
          "    cursor: {field: updated_at, as: instant, ask: query updated_since}",
          "    pages: {token: $.next_cursor, ask: query cursor}",
          "  comments:",
          "    for-each: items",
          "    get: /items/{parent.id}/comments",
          "    records: $.items[*]",
          "    key: id",
          "    pages: {token: $.next_cursor, ask: query cursor}",
          "pacing: {start: 500/s, ceiling: 1000/s}");

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private ProviderServer server;

  private record Ran(int code, String out, String err) {}

  @BeforeEach
  void start() throws IOException {
    ProviderOptions options =
        ProviderOptions.DEFAULTS.withCatalogue(CatalogueOptions.DEFAULTS.withItems(ITEMS));
    server = ProviderServer.start(new Provider(options, Time.real()), Time.real(), 0);
    Files.write(folder.resolve("items.yaml"), CONNECTOR);
    collection("into: {json-lines: data}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Path collection(String... more) throws IOException {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "collect: items.yaml",
                "as: mine",
                "config: {port: " + server.address().getPort() + "}"));
    lines.addAll(Arrays.asList(more));
    return Files.write(folder.resolve("mine.yaml"), lines);
  }

  private Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Sluice.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Ran(code, out.toString(), err.toString());
  }

  private Ran collect(String... more) {
    return run(
        Stream.concat(
                Stream.of("collect", folder.resolve("mine.yaml").toString()), Arrays.stream(more))
            .toArray(String[]::new));
  }

  private Ran look(String... command) {
    return run(
        Stream.concat(
                Arrays.stream(command),
                Stream.of("--state", folder.resolve(".sluice/state.db").toString()))
            .toArray(String[]::new));
  }

  private static JsonNode json(Ran ran) {
    return JsonMapper.shared().readTree(ran.out);
  }

  /** The ids of a stream's records, in all files that are finished. */
  private List<Integer> ids(String stream) throws IOException {
    List<Integer> ids = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        assertThat(name).endsWith(".jsonl");
        if (name.startsWith(stream)) {
          for (String line : Files.readAllLines(file)) {
            ids.add(JsonMapper.shared().readTree(line).path("id").asInt());
          }
        }
      }
    }
    return ids;
  }

  @Test
  void everything_is_collected_once_and_a_second_run_finds_nothing_new() throws IOException {
    Ran first = collect("--output", "json");
    assertThat(first.code).as(first.err).isZero();
    assertThat(json(first).path("outcome").asString()).isEqualTo("completed");
    assertThat(ids("items"))
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, ITEMS).boxed().toList());
    assertThat(ids("comments")).isNotEmpty().doesNotHaveDuplicates();
    assertThat(collect().code).isZero();
  }

  @Test
  void a_spent_request_cap_is_deferred_with_gaps_that_the_next_run_closes() throws IOException {
    Ran first = collect("--max-requests", "5", "--output", "json");
    assertThat(first.code).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(first.err).contains("it made as many requests as it may");
    assertThat(json(first).path("reason").asString()).isEqualTo("request_cap");
    JsonNode gaps = json(look("gaps", "--output", "json"));
    assertThat(gaps.path("streams").path(0).path("planned").asBoolean()).isTrue();
    assertThat(gaps.path("details").path(0).path("count").asInt()).isEqualTo(6);
    assertThat(look("gaps").out).contains("mine", "items", "comments", "pending");
    assertThat(look("gaps", "explain", "mine").out).contains("comments", "pending");
    assertThat(look("gaps", "requeue", "mine").out).contains("0 will be tried again");
    assertThat(look("runs").out).contains("collect", "mine", "deferred (request_cap)");
    assertThat(look("status").out).contains("127.0.0.1", "free");
    assertThat(collect().code).isZero();
    assertThat(look("gaps").out).contains("nothing is known to be missing");
    assertThat(ids("items")).hasSize(ITEMS).doesNotHaveDuplicates();
    assertThat(ids("comments")).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{sqlite: records.db}", "{state: tables}"})
  void records_go_into_tables(String into) throws IOException {
    collection("into: " + into);
    Ran ran = collect();
    assertThat(ran.code).as(ran.err).isZero();
    assertThat(ran.out).contains("mine: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "into: {json-line: data} | into.json-line is not known; did you mean json-lines?",
        "into: {json-lines: data, sqlite: a.db} | into names 2 places, but must name one",
        "run: {max-requests: many} | run.max-requests is 'many', but must be a whole number",
        "ass: theirs | ass is not known; did you mean as?"
      })
  void a_mistake_in_the_collection_is_told_with_its_line(String line, String message)
      throws IOException {
    collection(line);
    Ran ran = collect();
    assertThat(ran.code).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err).contains("mine.yaml:4: " + message);
  }

  @Test
  void a_variable_that_is_not_set_is_named() throws IOException {
    Files.write(
        folder.resolve("mine.yaml"),
        List.of(
            "collect: items.yaml",
            "as: mine",
            "config: {port: \"{env.SLUICE_TEST_NOT_SET}\"}",
            "into: {json-lines: data}"));
    Ran ran = collect();
    assertThat(ran.code).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err).contains("SLUICE_TEST_NOT_SET, which is not set");
  }

  @Test
  void a_stream_that_is_not_there_is_refused() {
    Ran ran = collect("--stream", "itmes");
    assertThat(ran.code).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err).contains("--stream names itmes, but the connector lists items");
  }

  @Test
  void a_provider_that_is_not_there_defers_and_says_so() {
    server.close();
    Ran ran = collect();
    assertThat(ran.code).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(ran.err).contains("deferred, because");
  }

  @Test
  void a_store_that_is_not_there_is_told_with_what_to_do() {
    Ran ran = run("status", "--state", folder.resolve("none.db").toString());
    assertThat(ran.code).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err).contains("name the file with --state");
  }

  @Test
  void a_lane_that_nobody_knows_cannot_be_reopened() {
    assertThat(collect().code).isZero();
    Ran ran = look("status", "--reopen", "elsewhere");
    assertThat(ran.code).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err).contains("there is no lane 'elsewhere'", "127.0.0.1");
  }

  @Test
  void check_looks_a_connector_over_and_asks_nobody() throws IOException {
    server.close();
    Ran good = run("check", folder.resolve("items.yaml").toString());
    assertThat(good.code).as(good.err).isZero();
    assertThat(good.out).contains("items: no mistakes in the file; 0 of 0 checks passed");
    List<String> typo = new ArrayList<>(CONNECTOR);
    typo.set(11, "    kye: id");
    Files.write(folder.resolve("items.yaml"), typo);
    Ran bad = run("check", folder.resolve("items.yaml").toString());
    assertThat(bad.code).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(bad.err).contains("items.yaml:12: ", "kye", "did you mean key?");
  }

  @Test
  void a_mistake_in_a_check_stops_check_and_not_collect() throws IOException {
    List<String> lines = new ArrayList<>(CONNECTOR);
    lines.add("checks: [{name: one, stream: items, script: ['200'], expect: {recrods: 0}}]");
    Files.write(folder.resolve("items.yaml"), lines);
    Ran check = run("check", folder.resolve("items.yaml").toString());
    assertThat(check.code).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(check.err).contains("recrods is not known; did you mean records?");
    assertThat(collect().code).isEqualTo(ExitCode.DONE.number());
  }

  @Test
  void a_mistake_in_the_configuration_is_told_in_the_collections_file() throws IOException {
    Files.write(
        folder.resolve("mine.yaml"),
        List.of("collect: items.yaml", "as: mine", "config: {prot: 1}", "into: {json-lines: data}"));
    Ran ran = collect();
    assertThat(ran.code).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err)
        .contains("mine.yaml:3: config.prot is not known; did you mean port?")
        .contains("mine.yaml:3: config.port has no value");
  }
}
