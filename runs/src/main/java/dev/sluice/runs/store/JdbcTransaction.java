package dev.sluice.runs.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The statements of a connection, prepared once each: one transaction after the other. Guarded by
 * its session's lock.
 */
final class JdbcTransaction implements Transaction {
  private static final Logger log = LoggerFactory.getLogger(JdbcTransaction.class);

  private final Dialect dialect;
  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>();
  private InstantSource clock;

  /**
   * On a new connection.
   *
   * @param clock what it goes by until a transaction has begun
   */
  JdbcTransaction(Dialect dialect, Connection connection, InstantSource clock) {
    this.dialect = dialect;
    this.connection = connection;
    this.clock = clock;
  }

  /** What is done with a statement. */
  private interface Use<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  Connection connection() {
    return connection;
  }

  /** The next transaction goes by this clock. */
  void goBy(InstantSource other) {
    clock = other;
  }

  @Override
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public int update(String sql, @Nullable Object... arguments) {
    try {
      return execute(sql, arguments);
    } catch (SQLException e) {
      throw dialect.error(e);
    }
  }

  @Override
  public void updateAll(String sql, List<@Nullable Object[]> arguments) {
    try {
      int[] unused =
          use(
              sql,
              statement -> {
                for (@Nullable Object[] each : arguments) {
                  JdbcRow.bind(statement, each);
                  statement.addBatch();
                }
                return statement.executeBatch();
              });
    } catch (SQLException e) {
      throw dialect.error(e);
    }
  }

  @Override
  public <T> List<T> rows(String sql, Reader<T> reader, @Nullable Object... arguments) {
    try {
      return query(sql, reader, arguments);
    } catch (SQLException e) {
      throw dialect.error(e);
    }
  }

  /** As {@link #update}; what goes wrong is told in the driver's words. */
  int execute(String sql, @Nullable Object... arguments) throws SQLException {
    return use(sql, PreparedStatement::executeUpdate, arguments);
  }

  /**
   * As {@link #rows}; what goes wrong is told in the driver's words. Drivers of servers read a
   * result whole before they hand it out: only asking for it is talking.
   */
  <T> List<T> query(String sql, Reader<T> reader, @Nullable Object... arguments)
      throws SQLException {
    try (ResultSet results = use(sql, PreparedStatement::executeQuery, arguments)) {
      return JdbcRow.all(results, reader, dialect::error);
    } catch (SQLException e) {
      forget(sql);
      throw e;
    }
  }

  // Closed with the connection.
  private <T> T use(String sql, Use<T> use, @Nullable Object... arguments) throws SQLException {
    try {
      PreparedStatement known = prepared.get(sql);
      PreparedStatement statement = known == null ? connection.prepareStatement(sql) : known;
      if (known == null) {
        prepared.put(sql, statement);
      }
      JdbcRow.bind(statement, arguments);
      return dialect.talk(() -> use.of(statement));
    } catch (SQLException e) {
      forget(sql);
      throw e;
    }
  }

  /** Drivers end a statement that has failed: used again, it would fail for ever. */
  private void forget(String sql) {
    PreparedStatement failed = prepared.remove(sql);
    try {
      if (failed != null) {
        failed.close();
      }
    } catch (SQLException e) {
      log.debug("a statement that had failed could not be closed", e);
    }
  }
}
