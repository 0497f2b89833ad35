package dev.sluice.runs.store;

/**
 * What one kind of database says differently from another: the words for its tables, and how it is
 * stamped as a store. All other statements are written so that every kind understands them.
 */
interface Dialect {

  /**
   * What a database says of itself.
   *
   * @param empty whether there is nothing in it yet
   * @param ours whether it is a store
   * @param version the version of its schema; 0 if it is none
   */
  record Stamp(boolean empty, boolean ours, long version) {}

  /** Reads the stamp; changes nothing. */
  Stamp stamp(Transaction transaction);

  /** Stamps the database as a store with a version of the schema. */
  void stamp(Transaction transaction, int version);

  /** Makes what must be there before the first table. */
  default void prepare(Transaction transaction) {}

  /** A statement of the schema, which is written in SQLite's words, in those of this database. */
  default String translated(String sql) {
    return sql;
  }

  /** What is told if it belongs to another program. */
  StoreException foreign();

  /** What is told if a newer version of this program has written it. */
  StoreException newer(long found, int known);
}
