package dev.sluice.runs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.StoreException.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("state.db");
  }

  private Store open() {
    return Store.open(file(), Time.real());
  }

  private static void addLease(Store store, String name) {
    store.write(transaction -> add(transaction, name));
  }

  private static int add(Transaction transaction, String name) {
    return transaction.update(
        "insert into lease (name, fence, holder, since, expires) values (?, 1, '', 0, 0)", name);
  }

  private static long leases(Store store) {
    return store.read(
        transaction ->
            transaction.row("select count(*) from lease", row -> row.number(1)).orElseThrow());
  }

  @Test
  void what_was_written_is_there_when_the_store_is_opened_again() {
    try (Store store = open()) {
      addLease(store, "a");
    }
    try (Store store = open()) {
      assertThat(leases(store)).isEqualTo(1);
    }
  }

  @Test
  void work_that_throws_leaves_nothing_behind_and_the_store_goes_on() {
    try (Store store = open()) {
      assertThatThrownBy(
              () ->
                  store.write(
                      transaction -> {
                        int unused = add(transaction, "a");
                        throw new IllegalStateException("no");
                      }))
          .hasMessage("no");
      assertThat(leases(store)).isZero();
      addLease(store, "b");
      assertThat(leases(store)).isEqualTo(1);
    }
  }

  @Test
  void a_commit_lets_other_connections_write_at_once() {
    try (Store one = open();
        Store two = open()) {
      addLease(one, "a");
      addLease(two, "b");
      addLease(one, "c");
      assertThat(leases(two)).isEqualTo(3);
    }
  }

  @Test
  void a_transaction_inside_another_is_refused() {
    try (Store store = open()) {
      assertThatThrownBy(() -> store.write(transaction -> leases(store)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("inside another");
    }
  }

  @Test
  void file_companions_and_new_folders_are_their_owners_alone() throws IOException {
    Path deep = folder.resolve("new").resolve("newer").resolve("state.db");
    try (Store store = Store.open(deep, Time.real())) {
      addLease(store, "a");
      assertThat(permissions(deep)).isEqualTo("rw-------");
      assertThat(permissions(Path.of(deep + "-wal"))).isEqualTo("rw-------");
      assertThat(permissions(Path.of(deep + "-shm"))).isEqualTo("rw-------");
      assertThat(permissions(folder.resolve("new"))).isEqualTo("rwx------");
      assertThat(permissions(folder.resolve("new").resolve("newer"))).isEqualTo("rwx------");
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void every_commit_is_synchronized_to_the_disk() {
    try (Store store = open()) {
      assertThat(pragma(store, "journal_mode")).isEqualTo("wal");
      assertThat(pragma(store, "synchronous")).isEqualTo("2"); // full
      assertThat(pragma(store, "foreign_keys")).isEqualTo("1");
      assertThat(pragma(store, "busy_timeout")).isEqualTo("5000");
    }
  }

  private static String pragma(Store store, String name) {
    return store.read(
        transaction -> transaction.row("pragma " + name, row -> row.text(1)).orElseThrow());
  }

  @Test
  void the_clock_is_the_given_one_in_whole_milliseconds() {
    Instant noon = Instant.parse("2026-03-01T12:00:00Z");
    Instant read =
        SimulatedTime.with(1)
            .wallClock(noon)
            .call(
                time -> {
                  time.sleep(Duration.ofNanos(7_999_999));
                  try (Store store = Store.inMemory(time)) {
                    return store.read(Transaction::now);
                  }
                });
    assertThat(read).isEqualTo(noon.plusMillis(7));
  }

  private StoreException problem(ThrowingCallable call) {
    StoreException[] caught = new StoreException[1];
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StoreException.class, thrown -> caught[0] = thrown);
    return caught[0];
  }

  @Test
  void a_file_that_is_no_database_is_left_alone_and_named() throws IOException {
    String text = "Dear diary, this is not a database. ".repeat(100);
    Files.writeString(file(), text);
    StoreException thrown = problem(this::open);
    assertThat(thrown.problem()).isEqualTo(Problem.NOT_A_STORE);
    assertThat(thrown).hasMessageContainingAll(file().toString(), "name another file");
    assertThat(file()).hasContent(text);
  }

  @Test
  void a_database_of_another_program_is_left_alone() throws SQLException {
    other("create table invoice (id integer)");
    StoreException thrown = problem(this::open);
    assertThat(thrown.problem()).isEqualTo(Problem.NOT_A_STORE);
    assertThat(thrown).hasMessageContaining("another program");
  }

  @Test
  void a_newer_schema_is_refused_with_both_versions() throws SQLException {
    open().close();
    other("pragma user_version = 99");
    StoreException thrown = problem(this::open);
    assertThat(thrown.problem()).isEqualTo(Problem.NEWER_SCHEMA);
    assertThat(thrown).hasMessageContainingAll("99", "newer version", "use that version");
  }

  private void other(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  @Test
  void a_folder_that_cannot_be_made_is_told_with_what_to_do() throws IOException {
    Files.writeString(folder.resolve("file"), "");
    Path below = folder.resolve("file").resolve("state.db");
    StoreException thrown = problem(() -> Store.open(below, Time.real()));
    assertThat(thrown.problem()).isEqualTo(Problem.READ_ONLY);
    assertThat(thrown).hasMessageContainingAll(below.toString(), "writable", "name another file");
  }

  @Test
  void a_store_that_may_not_be_written_says_so() {
    try (Store store = open()) {
      assertThat(store.<Integer>read(transaction -> transaction.update("pragma query_only = 1")))
          .isZero();
      StoreException thrown = problem(() -> addLease(store, "a"));
      assertThat(thrown.problem()).isEqualTo(Problem.READ_ONLY);
    }
  }

  @Test
  void a_full_disk_says_that_nothing_committed_is_lost() {
    try (Store store = open()) {
      addLease(store, "a");
      assertThat(pragma(store, "max_page_count = 1")).isNotEmpty();
      StoreException thrown = problem(() -> addLease(store, "long".repeat(100_000)));
      assertThat(thrown.problem()).isEqualTo(Problem.DISK_FULL);
      assertThat(thrown).hasMessageContainingAll("disk is full", "make room", "same command");
      assertThat(leases(store)).isEqualTo(1);
    }
  }

  @Test
  void a_name_that_the_driver_would_misread_is_refused() {
    StoreException thrown = problem(() -> Store.open(folder.resolve("what?.db"), Time.real()));
    assertThat(thrown).hasMessageContaining("question mark");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void closing_twice_is_harmless_and_a_closed_store_refuses() {
    Store store = open();
    store.close();
    store.close();
    assertThat(problem(() -> leases(store)).problem()).isEqualTo(Problem.OTHER);
  }
}
