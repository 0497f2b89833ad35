package dev.sluice.runs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runs.store.StoreException.Problem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot be brought about everywhere: permissions do not bind every user. */
class SqliteErrorsTest {

  @ParameterizedTest
  @CsvSource({
    "5, BUSY",
    "261, BUSY", // while another process recovers
    "8, READ_ONLY",
    "1544, READ_ONLY", // the folder may not be written
    "14, READ_ONLY",
    "13, DISK_FULL",
    "4874, DISK_FULL", // no room for the index of what was written last
    "26, NOT_A_STORE",
    "11, DAMAGED",
    "10, OTHER",
    "778, OTHER", // a write that fails
    "1, OTHER"
  })
  void codes_of_the_database_are_told_apart(int code, Problem problem) {
    StoreException told =
        new SqliteErrors("store state.db").with(new SQLException("it said", "", code));
    assertThat(told.problem()).isEqualTo(problem);
    assertThat(told).hasMessageContaining("state.db").hasCauseInstanceOf(SQLException.class);
  }

  @ParameterizedTest
  @CsvSource({"778, the disk under the store state.db fails", "1, the store state.db failed"})
  void what_the_driver_says_is_told_once_and_with_what_to_do(int code, String words) {
    String said = "[SQLITE_IOERR_WRITE]  I/O error in the VFS layer (disk I/O error)";
    assertThat(new SqliteErrors("store state.db").with(new SQLException(said, "", code)))
        .hasMessageStartingWith(words + " (disk I/O error); ")
        .hasMessageContaining("run the same command again");
  }

  @Test
  void a_folder_that_refuses_is_read_only_and_one_without_room_is_full() {
    assertThat(new SqliteErrors("store state.db").with(new AccessDeniedException("/srv")).problem())
        .isEqualTo(Problem.READ_ONLY);
    assertThat(
            new SqliteErrors("store state.db")
                .with(new IOException("No space left on device"))
                .problem())
        .isEqualTo(Problem.DISK_FULL);
  }

  @ParameterizedTest
  @CsvSource({
    "5, locked by another process",
    "261, locked by another process",
    "8, cannot be written",
    "14, cannot be written",
    "13, the disk is full",
    "26, it is no database",
    "1, failed (because)"
  })
  void what_is_wrong_with_a_database_that_is_no_store_is_told_of_the_database(
      int code, String told) {
    assertThat(new SqliteErrors("database x.db").with(new SQLException("because", "", code)))
        .hasMessageContainingAll("the database x.db", told);
  }
}
