package dev.sluice.collect.sink.sql;

import dev.sluice.runs.store.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Statements in a transaction of the state database. */
final class StoreStatements implements Statements {
  private final Transaction transaction;
  private final Map<String, List<@Nullable Object[]>> added = new LinkedHashMap<>();

  StoreStatements(Transaction transaction) {
    this.transaction = transaction;
  }

  @Override
  public int update(String sql, @Nullable Object... arguments) {
    return transaction.update(sql, arguments);
  }

  @Override
  public void add(String sql, @Nullable Object... arguments) {
    List<@Nullable Object[]> rows = added.computeIfAbsent(sql, unused -> new ArrayList<>());
    rows.add(arguments);
    if (rows.size() == BATCH_ROWS) {
      transaction.updateAll(sql, rows);
      rows.clear();
    }
  }

  @Override
  public void flush() {
    added.forEach(transaction::updateAll);
    added.clear();
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
