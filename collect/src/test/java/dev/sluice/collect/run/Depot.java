package dev.sluice.collect.run;

import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.jsonlines.JsonLinesSink;
import dev.sluice.collect.sink.sql.Dialect;
import dev.sluice.collect.sink.sql.SqlSink;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Where the records of a collection called {@code mine} are put, and how a reader finds them. */
interface Depot extends AutoCloseable {
  /** The sink of a process, to be closed. */
  Sink sink(Time time);

  /** The ids of a stream's records as a reader sees them, in no order. */
  List<String> readable(Transaction state, String stream);

  /** The same, with what is durable and not yet to be read. */
  List<String> durable(Transaction state, String stream);

  @Override
  void close();

  /** The kinds of depot. */
  enum Kind {
    JSON_LINES {
      @Override
      Depot open(boolean postgres) {
        return new Lines();
      }
    },
    IN_THE_STATE_DATABASE {
      @Override
      Depot open(boolean postgres) {
        return new StateTables(postgres);
      }
    },
    IN_ANOTHER_DATABASE {
      @Override
      Depot open(boolean postgres) {
        return new OtherTables();
      }
    };

    /**
     * A new one.
     *
     * @param postgres whether the state is kept in PostgreSQL
     */
    abstract Depot open(boolean postgres);
  }

  /** JSON Lines in a temporary folder. */
  final class Lines implements Depot {
    /** So small that there are several files. */
    private static final long ROTATION = 200;

    private final Path folder;

    Lines() {
      try {
        folder = Files.createTempDirectory("sluice-depot");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Sink sink(Time time) {
      return new JsonLinesSink(folder, ROTATION);
    }

    @Override
    public List<String> readable(Transaction state, String stream) {
      return ids(stream, false);
    }

    @Override
    public List<String> durable(Transaction state, String stream) {
      return ids(stream, true);
    }

    private List<String> ids(String stream, boolean parts) {
      List<String> ids = new ArrayList<>();
      for (Path file : files()) {
        String name = String.valueOf(file.getFileName());
        if (name.matches(stream + "[.@].*[.]jsonl" + (parts ? "([.]part)?" : ""))) {
          try {
            for (String line : Files.readAllLines(file)) {
              ids.add(line.replaceFirst("^[{]\"id\":\"(.*)\"[}]$", "$1"));
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }
      return ids;
    }

    private List<Path> files() {
      Path mine = folder.resolve("mine");
      if (!Files.exists(mine)) {
        return List.of();
      }
      try (Stream<Path> files = Files.list(mine)) {
        return files.toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        for (Path file : files()) {
          Files.delete(file);
        }
        Files.deleteIfExists(folder.resolve("mine"));
        Files.delete(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Tables among those of the state. */
  record StateTables(boolean postgres) implements Depot {
    @Override
    public Sink sink(Time time) {
      return SqlSink.inStore(postgres ? Dialect.POSTGRESQL : Dialect.SQLITE, time);
    }

    @Override
    public List<String> readable(Transaction state, String stream) {
      String table = "\"mine." + stream + "\"";
      boolean there =
          state
              .row(
                  postgres
                      ? "select 1 where to_regclass('" + table + "') is not null"
                      : "select 1 from sqlite_schema where name = 'mine." + stream + "'",
                  row -> row.number(1))
              .isPresent();
      return there ? state.rows("select id from " + table, row -> row.text(1)) : List.of();
    }

    @Override
    public List<String> durable(Transaction state, String stream) {
      return readable(state, stream);
    }

    @Override
    public void close() {}
  }

  /** Tables in an SQLite database of their own, in memory. */
  final class OtherTables implements Depot {
    private static final AtomicLong made = new AtomicLong();

    private final String url =
        "jdbc:sqlite:file:depot" + made.incrementAndGet() + "?mode=memory&cache=shared";
    private final Connection keeper;

    OtherTables() {
      try {
        keeper = DriverManager.getConnection(url);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public Sink sink(Time time) {
      return SqlSink.at(url, new Properties(), time);
    }

    @Override
    public List<String> readable(Transaction state, String stream) {
      try (Statement statement = keeper.createStatement()) {
        List<String> found =
            texts(
                statement,
                "select name from sqlite_schema where type = 'table' and name = '" + stream + "'");
        return found.isEmpty() ? List.of() : texts(statement, "select id from " + stream);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    private static List<String> texts(Statement statement, String sql) throws SQLException {
      List<String> texts = new ArrayList<>();
      try (ResultSet results = statement.executeQuery(sql)) {
        while (results.next()) {
          texts.add(results.getString(1));
        }
      }
      return texts;
    }

    @Override
    public List<String> durable(Transaction state, String stream) {
      return readable(state, stream);
    }

    @Override
    public void close() {
      try {
        keeper.close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
