package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL. A store has a schema of its own for its tables, and a table for the stamp.
 *
 * <p>Whoever writes to a store holds one lock of the database for as long as its transaction lasts
 * ({@code pg_advisory_xact_lock}, one per store), so that nobody else writes meanwhile, and every
 * statement sees all that was committed before. Serializable transactions would promise the same
 * and let writers run side by side, but some would have to be run again, and {@linkplain Work work}
 * runs once: it may have told others already. What is written is little, and grouped by those who
 * have much. The server gives the lock back when a transaction ends, however it ends.
 *
 * <p>One connection writes, and up to {@value #READERS} read; each reading transaction sees one
 * moment. The clock is the server's, so that all machines agree.
 *
 * <p>Tables of others are written to side by side, as the database is set.
 */
final class PostgresDialect implements Dialect {
  /** How long another process's transaction is waited for. */
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

  private static final int READERS = 3;

  /** A server that is away for so long may just restart; leases last three times as long. */
  private static final Duration LONGEST_RESTART = Duration.ofSeconds(20);

  /**
   * How long the server lets a transaction of ours stand still. A process that was stopped in the
   * middle of one, or lost its network, would keep everybody else from writing.
   */
  private static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(30);

  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

  /** After so long without an answer the server is gone; no statement of ours takes that long. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  /** A table that is rewritten, because a column's type changes, may take its minutes. */
  private static final Duration LONGEST_REWRITE = Duration.ofMinutes(10);

  private static final String TIME = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";

  /** The clock is read with the lock in hand: of two transactions, the later one reads later. */
  private static final String BEGIN_WRITE =
      "with locked as materialized (select pg_advisory_xact_lock(?, ?)) select "
          + TIME
          + " from locked";

  private static final String BEGIN_READ = "select " + TIME;

  /** What is written is on the disk when it is committed, even if the server is set otherwise. */
  private static final String SETTINGS =
      """
      select set_config('lock_timeout', ?, false),
        set_config('idle_in_transaction_session_timeout', ?, false),
        set_config('synchronous_commit', case current_setting('synchronous_commit')
          when 'off' then 'on' else current_setting('synchronous_commit') end, false)
      """;

  private final PostgresErrors errors;
  private final String url;
  private final Properties settings = new Properties();
  private final String schema; // of a store; empty for tables of others
  private final @Nullable InstantSource clock; // null for the server's

  private PostgresDialect(
      PostgresErrors errors,
      String url,
      Duration longestSilence,
      String schema,
      @Nullable InstantSource clock) {
    this.errors = errors;
    this.url = url;
    this.schema = schema;
    this.clock = clock;
    // Without them a server that falls silent holds a run, and its leases, for ever.
    settings.setProperty("connectTimeout", Long.toString(LONGEST_CONNECT.toSeconds()));
    settings.setProperty("socketTimeout", Long.toString(longestSilence.toSeconds()));
    settings.setProperty("tcpKeepAlive", "true");
    settings.setProperty("ApplicationName", "sluice");
  }

  /**
   * Opens a store, and makes the schema and its tables if there are none.
   *
   * @param time on which a server is waited for that restarts
   * @param clock instead of the server's, for tests in simulated time; null for the server's
   */
  static Store open(
      DatabaseAddress address, Login login, Time time, @Nullable InstantSource clock) {
    String schema = address.schema();
    PostgresDialect dialect =
        new PostgresDialect(
            new PostgresErrors("store " + address, "schema '" + schema + "'"),
            address.jdbc(),
            LONGEST_SILENCE,
            schema,
            clock);
    dialect.settings.setProperty("currentSchema", schema);
    if (!login.user().isEmpty()) {
      dialect.settings.setProperty("user", login.user());
    }
    if (!login.password().isEmpty()) {
      dialect.settings.setProperty("password", login.password());
    }
    return new JdbcStore(dialect, time, READERS, LONGEST_RESTART).upToDate();
  }

  /** For tables of others. */
  static Dialect forTables(String what, String url, Properties login, Time time) {
    PostgresDialect dialect =
        new PostgresDialect(
            new PostgresErrors(what, "schema"), url, LONGEST_REWRITE, "", time::instant);
    dialect.settings.putAll(login);
    return dialect;
  }

  @Override
  public Connection connect(boolean writes) throws SQLException {
    Connection fresh = driver().connect(url, settings);
    if (fresh == null) {
      throw errors.noDriver();
    }
    try (PreparedStatement statement = fresh.prepareStatement(SETTINGS)) {
      if (!schema.isEmpty()) {
        JdbcRow.bind(
            statement,
            Long.toString(LOCK_TIMEOUT.toMillis()),
            Long.toString(LONGEST_STANDSTILL.toMillis()));
        boolean unused = statement.execute();
        fresh.setReadOnly(!writes);
        fresh.setTransactionIsolation(
            writes
                ? Connection.TRANSACTION_READ_COMMITTED
                : Connection.TRANSACTION_REPEATABLE_READ);
      }
      fresh.setAutoCommit(false);
      return fresh;
    } catch (SQLException e) {
      fresh.close();
      throw e;
    }
  }

  private Driver driver() {
    try {
      return DriverManager.getDriver(url);
    } catch (SQLException e) {
      throw errors.noDriver();
    }
  }

  @Override
  public InstantSource begin(JdbcTransaction transaction, Access access) throws SQLException {
    InstantSource given = clock;
    if (schema.isEmpty() && given != null) {
      return given; // begins with the first statement
    }
    Transaction.Reader<Instant> reader = row -> row.time(1);
    Instant now =
        (access == Access.WRITE
                ? transaction.query(BEGIN_WRITE, reader, Schema.APPLICATION, schema.hashCode())
                : transaction.query(BEGIN_READ, reader))
            .getFirst();
    return given == null ? () -> now : given;
  }

  @Override
  public void commit(JdbcTransaction transaction, Access access) throws SQLException {
    Connection connection = transaction.connection();
    Uninterruptibly.run(connection::commit);
  }

  @Override
  public void rollback(JdbcTransaction transaction) throws SQLException {
    Connection connection = transaction.connection();
    Uninterruptibly.run(connection::rollback);
  }

  @Override
  public <T extends @Nullable Object> T talk(Uninterruptibly.Call<T> call) throws SQLException {
    return Uninterruptibly.call(call);
  }

  @Override
  public boolean isBroken(SQLException e) {
    return PostgresErrors.isBroken(e);
  }

  @Override
  public StoreException error(SQLException e) {
    return errors.with(e);
  }

  @Override
  public StoreException errorAtCommit(SQLException e) {
    return errors.atCommit(e);
  }

  @Override
  public Stamp stamp(Transaction transaction) {
    boolean stamped =
        is(transaction, "select 1 from pg_tables where schemaname = ? and tablename = 'store'");
    if (!stamped) {
      boolean empty =
          !is(
              transaction,
              """
              select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
              where nspname = ? limit 1
              """);
      return new Stamp(empty, false, 0);
    }
    return transaction
        .row(
            "select version from store where application = ?",
            row -> new Stamp(false, true, row.number(1)),
            (long) Schema.APPLICATION)
        .orElse(new Stamp(false, false, 0));
  }

  /** Whether there is something in the schema that an argument names. */
  private boolean is(Transaction transaction, String sql) {
    return transaction.row(sql, row -> 1, schema).isPresent();
  }

  @Override
  public void prepare(Transaction transaction) {
    // Asked first: even with "if not exists" it is only for those who may make schemas, and an
    // administrator may have made this one for a user who may not.
    if (!is(transaction, "select 1 from pg_namespace where nspname = ?")) {
      int unused = transaction.update("create schema " + schema);
    }
    int unused =
        transaction.update(
            "create table if not exists store (application bigint primary key, version bigint)");
  }

  @Override
  public void stamp(Transaction transaction, int version) {
    int unused =
        transaction.update(
            """
            insert into store (application, version) values (?, ?)
            on conflict (application) do update set version = excluded.version
            """,
            (long) Schema.APPLICATION,
            version);
  }

  /** Texts are compared byte by byte, as SQLite does, whatever the database's language is. */
  @Override
  public String translated(String sql) {
    return sql.replace(" without rowid", "")
        .replace(
            " id integer primary key", " id bigint generated by default as identity primary key")
        .replaceAll("\\binteger\\b", "bigint")
        .replaceAll("\\bblob\\b", "bytea")
        .replaceAll(" text\\b", " text collate \"C\"");
  }

  @Override
  public StoreException foreign() {
    return errors.foreign();
  }

  @Override
  public String toString() {
    return errors.what();
  }
}
