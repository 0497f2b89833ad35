package dev.sluice.runs.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements of one transaction; guarded by its session's lock. */
final class PostgresTransaction implements Transaction {
  private final DatabaseAddress address;
  private final Connection connection;
  private final InstantSource clock;

  PostgresTransaction(DatabaseAddress address, Connection connection, InstantSource clock) {
    this.address = address;
    this.connection = connection;
    this.clock = clock;
  }

  @Override
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public int update(String sql, @Nullable Object... arguments) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      JdbcRow.bind(statement, arguments);
      return Undisturbed.call(statement::executeUpdate);
    } catch (SQLException e) {
      throw PostgresTrouble.with(address, e);
    }
  }

  @Override
  public void updateAll(String sql, List<@Nullable Object[]> arguments) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (@Nullable Object[] each : arguments) {
        JdbcRow.bind(statement, each);
        statement.addBatch();
      }
      int[] unused = Undisturbed.call(statement::executeBatch);
    } catch (SQLException e) {
      throw PostgresTrouble.with(address, e);
    }
  }

  /** The driver reads a result whole before it hands it out: only asking for it is talking. */
  @Override
  public <T> List<T> rows(String sql, Reader<T> reader, @Nullable Object... arguments) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      JdbcRow.bind(statement, arguments);
      try (ResultSet results = Undisturbed.call(statement::executeQuery)) {
        return JdbcRow.all(results, reader, e -> PostgresTrouble.with(address, e));
      }
    } catch (SQLException e) {
      throw PostgresTrouble.with(address, e);
    }
  }

  /** To be called once, after the last statement. */
  void commit() {
    try {
      Undisturbed.run(connection::commit);
    } catch (SQLException e) {
      throw PostgresTrouble.atCommit(address, e);
    }
  }
}
