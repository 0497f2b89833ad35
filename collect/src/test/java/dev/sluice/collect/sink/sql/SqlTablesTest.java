package dev.sluice.collect.sink.sql;

import static dev.sluice.collect.sink.sql.Bench.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.collect.sink.sql.Bench.Way;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** What becomes of records in tables, wherever these are. */
class SqlTablesTest {
  private static final Track STEADY = new Track("github", "issues", "", Mode.STEADY);
  private static final Track CATCH_UP = new Track("github", "issues", "", Mode.CATCH_UP);
  private static final StreamShape ISSUES =
      new StreamShape("issues", List.of("id"), Optional.of("updated"));
  private static final StreamShape UNDATED =
      new StreamShape("issues", List.of("id"), Optional.empty());
  private static final SliceEnd END = SliceEnd.at("x", true);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void a_record_becomes_a_row_with_a_column_for_each_member(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      write(
          bench,
          STEADY,
          ISSUES,
          record(
              "1",
              "2026",
              """
              {"id": 1, "title": "ä\\"; drop table x", "score": 1.5, "open": true, "none": null,
               "labels": ["a"], "big": 12345678901234567890}
              """));
      String issues = bench.table("github", "issues");
      assertThat(
              bench.rows(
                  "select id, title, score, labels, big, _sluice_key, _sluice_cursor,"
                      + " _sluice_fetched from "
                      + issues))
          .containsExactly(
              "1, ä\"; drop table x, 1.5, [\"a\"], 12345678901234567890, 1, 2026, 1000");
      assertThat(bench.rows("select open from " + issues))
          .containsExactly(way == Way.POSTGRESQL ? "t" : "1");
      if (way == Way.POSTGRESQL) {
        assertThat(
                bench.rows(
                    "select column_name, data_type from information_schema.columns where"
                        + " table_name = 'issues' and column_name not like '\\_%' order by 1"))
            .containsExactly(
                "big, numeric",
                "id, bigint",
                "labels, jsonb",
                "open, boolean",
                "score, double precision",
                "title, text");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_record_with_the_same_key_replaces_the_row_whole(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      write(bench, STEADY, ISSUES, record("1", "2026", "{\"id\":1,\"a\":\"x\",\"b\":\"y\"}"));
      write(bench, STEADY, ISSUES, record("1", "2027", "{\"id\":1,\"a\":\"z\",\"c\":2}"));
      assertThat(bench.rows("select id, a, b, c from " + bench.table("github", "issues")))
          .containsExactly("1, z, null, 2");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_column_that_somebody_else_adds_between_two_slices_is_replaced_as_well(Way way)
      throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      SliceWriter writer = bench.open(STEADY, 1, Optional.empty(), ISSUES);
      writer.write("issues", record("1", "2026", "{\"a\":\"x\"}"));
      String unused = bench.commit(writer, END);
      write(bench, CATCH_UP, ISSUES, record("1", "2027", "{\"a\":\"y\",\"b\":2}"));
      writer.write("issues", record("1", "2028", "{\"a\":\"z\"}"));
      String unusedToo = bench.commit(writer, END);
      assertThat(bench.rows("select a, b from " + bench.table("github", "issues")))
          .containsExactly("z, null");
    }
  }

  @ParameterizedTest
  @EnumSource
  void catch_up_never_undoes_what_steady_work_has_written(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      write(bench, STEADY, ISSUES, record("1", "2026-b", "{\"state\":\"closed\"}"));
      bench.clock.set(2_000);
      write(bench, CATCH_UP, ISSUES, record("1", "2026-B", "{\"state\":\"open\"}"));
      assertThat(bench.rows("select state from " + bench.table("github", "issues")))
          .containsExactly("closed");
      // The same cursor: what was fetched later is at least as new.
      write(bench, CATCH_UP, ISSUES, record("1", "2026-b", "{\"state\":\"renamed\"}"));
      bench.clock.set(1_500);
      write(bench, CATCH_UP, ISSUES, record("1", "2026-b", "{\"state\":\"stale\"}"));
      assertThat(bench.rows("select state from " + bench.table("github", "issues")))
          .containsExactly("renamed");
    }
  }

