package dev.sluice.collect.sink.sql;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements of one transaction, wherever it is. Arguments take the places of the question marks:
 * {@code Long}, {@code Double}, {@code String} or null.
 */
interface Statements {
  /** How many rows are changed together at most. */
  int BATCH_ROWS = 200;

  /**
   * Changes rows, or the shape of a table.
   *
   * @return how many rows
   */
  int update(String sql, @Nullable Object... arguments) throws SQLException;

  /**
   * Changes a row, at once or a little later, together with others: {@link #flush} at the latest.
   */
  void add(String sql, @Nullable Object... arguments) throws SQLException;

  /** Changes what was added and has not been changed. */
  void flush() throws SQLException;

  /** Reads rows; each is as many texts as the statement selects. */
  List<List<@Nullable String>> rows(String sql, int columns, @Nullable Object... arguments)
      throws SQLException;
}
