package dev.sluice.collect.sink.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Statements in one transaction of a connection. Rows that are added go in batches. */
final class JdbcStatements implements Statements, AutoCloseable {
  private final Connection connection;
  private final Map<String, Batch> batches = new HashMap<>();

  JdbcStatements(Connection connection) {
    this.connection = connection;
  }

  private static final class Batch {
    private final PreparedStatement statement;
    private int rows;

    Batch(PreparedStatement statement) {
      this.statement = statement;
    }

    void flush() throws SQLException {
      if (rows > 0) {
        rows = 0;
        int[] unused = statement.executeBatch();
      }
    }
  }

  @Override
  public int update(String sql, @Nullable Object... arguments) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, arguments);
      return statement.executeUpdate();
    }
  }

  @Override
  public void add(String sql, @Nullable Object... arguments) throws SQLException {
    Batch batch = batches.get(sql);
    if (batch == null) {
      batch = new Batch(connection.prepareStatement(sql));
      batches.put(sql, batch);
    }
    bind(batch.statement, arguments);
    batch.statement.addBatch();
    if (++batch.rows == BATCH_ROWS) {
      batch.flush();
    }
  }

  @Override
  public List<List<@Nullable String>> rows(String sql, int columns, @Nullable Object... arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, arguments);
      List<List<@Nullable String>> rows = new ArrayList<>();
      try (ResultSet results = statement.executeQuery()) {
        while (results.next()) {
          List<@Nullable String> row = new ArrayList<>(columns);
          for (int column = 1; column <= columns; column++) {
            row.add(results.getString(column));
          }
          rows.add(row);
        }
      }
      return rows;
    }
  }

  @Override
  public void flush() throws SQLException {
    for (Batch batch : batches.values()) {
      batch.flush();
    }
  }

  @Override
  public void close() throws SQLException {
    for (Batch batch : batches.values()) {
      batch.statement.close();
    }
  }

  private static void bind(PreparedStatement statement, @Nullable Object... arguments)
      throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
  }
}
