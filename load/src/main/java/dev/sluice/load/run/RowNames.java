package dev.sluice.load.run;

import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.load.RowIds;
import dev.sluice.load.mapping.Links;
import dev.sluice.runs.store.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of an input are called, and where they are in the table, in the store: an input may
 * have more rows than memory. Stateless, and so thread-safe.
 *
 * @param run whose rows
 * @param ids of rows that did not bring their own
 */
record RowNames(long run, RowIds ids) {
  /** So many are forgotten in one commit: others want to write, too. */
  private static final int AT_ONCE = 50_000;

  /** Who has a name. */
  sealed interface Bearer {
    /** Nobody. */
    record None() implements Bearer {}

    /** A row that was rejected, from 0. */
    record Rejected(long row) implements Bearer {}

    /** Several rows that are not the same in the table; the first two of them. */
    record Several(long first, long second) implements Bearer {}

    /**
     * One row.
     *
     * @param predicate what stands between the parentheses of its address
     */
    record One(String predicate) implements Bearer {}
  }

  private record Found(long row, @Nullable String address, boolean present) {}

  /**
   * Notes what a row is called that was sent.
   *
   * @param present whether it is in the table
   */
  void add(Transaction transaction, Item item, List<Links.Name> called, boolean present) {
    add(transaction, item.index(), called, item.ours() ? null : predicate(item.key()), present);
  }

  /** Notes what a row is called that was turned away. */
  void addRejected(Transaction transaction, long row, List<Links.Name> called) {
    add(transaction, row, called, null, false);
  }

  private void add(
      Transaction transaction,
      long row,
      List<Links.Name> called,
      @Nullable String address,
      boolean present) {
    for (Links.Name name : called) {
      int unused =
          transaction.update(
              """
              insert into row_name (run, list, name, row_index, address, present)
              values (?, ?, ?, ?, ?, ?)
              """,
              run,
              name.list(),
              name.name(),
              row,
              address,
              present ? 1 : 0);
    }
  }

  /** Who is meant by a name. Rows that are in go before others: these cannot be meant any more. */
  Bearer bearer(Transaction transaction, int list, String name) {
    // An upsert may name one row of the table many times: that is one bearer.
    List<Found> found =
        transaction.rows(
            """
            select min(row_index), min(address), present from row_name
            where run = ? and list = ? and name = ?
            group by present, address, case when address is null then row_index end
            order by present desc, 1 limit 2
            """,
            row -> new Found(row.number(1), row.textOrNull(2), row.number(3) != 0),
            run,
            list,
            name);
    if (found.isEmpty()) {
      return new Bearer.None();
    }
    Found first = found.getFirst();
    if (!first.present()) {
      return new Bearer.Rejected(first.row());
    }
    if (found.size() > 1 && found.get(1).present()) {
      return new Bearer.Several(first.row(), found.get(1).row());
    }
    String address = first.address();
    return new Bearer.One(address == null ? ids.id(first.row()).toString() : address);
  }

  /**
   * Forgets some names of the run.
   *
   * @return whether there were any left
   */
  boolean forgetSome(Transaction transaction) {
    return transaction.update(
            """
            delete from row_name where (run, list, name, row_index) in
              (select run, list, name, row_index from row_name where run = ? limit ?)
            """,
            run,
            AT_ONCE)
        > 0;
  }

  static String predicate(RecordKey key) {
    return switch (key) {
      case RecordKey.Id id -> id.id().toString();
      case RecordKey.Alternate alternate -> alternate.predicate();
    };
  }
}
