package dev.sluice.runs.store;

import static java.util.Objects.requireNonNullElseGet;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The row that a result stands on.
 *
 * @param results where it is read from
 * @param trouble tells what the database's exceptions mean
 */
record JdbcRow(ResultSet results, Function<SQLException, StoreException> trouble)
    implements Transaction.Row {

  /** Puts arguments in the places of a statement's question marks. */
  static void bind(PreparedStatement statement, @Nullable Object... arguments) throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      if (argument instanceof byte[] bytes) {
        statement.setBytes(i + 1, bytes);
      } else {
        statement.setObject(
            i + 1, argument instanceof Instant instant ? instant.toEpochMilli() : argument);
      }
    }
  }

  /** Everything that is left of a result. */
  static <T> List<T> all(
      ResultSet results,
      Transaction.Reader<T> reader,
      Function<SQLException, StoreException> trouble)
      throws SQLException {
    List<T> found = new ArrayList<>();
    Transaction.Row row = new JdbcRow(results, trouble);
    while (results.next()) {
      found.add(reader.read(row));
    }
    return found;
  }

  @Override
  public long number(int column) {
    try {
      return results.getLong(column);
    } catch (SQLException e) {
      throw trouble.apply(e);
    }
  }

  @Override
  public String text(int column) {
    return requireNonNullElseGet(textOrNull(column), () -> missing(column));
  }

  private static String missing(int column) {
    throw new IllegalStateException("column " + column + " of a row of the store is null");
  }

  @Override
  public @Nullable String textOrNull(int column) {
    try {
      return results.getString(column);
    } catch (SQLException e) {
      throw trouble.apply(e);
    }
  }

  @Override
  public byte[] bytes(int column) {
    try {
      return requireNonNullElseGet(results.getBytes(column), () -> new byte[0]);
    } catch (SQLException e) {
      throw trouble.apply(e);
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
      throw trouble.apply(e);
    }
  }
}
