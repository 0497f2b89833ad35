package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConnection;

/**
 * A store in one SQLite file: write-ahead log, synchronized to the disk at every commit.
 *
 * <p>One connection behind one lock. SQLite has one writer at a time whatever we do, and those who
 * have much to write group it themselves.
 */
final class SqliteStore implements Store {
  /** How long another process's transaction is waited for. */
  static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final String file;
  private final SQLiteConnection connection;
  private final SqliteTransaction transaction;
  private final ReentrantLock lock = new ReentrantLock();

  private SqliteStore(String file, SQLiteConnection connection, Time time) {
    this.file = file;
    this.connection = connection;
    this.transaction = new SqliteTransaction(file, connection, time);
  }

  static Store open(Path path, Time time) {
    Path file = path.toAbsolutePath();
    if (file.toString().contains("?")) {
      // The driver takes what follows for settings, and would make another file.
      throw Trouble.notAStore(file.toString(), "its name has a question mark in it", null);
    }
    try {
      create(file);
    } catch (IOException e) {
      throw Trouble.with(file.toString(), e);
    }
    return connect(file.toString(), file.toString(), time);
  }

  static Store inMemory(Time time) {
    return connect("in memory", ":memory:", time);
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

  private static Store connect(String name, String file, Time time) {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout((int) LOCK_TIMEOUT.toMillis());
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    config.enforceForeignKeys(true);
    config.setGetGeneratedKeys(false); // nobody asks for them, and each insert would look them up
    SQLiteConnection connection = null;
    try {
      connection = connection(config, file, time);
      SqliteStore store = new SqliteStore(name, connection, time);
      Schema.bringUpToDate(store, new SqliteDialect(name));
      return store;
    } catch (SQLException e) {
      throw closing(connection, Trouble.with(name, e));
    } catch (StoreException e) {
      throw closing(connection, e);
    }
  }

  /**
   * Whoever turns on the write-ahead log of a new file has it alone for a moment, and SQLite lets
   * nobody wait for that: so it is tried again.
   */
  private static SQLiteConnection connection(SQLiteConfig config, String file, Time time)
      throws SQLException {
    long deadline = time.deadline(LOCK_TIMEOUT);
    while (true) {
      try {
        return (SQLiteConnection) config.createConnection("jdbc:sqlite:" + file);
      } catch (SQLException e) {
        if (!Trouble.isBusy(e) || time.nanos() - deadline >= 0) {
          throw e;
        }
      }
      try {
        time.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException(
            StoreException.Problem.OTHER, "interrupted while " + file + " was locked", e);
      }
    }
  }

  private static StoreException closing(
      @Nullable SQLiteConnection connection, StoreException failure) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }
    return failure;
  }

  @Override
  public <T extends @Nullable Object> T write(Work<T> work) {
    return run("begin immediate", work);
  }

  @Override
  public <T extends @Nullable Object> T read(Work<T> work) {
    return run("begin", work);
  }

  /** One statement sees one moment by itself. */
  @Override
  public <T extends @Nullable Object> T look(Work<T> work) {
    requireOutside();
    lock.lock();
    try {
      return work.in(transaction);
    } finally {
      lock.unlock();
    }
  }

  private void requireOutside() {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("a transaction was begun inside another one");
    }
  }

  // Transactions by statements of our own: the driver's commit() begins the next one at once, and
  // with it locks out every other process until that ends, too.
  private <T extends @Nullable Object> T run(String begin, Work<T> work) {
    requireOutside();
    lock.lock();
    try {
      int unused = transaction.update(begin);
      boolean committed = false;
      try {
        T result = work.in(transaction);
        int unusedToo = transaction.update("commit");
        committed = true;
        return result;
      } finally {
        if (!committed) {
          transaction.rollback();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      transaction.close();
      connection.close();
    } catch (SQLException e) {
      throw Trouble.with(file, e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "store " + file;
  }
}
