package dev.sluice.collect.sink.sql;

import static dev.sluice.collect.sink.sql.Bench.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A stream without a key shows every repetition. Processes die between any two steps, or stand
 * still and wake up when others have gone on: each record is there once.
 */
class SqlExactlyOnceTest {
  private static final Track TRACK = new Track("github", "events", "", Mode.STEADY);
  private static final List<StreamShape> EVENTS =
      List.of(new StreamShape("events", List.of(), Optional.empty()));

  static LongStream seeds() {
    return LongStream.range(0, 20L * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void in_the_state_database(long seed) throws Exception {
    try (Store store = Store.inMemory(Time.real())) {
      Sink sink = SqlSink.inStore(Dialect.SQLITE, new Bench.HandSetClock());
      World world =
          new World(seed, store, sink) {
            @Override
            List<Long> rows() {
              return store.read(
                  transaction ->
                      transaction
                              .row(
                                  "select 1 from sqlite_schema where name = 'github.events'",
                                  row -> 1)
                              .isEmpty()
                          ? List.of()
                          : transaction.rows(
                              "select n from \"github.events\" order by n", row -> row.number(1)));
            }

            @Override
            boolean mayBeAhead() {
              return false;
            }
          };
      world.play();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void in_another_database(long seed) throws Exception {
    String url = "jdbc:sqlite:file:once" + seed + "?mode=memory&cache=shared";
    try (Connection keeper = DriverManager.getConnection(url);
        Store store = Store.inMemory(Time.real());
        Sink sink = SqlSink.at(url, new Properties(), Time.real())) {
      World world =
          new World(seed, store, sink) {
            @Override
            List<Long> rows() throws SQLException {
              List<Long> rows = new ArrayList<>();
              try (Statement statement = keeper.createStatement()) {
                try (ResultSet there =
                    statement.executeQuery("select 1 from sqlite_schema where name = 'events'")) {
                  if (!there.next()) {
                    return rows;
                  }
                }
                try (ResultSet results =
                    statement.executeQuery("select n from events order by n")) {
                  while (results.next()) {
                    rows.add(results.getLong(1));
                  }
                }
              }
              return rows;
            }

            @Override
            boolean mayBeAhead() {
              return true;
            }
          };
      world.play();
    }
  }

  /** A provider that has the numbers from 0 up, a bookmark, and processes that move it. */
  private abstract static class World {
    final SplittableRandom random;
    final Store store;
    final Sink sink;
    final List<Run> stalled = new ArrayList<>();
    Optional<String> mark = Optional.empty();
    long cursor;
    long fence;

    World(long seed, Store store, Sink sink) {
      this.random = new SplittableRandom(seed);
      this.store = store;
      this.sink = sink;
    }

    abstract List<Long> rows() throws SQLException;

    /** Whether rows can be durable before their bookmark is. */
    abstract boolean mayBeAhead();

    void play() throws Exception {
      for (int process = 0; process < 10; process++) {
        Run run = new Run(this);
        check();
        while (run.goesOn()) {
          checkRoughly();
        }
        checkRoughly();
      }
      Run last = new Run(this);
      check();
      last.writer.close();
    }

    /** After an opening, the rows are those before the bookmark. */
    void check() throws SQLException {
      assertThat(rows()).isEqualTo(LongStream.range(0, cursor).boxed().toList());
    }

    void checkRoughly() throws SQLException {
      List<Long> rows = rows();
      assertThat(rows).isEqualTo(LongStream.range(0, rows.size()).boxed().toList());
      assertThat((long) rows.size()).isGreaterThanOrEqualTo(cursor);
      if (!mayBeAhead()) {
        assertThat((long) rows.size()).isEqualTo(cursor);
      }
    }
  }

  /** One process. */
  private static final class Run {
    final World world;
    final long fence;
    final SliceWriter writer;
    private long read;

    Run(World world) throws IOException, InterruptedException {
      this.world = world;
      this.fence = ++world.fence;
      this.writer = world.sink.open(TRACK, EVENTS, fence, world.mark);
      Optional<SliceEnd> durable = writer.unacknowledged();
      if (durable.isPresent()) {
        boolean moved = move(writer.prepare(durable.get()), durable.get());
        assertThat(moved).isTrue();
        writer.acknowledge();
      }
      this.read = world.cursor;
    }

    /** One step; false if it ended, died or stands still. */
    boolean goesOn() throws IOException, InterruptedException {
      switch (world.random.nextInt(10)) {
        case 0 -> {
          return false; // killed
        }
        case 1 -> {
          world.stalled.add(this);
          return false;
        }
        case 2 -> {
          writer.close();
          return false;
        }
        case 3 -> {
          writer.giveUp();
          read = world.cursor;
        }
        case 4 -> {
          for (Run old : world.stalled) {
            old.wake();
          }
        }
        case 5, 6, 7 -> {
          for (int count = world.random.nextInt(5); count > 0; count--) {
            writer.write("events", record("", "", "{\"n\":" + read++ + "}"));
          }
        }
        default -> {
          return commits();
        }
      }
      return true;
    }

    private boolean commits() throws IOException, InterruptedException {
      SliceEnd end = SliceEnd.at("" + read, true);
      String mark = writer.prepare(end);
      if (world.random.nextInt(4) == 0) {
        return false; // killed before the bookmark moved
      }
      if (!move(mark, end)) {
        writer.giveUp();
        writer.close();
        return false;
      }
      if (world.random.nextInt(4) == 0) {
        return false; // killed before it heard of it
      }
      writer.acknowledge();
      return true;
    }

    /** The transaction of the bookmark, which may break off; false if it did. */
    private boolean move(String mark, SliceEnd end) {
      boolean breaksOff = fence < world.fence || (fence > 1 && world.random.nextInt(6) == 0);
      try {
        world.store.write(
            transaction -> {
              writer.commit(transaction);
              if (breaksOff && read > world.cursor) {
                throw new StoreException(StoreException.Problem.OTHER, "broken off", null);
              }
              return null;
            });
      } catch (StoreException e) {
        return false;
      }
      if (fence == world.fence) {
        world.mark = Optional.of(mark);
        world.cursor = Long.parseLong(end.cursor().orElseThrow());
      }
      return true;
    }

    /** What it wanted to do next, although its lease is lost. */
    private void wake() throws InterruptedException {
      try {
        writer.write("events", record("", "", "{\"n\":1000000}"));
        String unused = writer.prepare(SliceEnd.at("1000001", true));
        world.store.write(
            transaction -> {
              writer.commit(transaction);
              throw new StoreException(StoreException.Problem.OTHER, "the lease is lost", null);
            });
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("another run has taken over");
      } catch (IllegalStateException | StoreException e) {
        // It waits for a commit that never comes, or was refused one.
      }
    }
  }
}
