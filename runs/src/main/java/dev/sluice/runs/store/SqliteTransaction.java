package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The statements of a store's one connection; prepared once each. Guarded by the store's lock. */
final class SqliteTransaction implements Transaction {
  private static final Logger log = LoggerFactory.getLogger(SqliteTransaction.class);

  private static final String ROLLBACK = "rollback";

  private final String file;
  private final Connection connection;
  private final Time time;
  private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>();

  SqliteTransaction(String file, Connection connection, Time time) {
    this.file = file;
    this.connection = connection;
    this.time = time;
  }

  /** All processes that share the file are on this machine, and so is its wall clock. */
  @Override
  public Instant now() {
    return time.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public int update(String sql, @Nullable Object... arguments) {
    try {
      return bound(sql, arguments).executeUpdate();
    } catch (SQLException e) {
      forget(sql);
      throw Trouble.with(file, e);
    }
  }

  @Override
  public void updateAll(String sql, List<@Nullable Object[]> arguments) {
    try {
      PreparedStatement statement = prepared(sql);
      for (@Nullable Object[] each : arguments) {
        JdbcRow.bind(statement, each);
        statement.addBatch();
      }
      int[] unused = statement.executeBatch();
    } catch (SQLException e) {
      forget(sql);
      throw Trouble.with(file, e);
    }
  }

  @Override
  public <T> List<T> rows(String sql, Reader<T> reader, @Nullable Object... arguments) {
    try (ResultSet results = bound(sql, arguments).executeQuery()) {
      return JdbcRow.all(results, reader, e -> Trouble.with(file, e));
    } catch (SQLException e) {
      forget(sql);
      throw Trouble.with(file, e);
    }
  }

  /**
   * A rollback that fails has nothing to add to what led to it; SQLite may have done it already.
   */
  void rollback() {
    try {
      if (!connection.isClosed()) {
        int unused = bound(ROLLBACK).executeUpdate();
      }
    } catch (SQLException e) {
      forget(ROLLBACK);
      log.debug("nothing to roll back in {}", file, e);
    }
  }

  /** The driver ends a statement that has failed: used again, it would fail for ever. */
  private void forget(String sql) {
    PreparedStatement failed = prepared.remove(sql);
    try {
      if (failed != null) {
        failed.close();
      }
    } catch (SQLException e) {
      log.debug("a statement that had failed could not be closed in {}", file, e);
    }
  }

  void close() throws SQLException {
    for (PreparedStatement statement : prepared.values()) {
      statement.close();
    }
    prepared.clear();
  }

  private PreparedStatement bound(String sql, @Nullable Object... arguments) throws SQLException {
    PreparedStatement statement = prepared(sql);
    JdbcRow.bind(statement, arguments);
    return statement;
  }

  // Closed with the store: they live as long as the connection.
  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }
}
