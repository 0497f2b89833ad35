package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.LoadStage;
import dev.sluice.cli.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A state that version 0.1 left when it was killed in the middle of a load: this version opens it,
 * knows its loads, and goes on, until each row is there once.
 */
class StateOfALoadTest {
  /** The row with a number that is none, and the one with the number of another row. */
  private static final List<Integer> REJECTED = List.of(7, 30);

  @TempDir Path folder;

  private LoadStage stage;

  @BeforeAll
  static void record(@TempDir Path folder) throws Exception {
    if (Golden.recordsStates()) {
      new LoadRecorder(folder).record();
    }
  }

  @BeforeEach
  void bringHere() throws Exception {
    stage = new LoadStage(folder);
    Golden.copy("load", folder);
    Stored.bring(state(), stage.address().getAuthority(), folder);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private Path state() {
    return folder.resolve(".sluice/state.db");
  }

  private Ran load(String... more) {
    List<Object> all =
        new ArrayList<>(
            List.of(
                "account",
                folder.resolve("accounts.csv"),
                "--mapping",
                folder.resolve("mapping.yaml"),
                "--batch-size",
                "5"));
    all.addAll(List.of(more));
    return stage.load(all.toArray());
  }

  /** What the load had sent is in. */
  private void putIn(String table, String name) {
    Ran ran = stage.load(table, folder.resolve(name), "--state", folder.resolve("other.db"));
    assertThat(ran.code()).as(ran.toString()).isZero();
  }

  @Test
  void a_load_that_was_killed_goes_on_and_ends_with_each_row_once() throws Exception {
    putIn("account", "there-accounts.csv");
    int before = stage.rows("account").size();
    Ran ran = load("--output", "json");
    assertThat(ran.code()).as(ran.toString()).isEqualTo(1);
    JsonNode summary = ran.json();
    assertThat(summary.path("resumed").asBoolean()).isTrue();
    assertThat(summary.path("read").asInt()).isEqualTo(60);
    assertThat(summary.path("rejected").asInt()).isEqualTo(REJECTED.size());
    assertThat(summary.path("rejects").asString())
        .isEqualTo(folder.resolve("accounts.rejected.csv").toString());
    List<String> names =
        IntStream.rangeClosed(1, 60)
            .filter(row -> !REJECTED.contains(row))
            .mapToObj(row -> "Company " + row)
            .sorted()
            .toList();
    assertThat(before).isPositive().isLessThan(names.size());
    assertThat(stage.values("account", "name")).isEqualTo(names);
    assertThat(Files.readAllLines(folder.resolve("accounts.rejected.csv")))
        .satisfiesExactlyInAnyOrder(
            head -> assertThat(head).startsWith("Company,Number,Staff,Parent,error_code,"),
            line -> assertThat(line).startsWith("Company 7,7,many,,bad-value,"),
            line -> assertThat(line).startsWith("Company 30,12,300,,0x80060892,"));
  }

  @Test
  void what_waited_for_rows_of_the_same_file_is_set_at_the_end() {
    putIn("account", "there-accounts.csv");
    Ran ran = load("--output", "json");
    assertThat(ran.json().path("lookupsSet").asInt()).as(ran.toString()).isEqualTo(5);
  }

  @Test
  void a_load_that_was_killed_with_a_row_that_waited_for_another_goes_on() {
    putIn("contact", "there-people.csv");
    Ran ran =
        stage.load(
            "contact",
            folder.resolve("people.csv"),
            "--op",
            "upsert",
            "--key",
            "externaluseridentifier",
            "--output",
            "json");
    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.json().path("resumed").asBoolean()).isTrue();
    assertThat(ran.json().path("done").asInt()).isEqualTo(30);
    List<String> keys =
        IntStream.rangeClosed(1, 30)
            .filter(row -> row != 25)
            .mapToObj(row -> "p" + row)
            .sorted()
            .toList();
    assertThat(stage.values("contact", "externaluseridentifier")).isEqualTo(keys);
    assertThat(stage.values("contact", "fullname"))
        .contains("Person 25")
        .doesNotContain("Person 8");
  }

  @Test
  void a_load_that_was_finished_is_known_and_not_sent_again() {
    Ran ran = stage.load("contact", folder.resolve("contacts.csv"), "--output", "json");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.json().path("alreadyLoaded").asBoolean()).isTrue();
    assertThat(ran.json().path("outcome").asString()).isEqualTo("completed");
    assertThat(stage.changes()).isEmpty();
  }

  @Test
  void the_runs_are_listed_with_the_one_that_was_killed() {
    Ran ran = Ran.of("runs", "--state", state().toString(), "--output", "json");
    assertThat(ran.code()).as(ran.err()).isZero();
    JsonNode runs = ran.json().path("runs");
    assertThat(runs).hasSize(3);
    assertThat(runs.path(0).path("running").asBoolean(true)).isFalse();
    assertThat(runs.path(0).has("outcome")).isFalse();
    assertThat(runs.path(2).path("outcome").asString()).isEqualTo("completed");
    assertThat(runs.path(2).path("counts").path("done").asInt()).isEqualTo(2);
  }
}
