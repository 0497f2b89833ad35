package dev.sluice.runs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseAddressTest {

  @Test
  void schema_and_settings_are_read_from_behind_the_question_mark() {
    DatabaseAddress address =
        DatabaseAddress.of(
            "postgresql://one:5432,two/state?sslmode=require&currentSchema=mine&tcpNoDelay=true");
    assertThat(address)
        .isEqualTo(
            new DatabaseAddress("one:5432,two", "state", "mine", "sslmode=require&tcpNoDelay=true"))
        .hasToString("postgresql://one:5432,two/state?currentSchema=mine");
    assertThat(address.jdbc())
        .isEqualTo("jdbc:postgresql://one:5432,two/state?sslmode=require&tcpNoDelay=true");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"postgresql://one/state", "jdbc:postgresql://one/state", "postgres://one/state?"})
  void the_ways_to_write_it_mean_the_same(String text) {
    assertThat(DatabaseAddress.isMeantBy(text)).isTrue();
    assertThat(DatabaseAddress.of(text)).hasToString("postgresql://one/state");
  }

  @ParameterizedTest
  @ValueSource(strings = {"state.db", "/srv/postgresql/state.db", "C:\\state.db", ""})
  void files_are_not_taken_for_databases(String text) {
    assertThat(DatabaseAddress.isMeantBy(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://me:hush@one/state",
        "postgresql://one/state?user=me",
        "postgresql://one/state?a=b&Password=hush",
        "postgresql://one/state?sslpassword=hush"
      })
  void a_login_in_the_address_is_refused_and_not_repeated(String text) {
    assertThatThrownBy(() -> DatabaseAddress.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give them apart")
        .hasMessageNotContainingAny("me:", "hush", "=me");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql:state",
        "postgresql://one",
        "postgresql://one/",
        "postgresql:///state",
        "mysql://one/state"
      })
  void what_is_no_address_is_told_with_an_example(String text) {
    assertThatThrownBy(() -> DatabaseAddress.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("postgresql://server:5432/database");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Mine", "1st", "a b", "a;drop", "a\"b"})
  void a_schema_must_be_a_plain_name(String schema) {
    assertThatThrownBy(() -> DatabaseAddress.of("postgresql://one/state?currentSchema=" + schema))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("currentSchema is '" + schema + "'");
  }
}
