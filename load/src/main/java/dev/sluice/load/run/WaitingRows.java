package dev.sluice.load.run;

import dev.sluice.runs.store.Transaction;
import java.util.Collection;
import java.util.List;

/**
 * Rows that are in the table and wait for their look-ups to other rows of the input, in the store.
 * Stateless, and so thread-safe.
 *
 * @param run whose rows
 */
record WaitingRows(long run) {

  /**
   * A row that waits.
   *
   * @param index its place in the input, from 0
   * @param chain the input's chain after it
   */
  record Waiting(long index, long chain) {}

  void add(Transaction transaction, Collection<Waiting> rows) {
    for (Waiting row : rows) {
      int unused =
          transaction.update(
              "insert into waiting_row (run, row_index, chain) values (?, ?, ?)",
              run,
              row.index(),
              row.chain());
    }
  }

  void remove(Transaction transaction, Collection<Long> rows) {
    for (long row : rows) {
      int unused =
          transaction.update("delete from waiting_row where run = ? and row_index = ?", run, row);
    }
  }

  /** The next ones after a row, in the order of the input. */
  List<Waiting> after(Transaction transaction, long row, int most) {
    return transaction.rows(
        """
        select row_index, chain from waiting_row where run = ? and row_index > ?
        order by row_index limit ?
        """,
        found -> new Waiting(found.number(1), found.number(2)),
        run,
        row,
        most);
  }

  long count(Transaction transaction) {
    return transaction
        .row("select count(*) from waiting_row where run = ?", row -> row.number(1), run)
        .orElse(0L);
  }

  void forget(Transaction transaction) {
    int unused = transaction.update("delete from waiting_row where run = ?", run);
  }
}
