package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Every name that version 0.1 may have written into a state is read, and told to programs as it
 * stands: how runs ended and why, what happened, what is missing and why, what holds a lane.
 */
class StoredNamesTest {
  private static final long FAR = 4_102_444_800_000L; // in 2100

  @TempDir Path folder;

  private Map<String, List<String>> names;
  private Shop shop;
  private Connection connection;

  @BeforeEach
  void open() throws IOException, SQLException {
    names = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Golden.file("stored-names.txt"))) {
      if (!line.startsWith("#") && !line.isBlank()) {
        String[] parts = line.split(":\\s*", 2);
        names.put(parts[0], List.of(parts[1].split("\\s+", -1)));
      }
    }
    shop = new Shop();
    CollectionRecorder.copy(shop, folder);
    assertThat(Ran.of("collect", folder.resolve("mine.yaml").toString()).code()).isZero();
    connection = Stored.sqlite(folder.resolve(".sluice/state.db"));
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    shop.close();
  }

  private void insert(String table, Object... columnsAndValues) throws SQLException {
    List<String> columns = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < columnsAndValues.length; i += 2) {
      columns.add(columnsAndValues[i].toString());
      values.add(columnsAndValues[i + 1]);
    }
    Stored.update(
        connection,
        "insert into %s (%s) values (%s)"
            .formatted(table, String.join(", ", columns), "?" + ", ?".repeat(columns.size() - 1)),
        values.toArray());
  }

  private JsonNode look(String... command) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of("--output", "json"));
    words.addAll(List.of("--state", folder.resolve(".sluice/state.db").toString()));
    Ran ran = Ran.of(words.toArray(String[]::new));
    assertThat(ran.err()).isEmpty();
    return ran.json();
  }

  /** What people see must not fail on any of them either. */
  private void show(String... command) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of("--state", folder.resolve(".sluice/state.db").toString()));
    Ran ran = Ran.of(words.toArray(String[]::new));
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isIn(0, 2, 6);
  }

  private void insertRun(String outcome, Object reason) throws SQLException {
    List<String> lease = Stored.rows(connection, "select lease, fence from run limit 1").getFirst();
    insert(
        "run",
        "kind",
        "collection",
        "name",
        outcome + " " + reason,
        "options",
        "",
        "nonce",
        1,
        "started",
        1,
        "lease",
        lease.getFirst(),
        "fence",
        Integer.valueOf(lease.getLast()),
        "ended",
        2,
        "outcome",
        outcome,
        "reason",
        reason,
        "detail",
        "");
  }

  @Test
  void every_outcome_and_reason_of_a_run_is_understood() throws SQLException {
    List<String> expected = new ArrayList<>();
    for (String outcome : names.get("outcome")) {
      List<String> reasons = names.getOrDefault(outcome, List.of());
      if (reasons.isEmpty()) {
        insertRun(outcome, null);
        expected.add(outcome + " ");
      }
      for (String reason : reasons) {
        insertRun(outcome, reason);
        expected.add(outcome + " " + reason);
      }
    }
    List<String> found = new ArrayList<>();
    for (JsonNode run : look("runs", "--limit", "1000").path("runs")) {
      if (run.path("name").asString().startsWith(run.path("outcome").asString())) {
        found.add(run.path("outcome").asString() + " " + run.path("reason").asString(""));
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    show("runs", "--limit", "1000");
  }

  @Test
  void every_kind_of_evidence_and_every_fact_is_understood() throws SQLException {
    String facts = String.join("=1 ", new TreeSet<>(names.get("fact"))) + "=1";
    for (String kind : names.get("evidence")) {
      insert("evidence", "run", 1, "at", 1, "kind", kind, "facts", facts);
    }
    List<String> found = new ArrayList<>();
    for (JsonNode each : look("evidence", "--run", "1").path("evidence")) {
      found.add(each.path("kind").asString());
      if (each.path("facts").size() > 5) {
        assertThat(each.path("facts").propertyNames())
            .containsExactlyInAnyOrderElementsOf(names.get("fact"));
      }
    }
    assertThat(found).containsAll(names.get("evidence"));
    show("evidence", "--run", "1");
  }

  @Test
  void every_state_and_reason_of_a_missing_detail_is_understood() throws SQLException {
    List<String> expected = new ArrayList<>();
    for (String state : names.get("gap")) {
      for (String reason : reasons()) {
        insert(
            "detail_gap",
            "collection",
            "mine",
            "stream",
            "comments",
            "parent_stream",
            "items",
            "record_key",
            state + " " + reason,
            "split",
            "",
            "parent",
            "{}",
            "weight",
            1,
            "version",
            1,
            "state",
            state,
            "reason",
            reason,
            "tries",
            1,
            "failures",
            1,
            "first_seen",
            1,
            "turn",
            1,
            "due",
            FAR,
            "resting",
            0,
            "tried_in",
            1,
            "leased_by",
            0,
            "leased_until",
            0);
        if (!state.equals("recovered")) {
          expected.add(state + " " + reason);
        }
      }
    }
    List<String> found = new ArrayList<>();
    Stored.update(connection, "delete from detail_gap where record_key = '5'");
    for (JsonNode gap : look("gaps", "explain", "mine", "--limit", "1000").path("gaps")) {
      assertThat(gap.path("key").asString())
          .isEqualTo(gap.path("state").asString() + " " + gap.path("reason").asString());
      found.add(gap.path("key").asString());
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    show("gaps", "explain", "mine", "--limit", "1000");
  }

  @Test
  void every_reason_of_the_rest_of_a_stream_and_every_mode_is_understood() throws SQLException {
    List<String> expected = new ArrayList<>();
    for (String mode : names.get("mode")) {
      for (String reason : reasons()) {
        insert(
            "stream_gap",
            "collection",
            "mine",
            "stream",
            reason,
            "split",
            "",
            "mode",
            mode,
            "reason",
            reason,
            "detail",
            "",
            "since",
            1,
            "due",
            FAR,
            "run",
            1);
        expected.add(mode + " " + reason);
      }
    }
    List<String> found = new ArrayList<>();
    for (JsonNode gap : look("gaps").path("streams")) {
      assertThat(gap.path("stream")).isEqualTo(gap.path("reason"));
      found.add(gap.path("mode").asString() + " " + gap.path("reason").asString());
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    show("gaps");
  }

  @Test
  void whatever_holds_a_lane_is_understood() throws SQLException {
    insertLanes("hold_cause", "hold", "hold_until");
    insertLanes("stopped", "stop", null);
    insertLanes("cooldown_reason", "cooldown", "cooldown_until");
    for (String state : names.get("circuit")) {
      for (String previous : names.get("circuit")) {
        if (previous.equals(state)) {
          continue;
        }
        for (String trigger : names.get("trigger")) {
          for (String reason : names.get("circuit-reason")) {
            insertLane(
                "circuit",
                state,
                "circuit_fact",
                String.join(" ", previous, trigger, reason, "1", "1"),
                "circuit_moved",
                1);
          }
        }
      }
    }
    List<String> found = new ArrayList<>();
    for (JsonNode lane : look("status").path("lanes")) {
      for (String field : List.of("heldBecause", "stopped", "cooldownReason", "circuit")) {
        if (lane.has(field)) {
          found.add(field + " " + lane.path(field).asString());
        }
      }
    }
    List<String> expected = new ArrayList<>();
    names.get("hold").forEach(name -> expected.add("heldBecause " + name));
    names.get("stop").forEach(name -> expected.add("stopped " + name));
    names.get("cooldown").forEach(name -> expected.add("cooldownReason " + name));
    names.get("circuit").forEach(name -> expected.add("circuit " + name));
    assertThat(found).containsAll(expected);
    show("status");
  }

  private void insertLanes(String column, String kind, String until) throws SQLException {
    for (String name : names.get(kind)) {
      if (until == null) {
        insertLane(column, name);
      } else {
        insertLane(column, name, until, FAR, "consecutive", 1);
      }
    }
  }

  private void insertLane(Object... columnsAndValues) throws SQLException {
    List<Object> all = new ArrayList<>(List.of("name", List.of(columnsAndValues).toString()));
    all.addAll(List.of("updated", 1));
    all.addAll(List.of(columnsAndValues));
    insert("lane", all.toArray());
  }

  private List<String> reasons() {
    List<String> reasons = new ArrayList<>(names.get("deferred"));
    reasons.addAll(names.get("failed"));
    return reasons;
  }
}
