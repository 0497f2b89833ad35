package dev.sluice.collect.sink.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlTroubleTest {
  private static final Track TRACK = new Track("github", "events", "", Mode.STEADY);

  @TempDir Path folder;

  @Test
  void secrets_of_an_address_are_never_shown() throws IOException {
    String url = "jdbc:postgresql://127.0.0.1:1/db?user=me&password=swordfish";
    try (Sink sink = SqlSink.at(url, new Properties(), new Bench.HandSetClock())) {
      assertThat(sink.description()).isEqualTo("tables in postgresql://127.0.0.1:1/db");
      assertThatIOException()
          .isThrownBy(() -> open(sink))
          .withMessageContaining("postgresql://127.0.0.1:1/db")
          .satisfies(e -> assertThat(e.toString()).doesNotContain("swordfish"));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                SqlSink.at(
                    "jdbc:mysql://x?password=swordfish",
                    new Properties(),
                    new Bench.HandSetClock()))
        .withMessageContaining("jdbc:postgresql:")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("swordfish"));
  }

  @Test
  void a_file_in_a_folder_that_does_not_exist_is_named_with_what_to_do() throws IOException {
    String url = "jdbc:sqlite:" + folder.resolve("missing/tables.db");
    try (Sink sink = SqlSink.at(url, new Properties(), new Bench.HandSetClock())) {
      assertThatIOException()
          .isThrownBy(() -> open(sink))
          .withMessageContainingAll("missing/tables.db", "folder");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "08001, cannot be reached",
    "57P01, cannot be reached",
    "28P01, refuses the login",
    "42501, grant it CREATE",
    "3D000, has no such database",
    "53100, the disk is full",
    "22003, could not be written"
  })
  void what_postgresql_says_is_told_with_what_to_do(String state, String told) {
    assertThat(SqlTrouble.with("db", Dialect.POSTGRESQL, new SQLException("because", state)))
        .hasMessageContainingAll("db", told, "because");
  }

  @ParameterizedTest
  @CsvSource({
    "5, locked by another process",
    "261, locked by another process",
    "8, cannot be written",
    "14, cannot be written",
    "13, the disk is full",
    "1, could not be written"
  })
  void what_sqlite_says_is_told_with_what_to_do(int code, String told) {
    assertThat(SqlTrouble.with("db", Dialect.SQLITE, new SQLException("because", null, code)))
        .hasMessageContainingAll("db", told, "because");
  }

  @Test
  void a_driver_that_is_missing_is_named() {
    assertThat(SqlTrouble.noDriver("db", Dialect.POSTGRESQL))
        .hasMessageContainingAll("no JDBC driver", "org.postgresql:postgresql");
  }

  private static void open(Sink sink) throws IOException {
    sink.open(
            TRACK,
            List.of(new StreamShape("events", List.of(), Optional.empty())),
            1,
            Optional.empty())
        .close();
  }
}
