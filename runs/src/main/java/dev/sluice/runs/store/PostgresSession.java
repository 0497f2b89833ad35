package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.StoreException.Problem;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a server, made when it is first needed and made anew when it broke; one
 * transaction at a time. Thread-safe.
 */
final class PostgresSession {
  private static final Logger log = LoggerFactory.getLogger(PostgresSession.class);

  /** How long another process's transaction is waited for. */
  static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

  /**
   * How long the server lets a transaction of ours stand still. A process that was stopped in the
   * middle of one, or lost its network, would keep everybody else from writing.
   */
  private static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(30);

  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

  /** After so long without an answer the server is gone; no statement of ours takes that long. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private static final String TIME = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";

  /** The clock is read with the lock in hand: of two transactions, the later one reads later. */
  private static final String BEGIN_WRITE =
      "with locked as materialized (select pg_advisory_xact_lock(?, ?)) select "
          + TIME
          + " from locked";

  private static final String BEGIN_READ = "select " + TIME;

  /** What is written is on the disk when it is committed, even if the server is set otherwise. */
  private static final String SETTINGS =
      """
      select set_config('lock_timeout', ?, false),
        set_config('idle_in_transaction_session_timeout', ?, false),
        set_config('synchronous_commit', case current_setting('synchronous_commit')
          when 'off' then 'on' else current_setting('synchronous_commit') end, false)
      """;

  private final DatabaseAddress address;
  private final Login login;
  private final boolean writes;
  private final @Nullable InstantSource given;
  private final Time time;
  private final Outage outage;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Connection connection;
  private boolean closed;

  /**
   * A session.
   *
   * @param writes whether its transactions write, and keep everybody else's from doing so
   * @param given a clock instead of the server's; null for the server's
   * @param outage what all sessions of a store know of a server that cannot be reached
   */
  PostgresSession(
      DatabaseAddress address,
      Login login,
      boolean writes,
      @Nullable InstantSource given,
      Time time,
      Outage outage) {
    this.address = address;
    this.login = login;
    this.writes = writes;
    this.given = given;
    this.time = time;
    this.outage = outage;
  }

  boolean isBusy() {
    return lock.isLocked();
  }

  boolean isUsedByCaller() {
    return lock.isHeldByCurrentThread();
  }

  /** Runs work in a transaction. While the server is away, nobody holds the session. */
  <T extends @Nullable Object> T run(Work<T> work) {
    long giveUpAt = Time.NEVER;
    while (true) {
      SQLException failure;
      long came = time.nanos();
      lock.lock();
      try {
        return committed(begin(came), work);
      } catch (SQLException e) { // nothing has begun
        failure = e;
      } finally {
        lock.unlock();
      }
      giveUpAt = giveUpAt == Time.NEVER ? outage.giveUpAt() : giveUpAt;
      if (!PostgresTrouble.isBroken(failure) || !outage.pause(giveUpAt)) {
        throw PostgresTrouble.with(address, failure);
      }
    }
  }

  private <T extends @Nullable Object> T committed(PostgresTransaction transaction, Work<T> work) {
    boolean committed = false;
    try {
      T result = work.in(transaction);
      transaction.commit();
      committed = true;
      return result;
    } finally {
      if (!committed) {
        rollback();
      }
    }
  }

  /**
   * Begins a transaction.
   *
   * @param came since when the caller has waited for the session
   */
  private PostgresTransaction begin(long came) throws SQLException {
    if (closed) {
      throw new StoreException(Problem.OTHER, "the store " + address + " is closed", null);
    }
    Optional<SQLException> known = outage.failureSince(came);
    if (known.isPresent()) {
      throw known.get();
    }
    boolean used = connection != null;
    try {
      return begun();
    } catch (SQLException e) {
      rollback();
      if (!used || !PostgresTrouble.isBroken(e)) {
        throw noted(e);
      }
      log.info("the connection to {} broke while it was not used, and is made anew", address);
    }
    try {
      return begun();
    } catch (SQLException e) {
      rollback();
      throw noted(e);
    }
  }

  private SQLException noted(SQLException e) {
    if (PostgresTrouble.isBroken(e)) {
      outage.failed(e);
    }
    return e;
  }

  private PostgresTransaction begun() throws SQLException {
    Connection current = connected();
    try (PreparedStatement statement =
        current.prepareStatement(writes ? BEGIN_WRITE : BEGIN_READ)) {
      if (writes) {
        JdbcRow.bind(statement, Schema.APPLICATION, address.schema().hashCode());
      }
      try (ResultSet results = Undisturbed.call(statement::executeQuery)) {
        boolean unused = results.next();
        Instant now = Instant.ofEpochMilli(results.getLong(1));
        outage.end();
        return new PostgresTransaction(address, current, given == null ? () -> now : given);
      }
    }
  }

  private Connection connected() throws SQLException {
    Connection current = connection;
    if (current == null) {
      current = Undisturbed.call(this::connect);
      connection = current;
    }
    return current;
  }

  private Connection connect() throws SQLException {
    Properties settings = new Properties();
    if (!login.user().isEmpty()) {
      settings.setProperty("user", login.user());
    }
    if (!login.password().isEmpty()) {
      settings.setProperty("password", login.password());
    }
    settings.setProperty("currentSchema", address.schema());
    settings.setProperty("ApplicationName", "sluice");
    settings.setProperty("tcpKeepAlive", "true");
    settings.setProperty("connectTimeout", Long.toString(LONGEST_CONNECT.toSeconds()));
    settings.setProperty("socketTimeout", Long.toString(LONGEST_SILENCE.toSeconds()));
    Connection fresh = DriverManager.getConnection(address.jdbc(), settings);
    try (PreparedStatement statement = fresh.prepareStatement(SETTINGS)) {
      JdbcRow.bind(
          statement,
          Long.toString(LOCK_TIMEOUT.toMillis()),
          Long.toString(LONGEST_STANDSTILL.toMillis()));
      boolean unused = statement.execute();
      fresh.setReadOnly(!writes);
      fresh.setTransactionIsolation(
          writes ? Connection.TRANSACTION_READ_COMMITTED : Connection.TRANSACTION_REPEATABLE_READ);
      fresh.setAutoCommit(false);
      return fresh;
    } catch (SQLException e) {
      fresh.close();
      throw e;
    }
  }

  /** A rollback that fails has nothing to add to what led to it; then the connection is gone. */
  private void rollback() {
    Connection current = connection;
    if (current == null) {
      return;
    }
    try {
      Undisturbed.run(current::rollback);
    } catch (SQLException e) {
      log.debug("nothing to roll back in {}", address, e);
      disconnect(current);
    }
  }

  private void disconnect(Connection current) {
    connection = null;
    try {
      Undisturbed.run(current::close);
    } catch (SQLException e) {
      log.debug("a connection to {} could not be closed", address, e);
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      if (connection != null) {
        disconnect(connection);
      }
    } finally {
      lock.unlock();
    }
  }
}
