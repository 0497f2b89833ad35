package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.control.Ticker;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.PostgresServer;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A sink with its database, a clock that is set by hand, and a store that takes every commit. */
final class Bench implements AutoCloseable {
  /** Where the tables are. */
  enum Way {
    IN_STORE,
    SQLITE,
    POSTGRESQL
  }

  /** A clock that only tests move. */
  static final class HandSetClock implements Ticker {
    private long millis = 1_000;

    void set(long to) {
      millis = to;
    }

    @Override
    public long nanos() {
      return millis * 1_000_000;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }
  }

  final Way way;
  final HandSetClock clock = new HandSetClock();
  final Sink sink;
  private final Store store;
  private final String url;
  private final Properties login = new Properties();

  Bench(Way way, Path folder) throws SQLException {
    this.way = way;
    Path file = folder.resolve("tables.db");
    switch (way) {
      case IN_STORE -> {
        url = "jdbc:sqlite:" + file;
        store = Store.open(file, Time.real());
        sink = SqlSink.inStore(Dialect.SQLITE, clock);
      }
      case SQLITE -> {
        url = "jdbc:sqlite:" + file;
        store = Store.inMemory(Time.real());
        sink = sink(Dialect.SQLITE);
      }
      case POSTGRESQL -> {
        url = PostgresServer.running().url();
        login.setProperty("user", PostgresServer.LOGIN.user());
        login.setProperty("password", PostgresServer.LOGIN.password());
        login.setProperty("currentSchema", "sink_test");
        store = Store.inMemory(Time.real());
        sink = sink(Dialect.POSTGRESQL);
        List<?> unused = rows("drop schema if exists sink_test cascade");
        List<?> unusedToo = rows("create schema sink_test");
      }
      default -> throw new AssertionError(way);
    }
  }

  private Sink sink(Dialect dialect) {
    return new DatabaseSink(Store.ofTables(url, login, Time.real()), dialect, clock);
  }

  SliceWriter open(Track track, long fence, Optional<String> mark, StreamShape... streams)
      throws IOException {
    return sink.open(track, List.of(streams), fence, mark);
  }

  /** Commits as a run does; returns the mark. */
  String commit(SliceWriter writer, SliceEnd end) throws IOException, InterruptedException {
    String mark = writer.prepare(end);
    store.write(
        transaction -> {
          writer.commit(transaction);
          return null;
        });
    writer.acknowledge();
    return mark;
  }

  Store store() {
    return store;
  }

  /** The table of a stream, by the name that it has if nobody else wanted it. */
  String table(String collection, String stream) {
    return Identifiers.quoted(way == Way.IN_STORE ? collection + "." + stream : stream);
  }

  /** Each row as texts with commas between them. */
  List<String> rows(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, login);
        Statement statement = connection.createStatement()) {
      List<String> rows = new ArrayList<>();
      if (statement.execute(sql)) {
        try (ResultSet results = statement.getResultSet()) {
          while (results.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
              row.add(String.valueOf(results.getString(i)));
            }
            rows.add(String.join(", ", row));
          }
        }
      }
      return rows;
    }
  }

  static CollectedRecord record(String key, String cursor, String json) {
    return new CollectedRecord(key, cursor, (ObjectNode) JsonMapper.shared().readTree(json));
  }

  @Override
  public void close() throws IOException {
    sink.close();
    store.close();
  }
}
