package dev.sluice.collect.sink.sql;

import dev.sluice.runs.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements in a transaction of the state database. */
record StoreStatements(Transaction transaction) implements Statements {

  @Override
  public int update(String sql, @Nullable Object... arguments) {
    return transaction.update(sql, arguments);
  }

  @Override
  public void add(String sql, @Nullable Object... arguments) {
    int unused = transaction.update(sql, arguments);
  }

  @Override
  public List<List<@Nullable String>> rows(String sql, int columns, @Nullable Object... arguments) {
    return transaction.rows(
        sql,
        row -> {
          List<@Nullable String> texts = new ArrayList<>(columns);
          for (int column = 1; column <= columns; column++) {
            texts.add(row.textOrNull(column));
          }
          return texts;
        },
        arguments);
  }
}
