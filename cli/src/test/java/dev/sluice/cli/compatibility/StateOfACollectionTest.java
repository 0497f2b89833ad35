package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A state that version 0.1 left when it was killed in the middle of a collection, with files that
 * were not finished: this version opens both, says what is missing, and goes on, until each record
 * is there once.
 */
class StateOfACollectionTest {
  /** What was collected before it is not asked for again. */
  private static final List<Integer> COMMENTS =
      Shop.IDS.stream().filter(id -> id != Shop.GONE).map(id -> 1000 + id).toList();

  @TempDir Path folder;

  private Shop shop;

  @BeforeAll
  static void record(@TempDir Path files, @TempDir Path database) throws Exception {
    if (Golden.recordsStates()) {
      new CollectionRecorder(files).recordFiles();
      new CollectionRecorder(database).recordDatabase();
    }
  }

  @BeforeEach
  void open() throws IOException {
    shop = new Shop();
    CollectionRecorder.copy(shop, folder);
  }

  @AfterEach
  void close() {
    shop.close();
    Postgres.letNobodyIn();
  }

  private String bringFiles() throws Exception {
    Path state = folder.resolve(".sluice/state.db");
    Files.createDirectories(state.getParent());
    Golden.copy("collection/sqlite/data", folder.resolve("data"));
    Files.copy(Golden.file("collection/sqlite/state.db"), state);
    Stored.bring(state, shop.host(), folder);
    return state.toString();
  }

  private String bringDatabase() throws Exception {
    Postgres.letIn(folder);
    Postgres database = new Postgres("compatible");
    String text = Files.readString(Golden.file("collection/postgresql.sql"));
    long latest = Stored.latest(List.of(text));
    database.restore(Stored.here(Stored.moved(text, latest), shop.host(), folder));
    return database.address();
  }

  @Test
  void a_collection_that_was_killed_goes_on_and_ends_with_each_record_once() throws Exception {
    String state = bringFiles();
    assertThat(files()).anyMatch(file -> file.toString().endsWith(".part"));
    assertThatTheStateIsUnderstood(state);
    assertThatWhatWasRefusedIsTriedAgain(state);
    Ran ran = Ran.of("collect", folder.resolve("mine.yaml").toString());
    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(files()).allMatch(file -> file.toString().endsWith(".jsonl"));
    assertThat(ids("items")).containsExactlyInAnyOrderElementsOf(Shop.IDS);
    assertThat(ids("comments")).containsExactlyInAnyOrderElementsOf(COMMENTS);
    assertThatNothingIsMissing(state);
  }

  @Test
  void the_same_goes_for_a_state_in_postgresql() throws Exception {
    String state = bringDatabase();
    assertThatTheStateIsUnderstood(state);
    assertThatWhatWasRefusedIsTriedAgain(state);
    Ran ran = Ran.of("collect", folder.resolve("tables.yaml").toString(), "--state", state);
    assertThat(ran.code()).as(ran.toString()).isZero();
    try (Connection connection = new Postgres("compatible").connect()) {
      assertThat(
              Stored.values(connection, "select id from \"mine.items\"").stream()
                  .map(Integer::valueOf))
          .containsExactlyInAnyOrderElementsOf(Shop.IDS);
      assertThat(
              Stored.values(connection, "select id from \"mine.comments\"").stream()
                  .map(Integer::valueOf))
          .containsExactlyInAnyOrderElementsOf(COMMENTS);
    }
    assertThatNothingIsMissing(state);
  }

  @Test
  void what_was_learned_of_a_provider_is_shown_and_its_collection_goes_on() throws Exception {
    String state = bringFiles();
    JsonNode lane =
        look(0, 6, "status", state)
            .path("lanes")
            .valueStream()
            .filter(each -> each.path("lane").asString().startsWith("learned"))
            .findFirst()
            .orElseThrow();
    assertThat(lane.path("provenRate").asDouble()).isPositive();
    Ran ran = Ran.of("collect", folder.resolve("other.yaml").toString());
    assertThat(ran.code()).as(ran.toString()).isZero();
  }

  /** Whoever looks before anything is run sees what was killed, what is missing, and why. */
  private static void assertThatTheStateIsUnderstood(String state) {
    JsonNode gaps = look(6, 6, "gaps", state);
    JsonNode killed = gaps.path("killed").path(0);
    assertThat(killed.path("collection").asString()).isEqualTo("mine");
    assertThat(killed.path("records").isIntegralNumber()).isTrue();
    assertThat(killed.path("tracks").valueStream().map(each -> each.path("stream").asString()))
        .contains("items");
    assertThat(gaps.path("details").valueStream().map(each -> each.path("state").asString()))
        .contains("gone");
    JsonNode runs = look(0, 0, "runs", state).path("runs");
    assertThat(runs.path(0).path("running").asBoolean(true)).isFalse();
    assertThat(runs.path(0).has("outcome")).isFalse();
    assertThat(runs.path(1).path("outcome").asString()).isEqualTo("deferred");
    assertThat(runs.path(1).path("reason").asString()).isEqualTo("request_cap");
    assertThat(look(6, 6, "status", state).path("lanes").valueStream())
        .anySatisfy(lane -> assertThat(lane.path("missing").path("details").asInt()).isPositive());
    assertThat(look(0, 0, "gaps explain mine", state).path("gaps").valueStream())
        .anySatisfy(gap -> assertThat(gap.path("reason").asString()).isEqualTo("not_found"))
        .anySatisfy(gap -> assertThat(gap.path("reason").asString()).isEqualTo("forbidden"));
    long before = runs.path(1).path("run").asLong();
    assertThat(look(0, 0, "evidence --run " + before, state).path("evidence").valueStream())
        .anySatisfy(each -> assertThat(each.path("kind").asString()).isEqualTo("gap_noted"));
  }

  private static void assertThatWhatWasRefusedIsTriedAgain(String state) {
    JsonNode requeued = look(0, 0, "gaps requeue mine --key 3", state);
    assertThat(requeued.path("reopened").asInt()).isEqualTo(1);
  }

  private static void assertThatNothingIsMissing(String state) {
    JsonNode gaps = look(0, 0, "gaps", state);
    assertThat(gaps.path("killed")).isEmpty();
    assertThat(gaps.path("streams")).isEmpty();
    assertThat(gaps.path("details").valueStream().map(gap -> gap.path("state").asString()))
        .isNotEmpty()
        .containsOnly("gone");
  }

  private static JsonNode look(int code, int otherCode, String command, String state) {
    List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
    words.addAll(List.of("--state", state, "--output", "json"));
    Ran ran = Ran.of(words.toArray(String[]::new));
    assertThat(ran.code()).as(ran.toString()).isIn(code, otherCode);
    return ran.json();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("data/mine"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private List<Integer> ids(String stream) throws IOException {
    List<Integer> ids = new ArrayList<>();
    for (Path file : files()) {
      if (file.getFileName().toString().startsWith(stream)) {
        for (String line : Files.readAllLines(file)) {
          ids.add(JsonMapper.shared().readTree(line).path("id").asInt());
        }
      }
    }
    return ids;
  }
}
