package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Where runs meet: a database with transactions, shared by every process that opens it.
 *
 * <p>Thread-safe. A call blocks for as long as the database does, and other calls of this process
 * queue behind it: many small pieces of work should share one transaction. Every method throws
 * {@link StoreException} if the database cannot do what it is asked.
 */
public interface Store extends AutoCloseable {

  /**
   * Opens a database file, and makes it if there is none: the file, and folders that are missing,
   * for their owner only. An older schema is brought up to date.
   *
   * @param file the database; beside it live two files with the same name and the endings {@code
   *     -wal} and {@code -shm}, which belong to it. It must lie on a disk of this machine
   * @param time the clock of the store
   */
  static Store open(Path file, Time time) {
    return SqliteDialect.open(file, time);
  }

  /**
   * Opens a store in a PostgreSQL database, for processes on many machines, and makes its schema
   * and tables if there are none. An older schema is brought up to date. The clock of the store is
   * the server's.
   *
   * <p>Connections that broke are made anew, for up to 20 s: a server may be restarted. A
   * transaction that one of them breaks off fails with {@link StoreException.Problem#UNREACHABLE}.
   *
   * @param address where it is
   * @param login as whom it is entered; appears in no message
   * @param time on which a server is waited for that restarts
   */
  static Store open(DatabaseAddress address, Login login, Time time) {
    return PostgresDialect.open(address, login, time, null);
  }

  /** A database that lives in memory, until it is closed: for tests and rehearsals. */
  static Store inMemory(Time time) {
    return SqliteDialect.inMemory(time);
  }

  /**
   * A database that has other tables than a store's: none are made. It is connected to when it is
   * first used, and again when the connection broke; a server that is away is not waited for.
   * Others write to PostgreSQL side by side: a transaction that the server breaks off in favour of
   * another one fails with {@link StoreException.Problem#BUSY}.
   *
   * @param url a JDBC address that begins with {@code jdbc:sqlite:} or {@code jdbc:postgresql:}; it
   *     may have secrets in its settings, which appear in no message
   * @param login what the driver needs to know and nobody should see: {@code user}, {@code
   *     password}; it goes over the driver's settings of ours, and the address over both
   * @param time on which a new SQLite file is waited for that another process makes
   * @throws IllegalArgumentException if it is the address of another kind of database
   */
  static Store ofTables(String url, Properties login, Time time) {
    String what = "database " + url.replaceFirst("^jdbc:", "").replaceFirst("[?;].*", "");
    if (url.startsWith("jdbc:sqlite:")) {
      Dialect dialect = new SqliteDialect(new SqliteErrors(what), url, false, time);
      return new JdbcStore(dialect, time, 0, Duration.ZERO);
    } else if (url.startsWith("jdbc:postgresql:")) {
      Dialect dialect = PostgresDialect.forTables(what, url, login, time);
      return new JdbcStore(dialect, time, 0, Duration.ZERO);
    }
    // Not repeated: it may have a password in it.
    throw new IllegalArgumentException(
        "the address of a database must begin with jdbc:sqlite: or jdbc:postgresql:; others are not"
            + " written to");
  }

  /**
   * Runs work in one transaction that writes. When it returns, everything is durable; if the work
   * throws, nothing has happened.
   *
   * <p>Nobody else writes meanwhile, in this process or another. If another process does so at
   * first, it is waited for, at most five seconds.
   *
   * @param <T> the type of the result
   * @return what the work returns
   * @throws IllegalStateException if called from within work on the same store
   */
  <T extends @Nullable Object> T write(Work<T> work);

  /**
   * Runs work that only reads, and sees one moment throughout. Nobody is kept from writing.
   *
   * @param <T> the type of the result
   * @return what the work returns
   * @throws IllegalStateException if called from within work on the same store
   */
  <T extends @Nullable Object> T read(Work<T> work);

  /**
   * The same for work of a single statement: for what is asked very often.
   *
   * @param <T> the type of the result
   * @return what the work returns
   * @throws IllegalStateException as {@link #read}
   */
  default <T extends @Nullable Object> T look(Work<T> work) {
    return read(work);
  }

  /** Closes the database; a second time does nothing. */
  @Override
  void close();
}
