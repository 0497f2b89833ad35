package dev.sluice.collect.sink.sql;

import java.io.IOException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions on a database that is reached by JDBC: one connection, one transaction at a time. A
 * connection that broke is made anew by the next one. Thread-safe.
 */
final class Database implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Database.class);
  private static final int ATTEMPTS = 4;

  private final String url;
  private final Properties login;
  private final Dialect dialect;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Connection connection;

  Database(String url, Properties login, Dialect dialect) {
    this.url = url;
    this.login = login;
    this.dialect = dialect;
  }

  /**
   * What is done in a transaction. It may be done again, if the database breaks it off in favour of
   * another one.
   *
   * @param <T> the type of its result
   */
  @FunctionalInterface
  interface Work<T> {
    /** Does it. */
    T in(Statements statements) throws SQLException, IOException;
  }

  Dialect dialect() {
    return dialect;
  }

  /** For people: without settings, which may be secret. */
  String name() {
    return url.replaceFirst("^jdbc:", "").replaceFirst("[?;].*", "");
  }

  /** When it returns, all is durable; if it throws, nothing is, unless the connection was lost. */
  <T> T write(Work<T> work) throws IOException {
    // Some drivers close their connection if whoever waits for it is interrupted.
    boolean interrupted = Thread.interrupted();
    lock.lock();
    try {
      for (int attempt = 1; ; attempt++) {
        try {
          return run(work);
        } catch (SQLException e) {
          if (attempt == ATTEMPTS || !isCollision(e)) {
            throw SqlTrouble.with(name(), dialect, e);
          }
          log.debug("a transaction on {} is done again", name(), e);
        }
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private <T> T run(Work<T> work) throws SQLException, IOException {
    Connection open = connected();
    boolean committed = false;
    try (JdbcStatements statements = new JdbcStatements(open)) {
      execute(open, dialect.begin());
      T result = work.in(statements);
      statements.flush();
      execute(open, "commit");
      committed = true;
      return result;
    } finally {
      if (!committed) {
        abandon(open);
      }
    }
  }

  /** Two transactions that wait for each other, and this one was chosen to go. */
  private static boolean isCollision(SQLException e) {
    for (SQLException each = e; each != null; each = each.getNextException()) {
      if (String.valueOf(each.getSQLState()).matches("40001|40P01")) {
        return true;
      }
    }
    return false;
  }

  private Connection connected() throws SQLException, IOException {
    if (connection == null) {
      Driver driver;
      try {
        driver = DriverManager.getDriver(url);
      } catch (SQLException e) {
        throw SqlTrouble.noDriver(name(), dialect);
      }
      Connection made = driver.connect(url, login);
      if (made == null) {
        throw SqlTrouble.noDriver(name(), dialect);
      }
      greet(made);
      connection = made;
    }
    return connection;
  }

  private void greet(Connection made) throws SQLException {
    try {
      for (String each : dialect.greeting()) {
        execute(made, each);
      }
    } catch (SQLException e) {
      abandon(made);
      throw e;
    }
  }

  /** Rolled back by being closed, also if it is broken. */
  private void abandon(Connection open) {
    connection = null;
    try {
      open.close();
    } catch (SQLException e) {
      log.debug("a connection to {} was broken", name(), e);
    }
  }

  private static void execute(Connection open, String sql) throws SQLException {
    try (Statement statement = open.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (connection != null) {
        connection.close();
        connection = null;
      }
    } catch (SQLException e) {
      throw SqlTrouble.with(name(), dialect, e);
    } finally {
      lock.unlock();
    }
  }
}
