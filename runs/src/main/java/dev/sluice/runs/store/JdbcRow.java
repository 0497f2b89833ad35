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
 * @param errors tells what the database's exceptions mean
 */
record JdbcRow(ResultSet results, Function<SQLException, StoreException> errors)
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
      Function<SQLException, StoreException> errors)
      throws SQLException {
    List<T> found = new ArrayList<>();
    Transaction.Row row = new JdbcRow(results, errors);
    while (results.next()) {
      found.add(reader.read(row));
    }
    return found;
  }

  /** Reads a column. */
  private interface Read<T extends @Nullable Object> {
    T of(int column) throws SQLException;
  }

  private <T extends @Nullable Object> T read(Read<T> read, int column) {
    try {
      return read.of(column);
    } catch (SQLException e) {
      throw errors.apply(e);
    }
  }

  @Override
  public long number(int column) {
    return read(results::getLong, column);
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
    return this.<@Nullable String>read(results::getString, column);
  }

  @Override
  public byte[] bytes(int column) {
    return requireNonNullElseGet(
        this.<byte @Nullable []>read(results::getBytes, column), () -> new byte[0]);
  }

  @Override
  public Instant time(int column) {
    return Instant.ofEpochMilli(number(column));
  }

  @Override
  public boolean isNull(int column) {
    return this.<@Nullable Object>read(results::getObject, column) == null;
  }
}