  @ParameterizedTest
  @EnumSource
  void without_a_cursor_a_later_fetch_wins_whichever_is_committed_last(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      SliceWriter slow = bench.open(CATCH_UP, 1, Optional.empty(), UNDATED);
      slow.write("issues", record("1", "", "{\"state\":\"early\"}"));
      bench.clock.set(2_000);
      write(bench, STEADY, UNDATED, record("1", "", "{\"state\":\"late\"}"));
      String unused = bench.commit(slow, END);
      assertThat(bench.rows("select state from " + bench.table("github", "issues")))
          .containsExactly("late");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_stream_without_a_key_appends(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      StreamShape events = new StreamShape("events", List.of(), Optional.empty());
      Track track = new Track("github", "events", "", Mode.STEADY);
      write(bench, track, events, record("", "", "{\"n\":1}"), record("", "", "{\"n\":1}"));
      write(bench, track, events, record("", "", "{}"));
      assertThat(bench.rows("select n from " + bench.table("github", "events") + " order by n"))
          .containsExactlyInAnyOrder("1", "1", "null");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_column_that_meets_another_type_loses_nothing(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      write(
          bench,
          STEADY,
          ISSUES,
          record("1", "1", "{\"n\":9007199254740993,\"v\":7,\"w\":{\"a\":1},\"y\":true}"));
      write(
          bench,
          STEADY,
          ISSUES,
          record("2", "1", "{\"n\":0.5,\"v\":\"007\",\"w\":\"text\",\"y\":3}"),
          record("3", "1", "{\"n\":2,\"v\":8,\"w\":[1],\"y\":\"no\"}"));
      String yes = way == Way.POSTGRESQL ? "true" : "1";
      String issues = bench.table("github", "issues");
      assertThat(bench.rows("select n, v, y from " + issues + " order by _sluice_key"))
          .containsExactly("9007199254740993, 7, " + yes, "0.5, 007, 3", "2, 8, no");
      assertThat(bench.rows("select replace(w, ' ', '') from " + issues + " order by _sluice_key"))
          .containsExactly("{\"a\":1}", "text", "[1]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void numbers_beyond_every_range_lose_nothing(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      write(
          bench,
          STEADY,
          ISSUES,
          new CollectedRecord(
              "1",
              "1",
              JsonNodeFactory.instance
                  .objectNode()
                  .put("large", new BigDecimal("1e400"))
                  .put("enormous", new BigDecimal("1e999999999"))
                  .put("tiny", new BigDecimal("1e-400"))));
      assertThat(
              bench
                  .rows("select large, enormous, tiny from " + bench.table("github", "issues"))
                  .stream()
                  .flatMap(row -> Stream.of(row.split(", ", -1)))
                  .map(BigDecimal::new))
          .usingElementComparator(BigDecimal::compareTo)
          .containsExactly(
              new BigDecimal("1e400"), new BigDecimal("1e999999999"), new BigDecimal("1e-400"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void records_with_more_members_than_a_table_has_columns_are_told_with_what_to_do(Way way)
      throws Exception {
    String members =
        IntStream.range(0, 2_500)
            .mapToObj(i -> "\"m%d\": %d".formatted(i, i))
            .collect(Collectors.joining(", ", "{", "}"));
    try (Bench bench = new Bench(way, folder)) {
      assertThatThrownBy(() -> write(bench, STEADY, ISSUES, record("1", "1", members)))
          .hasMessageContaining("more different members than a table has columns here")
          .hasMessageContaining("hide: in the connector file");
    }
  }

  @ParameterizedTest
  @EnumSource
  void names_are_only_names(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      String odd = "order; drop table \"x\"; --";
      StreamShape stream = new StreamShape(odd, List.of("id"), Optional.empty());
      Track track = new Track("git\"hub'", odd, "", Mode.STEADY);
      String longName = "a".repeat(80);
      write(
          bench,
          track,
          stream,
          record(
              "k'\"?",
              "",
              """
              {"id": 1, "ID": 2, "a\\"b?": 3, "_sluice_key": 4, "xmin": 5, "%sx": 6, "%sy": 7,
               "": 8, "select": 9, "nul": "a\\u0000b", "deep": {"x": "c\\u0000\\\\u0000"}}
              """
                  .formatted(longName, longName)),
          record("other", "", "{\"Id\": 1}"));
      String table = bench.table("git\"hub'", odd);
      assertThat(
              bench.rows(
                  "select id, \"a\"\"b?\", \"select\", _sluice_key from "
                      + table
                      + " order by _sluice_key"))
          .containsExactly("1, 3, 9, k'\"?", "null, null, null, other");
      assertThat(bench.rows("select * from " + table + " where _sluice_key <> 'other'").get(0))
          .contains("1", "2", "3", "4", "5", "6", "7", "8", "9", "\\\\u0000");
      // And again, with the columns that are there now.
      write(bench, track, stream, record("other", "", "{\"ID\": 3, \"Id\": 2, \"id\": 1}"));
      assertThat(
              bench.rows(
                  "select id, %s, %s from %s where _sluice_key = 'other'"
                      .formatted(
                          Identifiers.quoted(Identifiers.distinct("ID")),
                          Identifiers.quoted(Identifiers.distinct("Id")),
                          table)))
          .containsExactly("1, 3, 2");
    }
  }

  @ParameterizedTest
  @EnumSource
  void collections_with_streams_of_the_same_name_have_tables_of_their_own(Way way)
      throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      if (way == Way.SQLITE) {
        List<?> unused = bench.rows("create table ISSUES (mine text)");
      }
      write(bench, STEADY, ISSUES, record("1", "1", "{\"n\":1}"));
      Track other = new Track("gitlab", "issues", "", Mode.STEADY);
      write(bench, other, ISSUES, record("1", "1", "{\"n\":2}"));
      assertThat(bench.rows("select collection, name from _sluice_table order by 1"))
          .containsExactly(
              way == Way.POSTGRESQL ? "github, issues" : "github, github.issues",
              "gitlab, gitlab.issues");
      assertThat(bench.rows("select n from \"gitlab.issues\"")).containsExactly("2");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_slice_that_is_given_up_leaves_nothing(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder);
        SliceWriter writer = bench.open(STEADY, 1, Optional.empty(), ISSUES)) {
      writer.write("issues", record("1", "1", "{\"n\":1}"));
      writer.giveUp();
      writer.write("issues", record("2", "1", "{\"n\":2}"));
      String unused = bench.commit(writer, END);
      assertThat(bench.rows("select n from " + bench.table("github", "issues")))
          .containsExactly("2");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_slice_larger_than_memory_allows_is_written_whole(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder);
        SliceWriter writer = bench.open(STEADY, 1, Optional.empty(), ISSUES)) {
      String text = "x".repeat(1 << 16);
      int rows = 2 * SqlWriter.MEMORY_BYTES / text.length();
      for (int i = 0; i < rows; i++) {
        writer.write(
            "issues",
            new CollectedRecord(
                "k" + i, "", JsonNodeFactory.instance.objectNode().put("n", i).put("t", text)));
      }
      String unused = bench.commit(writer, END);
      assertThat(
              bench.rows(
                  "select count(*), sum(n), min(length(t)) from "
                      + bench.table("github", "issues")))
          .containsExactly(rows + ", " + (rows - 1) * rows / 2 + ", " + text.length());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_table_that_was_dropped_is_not_passed_over(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      write(bench, STEADY, ISSUES, record("1", "1", "{\"n\":1}"));
      List<?> unused = bench.rows("drop table " + bench.table("github", "issues"));
      assertThatThrownBy(() -> write(bench, STEADY, ISSUES, record("1", "1", "{\"n\":1}")))
          .hasMessageContainingAll(
              "is gone", "_sluice_table", "sluice reset github --stream issues");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_stream_that_lost_its_key_is_not_mixed_with_what_it_was(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      write(bench, STEADY, ISSUES, record("1", "1", "{\"n\":1}"));
      StreamShape keyless = new StreamShape("issues", List.of(), Optional.empty());
      assertThatThrownBy(() -> write(bench, STEADY, keyless, record("", "", "{\"n\":1}")))
          .hasMessageContainingAll("with a key", "rename the table", "_sluice_table");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_prepared_slice_is_settled_before_the_next_one(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder);
        SliceWriter writer = bench.open(STEADY, 1, Optional.empty(), ISSUES)) {
      writer.write("issues", record("1", "1", "{\"n\":1}"));
      String unused = writer.prepare(END);
      assertThatIllegalStateException()
          .isThrownBy(() -> writer.write("issues", record("2", "1", "{}")));
      assertThatIllegalStateException().isThrownBy(() -> writer.prepare(END));
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_does_not_belong_is_refused(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder);
        SliceWriter writer = bench.open(STEADY, 1, Optional.empty(), ISSUES)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> writer.write("stars", record("1", "", "{}")))
          .withMessageContainingAll("stars", "issues");
      assertThatThrownBy(() -> bench.open(STEADY, 1, Optional.of("{\"x\":1}"), ISSUES))
          .hasMessageContainingAll("was not written by this SQL sink", "sink that it had before");
    }
  }

  private static void write(
      Bench bench, Track track, StreamShape stream, CollectedRecord... records) throws Exception {
    try (SliceWriter writer = bench.sink.open(track, List.of(stream), 1, mark(bench, track))) {
      for (CollectedRecord record : records) {
        writer.write(stream.name(), record);
      }
      String unused = bench.commit(writer, END);
    }
  }

  /** As the bookmark would have it: everything was acknowledged. */
  private static Optional<String> mark(Bench bench, Track track) throws Exception {
    if (bench.way == Way.IN_STORE) {
      return Optional.empty();
    }
    List<String> tables = List.of();
    try {
      tables =
          bench.rows(
              "select number from _sluice_slice where collection = '%s' and stream = '%s' and mode = '%s'"
                  .formatted(
                      track.collection().replace("'", "''"),
                      track.stream().replace("'", "''"),
                      track.mode().wireName()));
    } catch (java.sql.SQLException e) {
      // Nothing was written yet.
    }
    return tables.stream().findFirst().map(number -> "slice " + number);
  }
}
