package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * {@code sluice collect} and what looks into its store, against a simulated provider on loopback.
 */
class CollectCommandTest extends OnStage {
  @Test
  void everything_is_collected_once_and_a_second_run_finds_nothing_new() throws IOException {
    Ran first = stage.collect("--output", "json");
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.json().path("outcome").asString()).isEqualTo("completed");
    assertThat(stage.ids("items"))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, CollectStage.ITEMS).boxed().toList());
    assertThat(stage.ids("comments")).isNotEmpty().doesNotHaveDuplicates();
    assertThat(stage.collect().code()).isZero();
  }

  @Test
  void a_spent_request_cap_is_deferred_with_gaps_that_the_next_run_closes() throws IOException {
    Ran first = stage.collect("--max-requests", "5", "--output", "json");
    assertThat(first.code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(first.err()).contains("it made as many requests as it may");
    assertThat(first.json().path("reason").asString()).isEqualTo("request_cap");
    JsonNode gaps = stage.look("gaps", "--output", "json").json();
    assertThat(gaps.path("streams").path(0).path("planned").asBoolean()).isTrue();
    assertThat(gaps.path("details").path(0).path("count").asInt()).isEqualTo(6);
    assertThat(stage.look("gaps").out()).contains("mine", "items", "comments", "pending");
    assertThat(stage.look("gaps", "explain", "mine").out()).contains("comments", "pending");
    assertThat(stage.look("gaps", "requeue", "mine").out()).contains("0 will be tried again");
    assertThat(stage.look("runs").out()).contains("collect", "mine", "deferred (request_cap)");
    assertThat(stage.look("status").out()).contains("127.0.0.1", "free");
    assertThat(stage.collect().code()).isZero();
    assertThat(stage.look("gaps").out()).contains("nothing is known to be missing");
    assertThat(stage.ids("items")).hasSize(CollectStage.ITEMS).doesNotHaveDuplicates();
    assertThat(stage.ids("comments")).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{sqlite: records.db}", "{state: tables}"})
  void records_go_into_tables(String into) throws IOException {
    stage.collection("into: " + into);
    Ran ran = stage.collect();
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("mine: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "into: {json-line: data} | into.json-line is not known; did you mean json-lines?",
        "into: {json-lines: data, sqlite: a.db} | into names 2 places, but must name one",
        "run: {max-requests: many} | run.max-requests is 'many', but a whole number above 0 is expected",
        "ass: theirs | ass is not known; did you mean as?"
      })
  void a_mistake_in_the_collection_is_told_with_its_line(String line, String message)
      throws IOException {
    stage.collection(line);
    Ran ran = stage.collect();
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err()).contains("mine.yaml:4: " + message);
  }

  @Test
  void a_name_that_another_connector_was_collected_under_is_refused() throws IOException {
    assertThat(stage.collect().code()).isZero();
    Path connector = folder.resolve("items.yaml");
    String before = Files.readString(connector);
    Files.writeString(connector, before.replaceFirst("connector: .*", "connector: another"));
    Ran ran = stage.collect();
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err()).contains("'mine' was collected with the connector ", "names another;");
    Files.writeString(connector, before);
    assertThat(stage.collect().code()).isZero();
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
    Ran ran = stage.collect();
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err()).contains("SLUICE_TEST_NOT_SET, which is not set");
  }

  @Test
  void a_stream_that_is_not_there_is_refused_with_those_that_are_and_the_nearest() {
    Ran ran = stage.collect("--stream", "itmes");
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err())
        .contains("--stream names 'itmes', but the connector lists items; did you mean items?");
  }

  @Test
  void a_stream_of_details_cannot_be_collected_alone_and_the_list_is_named_that_brings_it() {
    Ran ran = stage.collect("--stream", "comments");
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err()).contains("its records come with those of items: --stream items");
  }

  @Test
  void a_provider_that_is_not_there_defers_and_says_so() {
    stage.close();
    Ran ran = stage.collect();
    assertThat(ran.code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(ran.err()).contains("deferred, because");
  }

  @Test
  void a_store_that_is_not_there_is_told_with_what_to_do() {
    Ran ran = Ran.of("status", "--state", folder.resolve("none.db").toString());
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err()).contains("name the file with --state");
  }

  @Test
  void a_lane_that_nobody_knows_cannot_be_reopened() {
    assertThat(stage.collect().code()).isZero();
    Ran ran = stage.look("status", "--reopen", "elsewhere");
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err()).contains("there is no lane 'elsewhere'", "127.0.0.1");
  }

  @Test
  void check_looks_a_connector_over_and_asks_nobody() throws IOException {
    stage.close();
    Ran good = Ran.of("check", folder.resolve("items.yaml").toString());
    assertThat(good.code()).as(good.err()).isZero();
    assertThat(good.out()).contains("items: no mistakes in the file; 0 of 0 checks passed");
    List<String> typo = new ArrayList<>(CollectStage.CONNECTOR);
    typo.set(11, "    kye: id");
    Files.write(folder.resolve("items.yaml"), typo);
    Ran bad = Ran.of("check", folder.resolve("items.yaml").toString());
    assertThat(bad.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(bad.err()).contains("items.yaml:12: ", "kye", "did you mean key?");
  }

  @Test
  void check_tells_programs_of_mistakes_in_an_object_on_standard_output() throws IOException {
    List<String> typo = new ArrayList<>(CollectStage.CONNECTOR);
    typo.set(11, "    kye: id");
    stage.connector(typo);
    String file = stage.file("items.yaml").toString();
    Ran bad = Ran.of("check", file, "--output", "json");
    assertThat(bad.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(bad.err()).isEmpty();
    assertThat(bad.json().path("mistakes").path(0).asString())
        .contains("items.yaml:12: ", "did you mean key?");
    stage.connector(CollectStage.CONNECTOR);
    Ran good = Ran.of("check", file, "--output", "json");
    assertThat(good.code()).isZero();
    assertThat(good.json().path("mistakes").size()).isZero();
  }

  @Test
  void the_summary_counts_the_records_of_each_stream_details_apart_from_their_list()
      throws IOException {
    Ran ran = stage.collect();
    int comments = stage.ids("comments").size();
    assertThat(ran.out())
        .contains("mine: %,d records in ".formatted(CollectStage.ITEMS + comments))
        .containsPattern("  items: 30 records, next from \\S+Z; completed")
        .contains("  comments: %,d records".formatted(comments));
  }

  @Test
  void programs_are_told_the_records_of_each_stream() throws IOException {
    Ran ran = stage.collect("--output", "json");
    assertThat(ran.json().path("streams").path("items").asInt()).isEqualTo(CollectStage.ITEMS);
    assertThat(ran.json().path("streams").path("comments").asInt())
        .isEqualTo(stage.ids("comments").size())
        .isPositive();
  }

  @Test
  void a_bookmark_within_a_list_is_told_in_words_and_without_the_token() {
    Ran ran = stage.collect("--max-requests", "1");
    assertThat(ran.code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(ran.out())
        .contains("10 records in 1 slice, 1 request")
        .contains("  items: 10 records, next in the middle of a list; deferred")
        .doesNotContain("{");
  }

  @Test
  void a_stream_that_failed_is_told_even_if_the_run_is_deferred_for_another_reason()
      throws IOException {
    List<String> lines = new ArrayList<>(CollectStage.CONNECTOR);
    lines.addAll(7, List.of("  absent:", "    get: /absent", "    key: id"));
    stage.connector(lines);
    Ran ran = stage.collect("--max-requests", "3");
    assertThat(ran.code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(ran.out())
        .contains("  absent: 0 records; failed, because the service does not know what was asked")
        .contains("; deferred");
    assertThat(ran.err())
        .contains("it made as many requests as it may")
        .contains("but absent failed, which another run alone does not mend");
  }

  @Test
  void a_mistake_in_a_check_stops_check_and_not_collect() throws IOException {
    List<String> lines = new ArrayList<>(CollectStage.CONNECTOR);
    lines.add("checks: [{name: one, stream: items, script: ['200'], expect: {recrods: 0}}]");
    stage.connector(lines);
    Ran check = Ran.of("check", folder.resolve("items.yaml").toString());
    assertThat(check.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(check.err()).contains("recrods is not known; did you mean records?");
    assertThat(stage.collect().code()).isEqualTo(ExitCode.DONE.number());
  }

  @Test
  void a_mistake_in_the_configuration_is_told_in_the_collections_file() throws IOException {
    Files.write(
        folder.resolve("mine.yaml"),
        List.of(
            "collect: items.yaml", "as: mine", "config: {prot: 1}", "into: {json-lines: data}"));
    Ran ran = stage.collect();
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err())
        .contains("mine.yaml:3: config.prot is not known; did you mean port?")
        .contains("mine.yaml:3: config.port has no value");
  }

  @Test
  void a_run_says_which_streams_it_left_to_another() throws IOException {
    List<String> both = new ArrayList<>(CollectStage.CONNECTOR);
    both.add(both.indexOf("  comments:"), "    catch-up: {from: \"2020-01-01T00:00:00Z\"}");
    stage.connector(both);
    assertThat(stage.collect("--max-requests", "1").code()).isEqualTo(ExitCode.DEFERRED.number());
    try (Store store = Store.open(stage.state(), Time.real());
        Lease another =
            ((Claim.Taken)
                    new Leases(store, Time.real())
                        .take(new Track("mine", "items", "", Mode.CATCH_UP).leaseName()))
                .lease()) {
      Ran ran = stage.collect();
      assertThat(ran.code()).as(another.name()).isZero();
      assertThat(ran.out()).contains("items (catch-up): 0 records; another run is at it");
      assertThat(ran.err()).contains("another run is at items (catch-up)");
    }
  }
}
