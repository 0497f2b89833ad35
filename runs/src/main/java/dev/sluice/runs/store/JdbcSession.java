package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Dialect.Access;
import dev.sluice.runs.store.StoreException.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a database, made when it is first needed and made anew when it broke; one
 * transaction at a time. Thread-safe.
 */
final class JdbcSession {
  private static final Logger log = LoggerFactory.getLogger(JdbcSession.class);

  private final Dialect dialect;
  private final boolean writes;
  private final Time time;
  private final Outage outage;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable JdbcTransaction transaction;
  private boolean closed;

  /**
   * A session.
   *
   * @param writes whether its transactions may write
   * @param outage what all sessions of a database know of a server that cannot be reached
   */
  JdbcSession(Dialect dialect, boolean writes, Time time, Outage outage) {
    this.dialect = dialect;
    this.writes = writes;
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
  <T extends @Nullable Object> T run(Access access, Work<T> work) {
    long giveUpAt = Time.NEVER;
    while (true) {
      SQLException failure;
      long came = time.nanos();
      lock.lock();
      try {
        return committed(begin(access, came), access, work);
      } catch (SQLException e) { // nothing has begun
        failure = e;
      } finally {
        lock.unlock();
      }
      giveUpAt = giveUpAt == Time.NEVER ? outage.giveUpAt() : giveUpAt;
      if (!dialect.isBroken(failure) || !outage.pause(giveUpAt)) {
        throw dialect.error(failure);
      }
    }
  }

  private <T extends @Nullable Object> T committed(
      JdbcTransaction begun, Access access, Work<T> work) {
    boolean committed = false;
    boolean broken = false;
    try {
      T result = work.in(begun);
      commit(begun, access);
      committed = true;
      return result;
    } catch (StoreException e) {
      broken = e.problem() == Problem.UNREACHABLE;
      throw e;
    } finally {
      if (!committed) {
        rollback(broken);
      }
    }
  }

  private void commit(JdbcTransaction begun, Access access) {
    try {
      dialect.commit(begun, access);
    } catch (SQLException e) {
      throw dialect.errorAtCommit(e);
    }
  }

  /**
   * Begins a transaction.
   *
   * @param came since when the caller has waited for the session
   */
  private JdbcTransaction begin(Access access, long came) throws SQLException {
    if (closed) {
      throw new StoreException(Problem.OTHER, "the " + dialect + " is closed", null);
    }
    Optional<SQLException> known = outage.failureSince(came);
    if (known.isPresent()) {
      throw known.get();
    }
    for (boolean used = transaction != null; ; used = false) {
      try {
        JdbcTransaction current = connected();
        current.goBy(dialect.begin(current, access));
        outage.end();
        return current;
      } catch (SQLException e) {
        boolean broken = dialect.isBroken(e);
        rollback(broken);
        if (!used || !broken) {
          if (broken) {
            outage.failed(e);
          }
          throw e;
        }
        log.info("the connection to the {} broke while it was not used, and is made anew", dialect);
      }
    }
  }

  private JdbcTransaction connected() throws SQLException {
    JdbcTransaction current = transaction;
    if (current == null) {
      Connection fresh = dialect.talk(() -> dialect.connect(writes));
      current = new JdbcTransaction(dialect, fresh, time::instant);
      transaction = current;
    }
    return current;
  }

  /**
   * A rollback that fails has nothing to add to what led to it; then the connection is gone.
   *
   * @param broken whether it is known to be gone
   */
  private void rollback(boolean broken) {
    JdbcTransaction current = transaction;
    if (current == null) {
      return;
    }
    if (broken) {
      disconnect(current);
      return;
    }
    try {
      dialect.rollback(current);
    } catch (SQLException e) {
      log.debug("nothing to roll back in the {}", dialect, e);
      disconnect(current);
    }
  }

  private void disconnect(JdbcTransaction current) {
    transaction = null;
    try {
      Object unused =
          dialect.talk(
              () -> {
                current.connection().close();
                return current;
              });
    } catch (SQLException e) {
      log.debug("a connection to the {} could not be closed", dialect, e);
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      if (transaction != null) {
        disconnect(transaction);
      }
    } finally {
      lock.unlock();
    }
  }
}
