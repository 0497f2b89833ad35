package dev.sluice.runs.store;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in a file, and what can be wrong with the file. */
class SqliteFileStoreTest extends DurableStoreContract {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("state.db");
  }

  SqliteFileStoreTest() {
    super(TestDatabase.SQLITE_FILE);
  }

  @Override
  Store open() {
    return Store.open(file(), Time.real());
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
}
