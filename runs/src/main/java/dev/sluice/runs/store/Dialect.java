package dev.sluice.runs.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What one kind of database does differently from another: how it is connected to, how its
 * transactions begin and end, what its errors mean, the words for a store's tables, and how it is
 * stamped as a store. All other statements are written so that every kind understands them.
 */
interface Dialect {

  /** What a transaction is for. */
  enum Access {
    WRITE,
    READ,
    /** A single statement. */
    LOOK
  }

  /**
   * What a database says of itself.
   *
   * @param empty whether there is nothing in it yet
   * @param ours whether it is a store
   * @param version the version of its schema; 0 if it is none
   */
  record Stamp(boolean empty, boolean ours, long version) {}

  /**
   * A new connection.
   *
   * @param writes whether transactions on it may write
   */
  Connection connect(boolean writes) throws SQLException;

  /**
   * Begins a transaction.
   *
   * @return the clock that it goes by
   */
  InstantSource begin(JdbcTransaction transaction, Access access) throws SQLException;

  void commit(JdbcTransaction transaction, Access access) throws SQLException;

  /** Undoes a transaction. If that cannot be done, the connection is of no use any more. */
  void rollback(JdbcTransaction transaction) throws SQLException;

  /** Talks to the database, so that no interrupt breaks it off. */
  default <T extends @Nullable Object> T talk(Uninterruptibly.Call<T> call) throws SQLException {
    return call.run();
  }

  /** Whether the connection is gone. */
  default boolean isBroken(SQLException e) {
    return false;
  }

  /** What is wrong, and what can be done. */
  StoreException error(SQLException e);

  /** The same while a commit is on its way. */
  default StoreException errorAtCommit(SQLException e) {
    return error(e);
  }

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

  /** As people know it: {@code store state.db}. */
  @Override
  String toString();
}
