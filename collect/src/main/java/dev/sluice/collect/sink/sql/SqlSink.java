package dev.sluice.collect.sink.sql;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.sink.Sink;
import dev.sluice.control.Ticker;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Store;
import java.util.Properties;

/**
 * Sinks that write records as rows.
 *
 * <p>A stream's table has a column for each member that ever had a value, made when it first comes;
 * objects and arrays are kept as JSON. A record with a key replaces the row with the same key,
 * unless that row's cursor is higher, or, with the same cursor or none, was fetched later: so
 * catch-up never undoes what steady work has written. Records of a stream without a key are
 * appended.
 *
 * <p>Columns that begin with {@code _sluice_} are the sink's own: {@code _sluice_key}, {@code
 * _sluice_cursor}, and {@code _sluice_fetched}, in milliseconds since 1970. Two members whose names
 * differ only in capitals have two columns, and the second one's name ends in a digest; so does a
 * name that is too long, or that the database keeps for itself. Which table is whose is in {@code
 * _sluice_table}. How many columns a table can have is up to the database (SQLite 2,000, PostgreSQL
 * 1,600).
 *
 * <p>A slice is held back until its end: 8 MiB of it in memory, what is beyond in a temporary file.
 */
public final class SqlSink {
  /** For people, with its article. */
  static final String KIND = "this SQL sink";

  private SqlSink() {}

  /**
   * Tables in the state database, named {@code collection.stream}. Rows and bookmark are one
   * transaction: each record is there exactly once.
   *
   * @param dialect which kind of database the store is in
   * @param clock tells when a record was fetched
   */
  public static Sink inStore(Dialect dialect, Ticker clock) {
    return new StoreSink(requireNonNull(dialect, "dialect"), requireNonNull(clock, "clock"));
  }

  /**
   * Tables in another database, named after the streams; after collection and stream where that
   * name is taken. Rows are written with a marker of their slice in one transaction, so that a
   * slice whose bookmark did not move is not written a second time, and so that a writer with an
   * older lease is refused there, too.
   *
   * @param url a JDBC address that begins with {@code jdbc:sqlite:} or {@code jdbc:postgresql:}. A
   *     PostgreSQL server that stays silent for ten minutes is given up, unless the address has a
   *     {@code socketTimeout} of its own
   * @param login what the driver needs to know and nobody should see: {@code user}, {@code
   *     password}
   * @param time tells when a record was fetched
   * @throws IllegalArgumentException if it is the address of another kind of database
   */
  public static Sink at(String url, Properties login, Time time) {
    Store database = Store.ofTables(url, login, time);
    boolean sqlite = url.startsWith("jdbc:sqlite:");
    return new DatabaseSink(database, sqlite ? Dialect.SQLITE : Dialect.POSTGRESQL, time);
  }
}
