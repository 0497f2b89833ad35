package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/**
 * SQLite: write-ahead log, synchronized to the disk at every commit. It has one writer at a time
 * whatever we do, so there is one connection, and those who have much to write group it themselves.
 * All processes that share a file are on this machine, and its wall clock is the store's. Every
 * file has a place for a stamp.
 *
 * @param url where it is, for the driver
 * @param isStore whether it is a store's; otherwise it has tables of others as well
 */
record SqliteDialect(SqliteErrors errors, String url, boolean isStore, Time time)
    implements Dialect {
  /** How long another process's transaction is waited for. */
  static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Logger log = LoggerFactory.getLogger(SqliteDialect.class);

  static Store open(Path path, Time time) {
    Path file = path.toAbsolutePath();
    SqliteErrors errors = new SqliteErrors("store " + file);
    if (file.toString().contains("?")) {
      // The driver takes what follows for settings, and would make another file.
      throw errors.notAStore("its name has a question mark in it", null);
    }
    try {
      create(file);
    } catch (IOException e) {
      throw errors.with(e);
    }
    return open(errors, file.toString(), time);
  }

  static Store inMemory(Time time) {
    return open(new SqliteErrors("store in memory"), ":memory:", time);
  }

  private static Store open(SqliteErrors errors, String file, Time time) {
    Dialect dialect = new SqliteDialect(errors, "jdbc:sqlite:" + file, true, time);
    return new JdbcStore(dialect, time, 0, Duration.ZERO).upToDate();
  }

  /**
   * Made before SQLite makes it, so that it never was readable for others, not for a moment. Its
   * two companions get the same permissions from SQLite.
   */
  private static void create(Path file) throws IOException {
    Path folder = file.getParent();
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (folder != null && !Files.isDirectory(folder)) {
      Files.createDirectories(folder, ownerOnly(posix, "rwx------"));
    }
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.createFile(file, ownerOnly(posix, "rw-------"));
      } catch (FileAlreadyExistsException e) {
        return; // another process was faster; it made it just so
      }
    }
  }

  private static FileAttribute<?>[] ownerOnly(boolean posix, String permissions) {
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Whoever turns on the write-ahead log of a new file has it alone for a moment, and SQLite lets
   * nobody wait for that: so it is tried again.
   */
  @Override
  public Connection connect(boolean writes) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout((int) LOCK_TIMEOUT.toMillis());
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    config.enforceForeignKeys(isStore);
    config.setGetGeneratedKeys(false); // nobody asks for them, and each insert would look them up
    long deadline = time.deadline(LOCK_TIMEOUT);
    while (true) {
      try {
        return config.createConnection(url);
      } catch (SQLException e) {
        if (!SqliteErrors.isBusy(e) || time.nanos() - deadline >= 0) {
          throw e;
        }
      }
      try {
        time.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException(
            StoreException.Problem.OTHER, "interrupted while the " + this + " was locked", e);
      }
    }
  }

  // Transactions by statements of our own: the driver's commit() begins the next one at once, and
  // with it locks out every other process until that ends, too.
  @Override
  public InstantSource begin(JdbcTransaction transaction, Access access) throws SQLException {
    if (access != Access.LOOK) { // one statement sees one moment by itself
      int unused = transaction.execute(access == Access.WRITE ? "begin immediate" : "begin");
    }
    return time::instant;
  }

  @Override
  public void commit(JdbcTransaction transaction, Access access) throws SQLException {
    if (access != Access.LOOK) {
      int unused = transaction.execute("commit");
    }
  }

  /** SQLite may have done it already; and a database in memory goes with its connection. */
  @Override
  public void rollback(JdbcTransaction transaction) {
    try {
      int unused = transaction.execute("rollback");
    } catch (SQLException e) {
      log.debug("nothing to roll back in the {}", this, e);
    }
  }

  @Override
  public StoreException error(SQLException e) {
    return errors.with(e);
  }

  @Override
  public Stamp stamp(Transaction transaction) {
    long application = pragma(transaction, "application_id");
    boolean empty =
        application == 0
            && transaction.row("select 1 from sqlite_schema limit 1", row -> 1).isEmpty();
    return new Stamp(empty, application == Schema.APPLICATION, pragma(transaction, "user_version"));
  }

  @Override
  public void stamp(Transaction transaction, int version) {
    int unused = transaction.update("pragma application_id = " + Schema.APPLICATION);
    int unusedToo = transaction.update("pragma user_version = " + version);
  }

  private static long pragma(Transaction transaction, String name) {
    return transaction.row("pragma " + name, row -> row.number(1)).orElse(0L);
  }

  @Override
  public StoreException foreign() {
    return errors.notAStore("it is a database of another program", null);
  }

  @Override
  public String toString() {
    return errors.what();
  }
}
