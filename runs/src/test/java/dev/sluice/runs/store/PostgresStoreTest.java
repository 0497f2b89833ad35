package dev.sluice.runs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.StoreException.Problem;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A store on a server, and what can be wrong with the server. */
class PostgresStoreTest extends DurableStoreContract {
  private final PostgresServer server = PostgresServer.running();
  private final DatabaseAddress address = server.newStore();

  PostgresStoreTest() {
    super(TestDatabase.POSTGRESQL);
  }

  @Override
  Store open() {
    return Store.open(address, PostgresServer.LOGIN, Time.real());
  }

  private String asked(String sql) {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      assertThat(results.next()).isTrue();
      return results.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void administrate(String sql) throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  private static long session(Transaction transaction) {
    return transaction.row("select pg_backend_pid()", row -> row.number(1)).orElseThrow();
  }

  private void kill(long session) {
    assertThat(asked("select pg_terminate_backend(%d, 5000)".formatted(session))).isEqualTo("t");
  }

  @Test
  void the_clock_is_the_servers_in_whole_milliseconds() {
    String sql = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint";
    try (Store store = open()) {
      long before = Long.parseLong(asked(sql));
      Instant written = store.write(Transaction::now);
      Instant read = store.read(Transaction::now);
      long after = Long.parseLong(asked(sql));
      assertThat(written.toEpochMilli()).isBetween(before / 1000, after / 1000);
      assertThat(read).isBetween(written, Instant.ofEpochMilli(after / 1000));
    }
  }

  @Test
  void commits_reach_the_disk_although_the_server_is_set_otherwise() {
    assertThat(asked("show synchronous_commit")).isEqualTo("off");
    try (Store store = open()) {
      assertThat(setting(store, "synchronous_commit")).isEqualTo("on");
    }
  }

  @Test
  void nobody_waits_for_ever_for_one_who_stands_still() {
    try (Store store = open()) {
      assertThat(setting(store, "lock_timeout")).isEqualTo("5s");
      assertThat(setting(store, "idle_in_transaction_session_timeout")).isEqualTo("30s");
    }
  }

  private static String setting(Store store, String name) {
    return store.write(
        transaction -> transaction.row("show " + name, row -> row.text(1)).orElseThrow());
  }

  @Test
  void a_connection_that_is_killed_in_the_middle_leaves_nothing_and_is_replaced() {
    try (Store store = open()) {
      StoreException thrown =
          problem(
              () ->
                  store.write(
                      transaction -> {
                        int unused = add(transaction, "a");
                        kill(session(transaction));
                        return add(transaction, "b");
                      }));
      assertThat(thrown.problem()).isEqualTo(Problem.UNREACHABLE);
      assertThat(thrown)
          .hasMessageContainingAll(address.toString(), "see that the server runs", "is undone");
      assertThat(leases(store)).isZero();
      addLease(store, "c");
      assertThat(leases(store)).isEqualTo(1);
    }
  }

  @Test
  void a_connection_that_is_killed_before_the_commit_leaves_nothing() {
    try (Store store = open()) {
      StoreException thrown =
          problem(
              () ->
                  store.write(
                      transaction -> {
                        int added = add(transaction, "a");
                        kill(session(transaction));
                        return added;
                      }));
      assertThat(thrown.problem()).isEqualTo(Problem.UNREACHABLE);
      assertThat(thrown).hasMessageContaining("will be seen then");
      assertThat(leases(store)).isZero();
    }
  }

  @Test
  void a_connection_that_broke_while_nobody_used_it_is_not_noticed() {
    try (Store store = open()) {
      kill(store.write(PostgresStoreTest::session));
      kill(store.read(PostgresStoreTest::session));
      addLease(store, "a");
      assertThat(leases(store)).isEqualTo(1);
    }
  }

  @Test
  void a_server_that_is_not_there_is_told_with_what_to_do() {
    DatabaseAddress nowhere = DatabaseAddress.of("postgresql://127.0.0.1:1/state");
    StoreException thrown = problem(() -> Store.open(nowhere, PostgresServer.LOGIN, Time.real()));
    assertThat(thrown.problem()).isEqualTo(Problem.UNREACHABLE);
    assertThat(thrown)
        .hasMessageContainingAll("postgresql://127.0.0.1:1/state", "see that the server runs");
  }

  @Test
  void a_login_that_is_refused_is_named_nowhere() {
    String user = PostgresServer.LOGIN.user();
    for (Login login : new Login[] {new Login(user, "wrong"), new Login("stranger", "wrong")}) {
      StoreException thrown = problem(() -> Store.open(address, login, Time.real()));
      assertThat(thrown.problem()).isEqualTo(Problem.REFUSED);
      assertThat(thrown).hasMessageContainingAll(address.toString(), "user and password");
      StringWriter logged = new StringWriter();
      thrown.printStackTrace(new PrintWriter(logged, true));
      assertThat(logged.toString()).doesNotContain(user, "stranger", "wrong");
    }
  }

  @Test
  void a_database_that_does_not_exist_is_told() {
    DatabaseAddress other =
        new DatabaseAddress(address.servers(), "another", DatabaseAddress.SCHEMA, "");
    StoreException thrown = problem(() -> Store.open(other, PostgresServer.LOGIN, Time.real()));
    assertThat(thrown.problem()).isEqualTo(Problem.REFUSED);
    assertThat(thrown).hasMessageContainingAll("/another", "create the database");
  }

  @Test
  void a_user_who_may_not_make_the_schema_can_use_one_that_was_made_for_it() throws SQLException {
    String schema = address.schema();
    Login login = new Login("user_of_" + schema, "secret");
    administrate("create user %s password 'secret'".formatted(login.user()));
    StoreException thrown = problem(() -> Store.open(address, login, Time.real()));
    assertThat(thrown.problem()).isEqualTo(Problem.REFUSED);
    assertThat(thrown).hasMessageContainingAll("administrator", "schema '" + schema + "'");
    administrate("create schema %s authorization %s".formatted(schema, login.user()));
    try (Store store = Store.open(address, login, Time.real())) {
      addLease(store, "a");
    }
  }

  @Test
  void a_schema_of_another_program_is_left_alone() throws SQLException {
    administrate("create schema " + address.schema());
    administrate("create table %s.invoice (id bigint)".formatted(address.schema()));
    StoreException thrown = problem(this::open);
    assertThat(thrown.problem()).isEqualTo(Problem.NOT_A_STORE);
    assertThat(thrown).hasMessageContainingAll("another program", "?currentSchema=");
  }

  @Test
  void a_newer_schema_is_refused_with_both_versions() throws SQLException {
    open().close();
    administrate("update %s.store set version = 99".formatted(address.schema()));
    StoreException thrown = problem(this::open);
    assertThat(thrown.problem()).isEqualTo(Problem.NEWER_SCHEMA);
    assertThat(thrown).hasMessageContainingAll("99", "newer version", "use that version");
  }

  @Test
  void stores_in_one_database_do_not_meet() {
    try (Store one = open();
        Store two = Store.open(server.newStore(), PostgresServer.LOGIN, Time.real())) {
      one.write(
          transaction -> {
            addLease(two, "b"); // which has a lock of its own
            return add(transaction, "a");
          });
      assertThat(leases(one)).isEqualTo(1);
      assertThat(leases(two)).isEqualTo(1);
    }
  }

  @Test
  void a_store_is_shown_by_its_address() {
    try (Store store = open()) {
      assertThat(store).hasToString("store " + address);
    }
    assertThat(PostgresServer.LOGIN.toString())
        .doesNotContain(PostgresServer.LOGIN.user(), PostgresServer.LOGIN.password());
  }
}
