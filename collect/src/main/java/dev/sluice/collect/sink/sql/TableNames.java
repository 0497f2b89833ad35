package dev.sluice.collect.sink.sql;

import dev.sluice.runs.store.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * Which table belongs to which stream, as the database itself remembers it. A stream's first choice
 * is its own name; if somebody else has that, its collection comes before it.
 */
final class TableNames {
  private static final String REGISTER = "_sluice_table";

  private final Transaction transaction;
  private final Dialect dialect;
  private final boolean amongOthers;

  /**
   * For one transaction.
   *
   * @param amongOthers whether the collection always comes first: where the database has tables of
   *     its own with plain names
   */
  TableNames(Transaction transaction, Dialect dialect, boolean amongOthers) {
    this.transaction = transaction;
    this.dialect = dialect;
    this.amongOthers = amongOthers;
  }

  /** Makes the register if there is none. */
  void prepare() {
    if (exists(REGISTER)) {
      return;
    }
    lock();
    int unused =
        transaction.update(
            "create table if not exists "
                + REGISTER
                + " (collection text not null, stream text not null, name text not null unique,"
                + " primary key (collection, stream))");
  }

  /** The table of a stream; empty if it has none yet. */
  Optional<String> find(String collection, String stream) {
    return transaction.row(
        "select name from " + REGISTER + " where collection = ? and stream = ?",
        row -> row.text(1),
        collection,
        stream);
  }

  /** Chooses a name for a stream that has no table. The table must be made in this transaction. */
  String choose(String collection, String stream) {
    String full = collection + "." + stream;
    for (String name : amongOthers ? List.of(full) : List.of(stream, full)) {
      if (Identifiers.fits(name, List.of()) && !exists(name)) {
        return register(collection, stream, name);
      }
    }
    return register(collection, stream, Identifiers.distinct(full));
  }

  private String register(String collection, String stream, String name) {
    int unused =
        transaction.update(
            "insert into " + REGISTER + " (collection, stream, name) values (?, ?, ?)",
            collection,
            stream,
            name);
    return name;
  }

  private boolean exists(String table) {
    return transaction.row(dialect.tablesLike(), row -> 1, table).isPresent();
  }

  /** Until the transaction ends, nobody else makes or changes tables. */
  void lock() {
    if (!dialect.lock().isEmpty()) {
      List<?> unused = transaction.rows(dialect.lock(), row -> 1);
    }
  }
}
