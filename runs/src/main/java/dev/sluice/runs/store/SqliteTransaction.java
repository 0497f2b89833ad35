package dev.sluice.runs.store;

import static java.util.Objects.requireNonNullElseGet;

import dev.sluice.gate.time.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The statements of a store's one connection; prepared once each. Guarded by the store's lock. */
final class SqliteTransaction implements Transaction {
  private static final Logger log = LoggerFactory.getLogger(SqliteTransaction.class);

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
      throw Trouble.with(file, e);
    }
  }

  @Override
  public <T> List<T> rows(String sql, Reader<T> reader, @Nullable Object... arguments) {
    List<T> found = new ArrayList<>();
    try (ResultSet results = bound(sql, arguments).executeQuery()) {
      Row row = new ResultRow(results);
      while (results.next()) {
        found.add(reader.read(row));
      }
    } catch (SQLException e) {
      throw Trouble.with(file, e);
    }
    return found;
  }

  /**
   * A rollback that fails has nothing to add to what led to it; SQLite may have done it already.
   */
  void rollback() {
    try {
      if (!connection.isClosed()) {
        int unused = bound("rollback").executeUpdate();
      }
    } catch (SQLException e) {
      log.debug("nothing to roll back in {}", file, e);
    }
  }

  void close() throws SQLException {
    for (PreparedStatement statement : prepared.values()) {
      statement.close();
    }
    prepared.clear();
  }

  // Closed with the store: they live as long as the connection.
  private PreparedStatement bound(String sql, @Nullable Object... arguments) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    for (int i = 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      if (argument instanceof byte[] bytes) {
        statement.setBytes(i + 1, bytes);
      } else {
        statement.setObject(
            i + 1, argument instanceof Instant instant ? instant.toEpochMilli() : argument);
      }
    }
    return statement;
  }

  private final class ResultRow implements Row {
    private final ResultSet results;

    ResultRow(ResultSet results) {
      this.results = results;
    }

    @Override
    public long number(int column) {
      try {
        return results.getLong(column);
      } catch (SQLException e) {
        throw Trouble.with(file, e);
      }
    }

    @Override
    public String text(int column) {
      return requireNonNullElseGet(textOrNull(column), () -> missing(column));
    }

    private String missing(int column) {
      throw new IllegalStateException("column " + column + " of a row of " + file + " is null");
    }

    @Override
    public @Nullable String textOrNull(int column) {
      try {
        return results.getString(column);
      } catch (SQLException e) {
        throw Trouble.with(file, e);
      }
    }

    @Override
    public byte[] bytes(int column) {
      try {
        return requireNonNullElseGet(results.getBytes(column), () -> new byte[0]);
      } catch (SQLException e) {
        throw Trouble.with(file, e);
      }
    }

    @Override
    public Instant time(int column) {
      return Instant.ofEpochMilli(number(column));
    }

    @Override
    public boolean isNull(int column) {
      try {
        return results.getObject(column) == null;
      } catch (SQLException e) {
        throw Trouble.with(file, e);
      }
    }
  }
}
