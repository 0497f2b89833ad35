package dev.sluice.runs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runs.store.StoreException.Problem;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot be brought about in a moment. */
class PostgresErrorsTest {
  private static final PostgresErrors ERRORS =
      new PostgresErrors("store postgresql://one/state", "schema");

  @ParameterizedTest
  @CsvSource({
    "08006, UNREACHABLE",
    "57P01, UNREACHABLE", // the server is shut down
    "57P03, UNREACHABLE", // it starts
    "25P03, UNREACHABLE", // the transaction stood still
    "53300, UNREACHABLE",
    "28P01, REFUSED",
    "28000, REFUSED",
    "3D000, REFUSED",
    "42501, REFUSED",
    "25006, READ_ONLY", // a copy that only follows
    "53100, DISK_FULL",
    "55P03, BUSY",
    "57014, BUSY",
    "XX001, DAMAGED",
    "23505, OTHER"
  })
  void codes_of_the_server_are_told_apart(String code, Problem problem) {
    StoreException told = ERRORS.with(new SQLException("it said", code));
    assertThat(told.problem()).isEqualTo(problem);
    assertThat(told).hasMessageContaining("postgresql://one/state");
  }

  @Test
  void an_exception_without_a_code_is_told_as_it_is() {
    StoreException told = ERRORS.with(new SQLException("it said"));
    assertThat(told.problem()).isEqualTo(Problem.OTHER);
    assertThat(told).hasMessageContaining("it said");
  }

  @ParameterizedTest
  @CsvSource({
    "08001, cannot be reached, see that the server runs",
    "28P01, refuses user and password, see that both are right",
    "42501, does not let this user, grant it CREATE and USAGE",
    "3D000, does not exist, create the database",
    "53100, the disk is full, make room",
    "40P01, locked by another process, try again",
    "40001, locked by another process, try again",
    "22003, failed, because"
  })
  void what_a_server_says_of_tables_of_others_is_told_with_what_to_do(
      String code, String told, String remedy) {
    PostgresErrors errors = new PostgresErrors("database postgresql://one/warehouse", "schema");
    assertThat(errors.with(new SQLException("because", code)))
        .hasMessageStartingWith("the database postgresql://one/warehouse ")
        .hasMessageContainingAll(told, remedy);
  }

  @Test
  void a_driver_that_is_missing_is_named() {
    assertThat(ERRORS.noDriver())
        .hasMessageContainingAll("no JDBC driver", "org.postgresql:postgresql");
  }
}
