package dev.sluice.collect.run;

import static dev.sluice.collect.run.FivePages.answer;
import static dev.sluice.collect.run.FivePages.assertFailed;
import static dev.sluice.collect.run.FivePages.everyItem;
import static dev.sluice.collect.run.FivePages.page;
import static dev.sluice.collect.run.FivePages.play;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.sql.SqlSink;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.Reason.Failure;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.PostgresServer;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.StoreException.Problem;
import dev.sluice.runs.store.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What goes wrong on this side while a collection runs: every trouble has its outcome and its
 * reason, the bookmark stays behind the last slice that is whole, and once the trouble is over the
 * next run goes on from there, so that every record is there once.
 */
class CollectionTroubleHereTest {
  /** A store that is gone after so many writes, until it is back. */
  private static final class VanishingStore implements Store {
    private final Store disk;
    private int left;

    VanishingStore(Store disk, int left) {
      this.disk = disk;
      this.left = left;
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> work) {
      if (left-- <= 0) {
        throw new StoreException(Problem.UNREACHABLE, "the store does not answer", null);
      }
      return disk.write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) {
      if (left <= 0) {
        throw new StoreException(Problem.UNREACHABLE, "the store does not answer", null);
      }
      return disk.read(work);
    }

    @Override
    public void close() {}
  }

  @Test
  void a_store_that_is_gone_at_any_write_costs_at_most_the_slice_under_way() {
    int writes = 0;
    boolean survived = false;
    while (!survived) {
      int left = writes++;
      boolean[] done = {false};
      play(
          scene -> {
            try {
              CollectionResult result =
                  scene.collect(
                      scene.request(),
                      scene.sink,
                      new VanishingStore(scene.store, left),
                      scene::send);
              done[0] = result.outcome().equals(new Outcome.Completed());
              if (!done[0]) {
                assertFailed(result, Failure.STORAGE);
              }
            } catch (StoreException e) {
              assertThat(e.problem()).isEqualTo(Problem.UNREACHABLE);
            }
            if (!scene.isWhole()) {
              scene.time.sleep(Duration.ofMinutes(2)); // its leases have expired
              assertThat(scene.collect().outcome()).isEqualTo(new Outcome.Completed());
            }
            assertThat(scene.sink.keys("items"))
                .as("gone after %d writes", left)
                .containsExactlyElementsOf(everyItem());
          });
      survived = done[0];
    }
    assertThat(writes)
        .as("every write of a run was the last one once")
        .isGreaterThan(FivePages.PAGES + 4);
  }

  /** A store whose connection breaks once, in the middle of a write or with its commit. */
  private static final class BreakingStore implements Store {
    private final Store disk;
    private final boolean committed;
    private int left;

    BreakingStore(Store disk, int left, boolean committed) {
      this.disk = disk;
      this.left = left;
      this.committed = committed;
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> work) {
      if (left-- != 0) {
        return disk.write(work);
      }
      if (committed) {
        Object unused = disk.write(work);
      }
      throw new StoreException(Problem.UNREACHABLE, "the server was restarted", null);
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) {
      return disk.read(work);
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_store_that_breaks_off_at_any_write_of_a_run_and_is_back_costs_a_slice_and_not_the_run(
      boolean committed) {
    int writes = 0;
    boolean beyond = false;
    while (!beyond) {
      int left = writes++;
      boolean[] done = {false};
      play(
          scene -> {
            BreakingStore store = new BreakingStore(scene.store, left, committed);
            try {
              CollectionResult result =
                  scene.collect(scene.request(), scene.sink, store, scene::send);
              assertThat(result.outcome())
                  .as("broken off after %d writes", left)
                  .isEqualTo(new Outcome.Completed());
              assertThat(scene.sink.keys("items"))
                  .hasSize(committed ? scene.sink.keys("items").size() : everyItem().size())
                  .containsAll(everyItem()); // a list that was read to its end may be read again
              assertThat(new Runs(scene.store, scene.time).latest(9))
                  .singleElement()
                  .matches(run -> run.outcome().equals(Optional.of(new Outcome.Completed())));
            } catch (StoreException e) {
              assertThat(scene.sink.keys("items")).as("nothing had begun").isEmpty();
            }
            done[0] = store.left >= 0;
          });
      beyond = done[0];
    }
    assertThat(writes).isGreaterThan(FivePages.PAGES + 4);
  }

  /** A store that is busy for as long as somebody says so, but only for who writes. */
  private static final class BusyStore implements Store {
    private final Store disk;
    private int refusals;

    BusyStore(Store disk) {
      this.disk = disk;
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> work) {
      if (refusals > 0) {
        refusals--;
        throw new StoreException(Problem.BUSY, "somebody else writes", null);
      }
      return disk.write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) {
      return disk.read(work);
    }

    @Override
    public void close() {}
  }

  @Test
  void a_wait_that_the_store_could_not_take_when_it_was_told_is_there_when_the_run_has_ended() {
    play(
        scene -> {
          BusyStore busy = new BusyStore(scene.store);
          Instant[] told = {Instant.EPOCH};
          scene.trouble(
              request -> {
                busy.refusals = 2; // the hold, and its evidence
                told[0] = scene.time.instant();
                return answer(429, "{}", "Retry-After", "3600");
              });
          CollectionResult result = scene.collect(scene.request(), scene.sink, busy, scene::send);
          assertThat(busy.refusals).as("the store was asked meanwhile").isZero();
          assertThat(result.outcome().reason()).isEqualTo(Reason.Pressure.RATE_LIMITED);
          List<LaneRecord> lanes = scene.store.read(Lanes::all);
          assertThat(lanes)
              .singleElement()
              .satisfies(
                  lane ->
                      assertThat(lane.holdUntil())
                          .isBetween(told[0].plusSeconds(3600), told[0].plusSeconds(3601)));
        });
  }

  @Test
  void a_database_for_records_whose_disk_is_full_costs_only_the_slice_and_says_so(
      @TempDir Path folder) {
    play(
        scene -> {
          String url = "jdbc:sqlite:" + folder.resolve("records.db");
          String note = "x".repeat(30_000);
          boolean[] large = {true};
          Transport verbose =
              request -> {
                WebAnswer answer = scene.send(request);
                boolean third = large[0] && request.uri().toString().contains("t2");
                return third
                    ? answer(200, answer.text().replace("}, {", ", \"note\": \"" + note + "\"}, {"))
                    : answer;
              };
          try (Sink small = SqlSink.at(url + "?max_page_count=10", new Properties(), scene.time)) {
            CollectionResult result = scene.collect(scene.request(), small, scene.store, verbose);
            assertFailed(result, Failure.STORAGE);
            assertThat(result.outcome().detail()).contains("the disk is full", "make room");
            assertThat(scene.bookmark()).hasValueSatisfying(at -> assertThat(at).contains("t2"));
          }
          assertThat(ids(url, new Properties(), "items")).containsExactly("1", "2", "3", "4");
          large[0] = false;
          try (Sink roomy = SqlSink.at(url, new Properties(), scene.time)) {
            assertThat(scene.collect(scene.request(), roomy, scene.store, verbose).outcome())
                .isEqualTo(new Outcome.Completed());
          }
          assertThat(ids(url, new Properties(), "items")).containsExactlyElementsOf(everyItem());
        });
  }

  @Test
  void a_database_server_for_records_that_breaks_off_costs_only_the_slice_and_says_so()
      throws SQLException {
    String url = PostgresServer.running().url();
    Properties login = new Properties();
    login.setProperty("user", PostgresServer.LOGIN.user());
    login.setProperty("password", PostgresServer.LOGIN.password());
    login.setProperty("ApplicationName", "records that break off");
    login.setProperty("currentSchema", "trouble_test");
    sql(url, login, "drop schema if exists trouble_test cascade");
    sql(url, login, "create schema trouble_test");
    play(
        scene -> {
          scene.trouble(
              request -> {
                try {
                  sql(
                      url,
                      login,
                      "select pg_terminate_backend(pid) from pg_stat_activity where pid <>"
                          + " pg_backend_pid() and application_name = 'records that break off'");
                } catch (SQLException e) {
                  throw new IOException(e);
                }
                return page(2);
              });
          try (Sink tables = SqlSink.at(url, login, scene.time)) {
            CollectionResult result =
                scene.collect(scene.request(), tables, scene.store, scene::send);
            assertFailed(result, Failure.STORAGE);
            assertThat(result.outcome().detail())
                .contains("cannot be reached", "run the same command again");
            assertThat(scene.bookmark()).hasValueSatisfying(at -> assertThat(at).contains("t2"));
            assertThat(ids(url, login, "items")).containsExactly("1", "2", "3", "4");
            scene.mend();
            assertThat(scene.collect(scene.request(), tables, scene.store, scene::send).outcome())
                .isEqualTo(new Outcome.Completed());
          }
          assertThat(scene.asked).containsExactly("page 2", "page 3", "page 4");
          assertThat(ids(url, login, "items")).containsExactlyElementsOf(everyItem());
        });
  }

  @Test
  void tables_written_under_another_state_are_told_and_not_taken_for_another_process(
      @TempDir Path folder) {
    play(
        scene -> {
          String url = "jdbc:sqlite:" + folder.resolve("records.db");
          try (Sink tables = SqlSink.at(url, new Properties(), scene.time);
              Store other = Store.inMemory(scene.time)) {
            for (int i = 0; i < 3; i++) {
              assertThat(scene.collect(scene.request(), tables, scene.store, scene::send).outcome())
                  .isEqualTo(new Outcome.Completed());
            }
            CollectionResult result = scene.collect(scene.request(), tables, other, scene::send);
            assertFailed(result, Failure.STORAGE);
            assertThat(result.outcome().detail()).contains("written under another state");
          }
          assertThat(ids(url, new Properties(), "items")).containsExactlyElementsOf(everyItem());
        });
  }

  private static void sql(String url, Properties login, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, login);
        Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  private static List<String> ids(String url, Properties login, String table) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, login);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select id from " + table + " order by id")) {
      List<String> ids = new ArrayList<>();
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
      return ids;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-3, 3})
  void a_clock_that_is_set_between_runs_loses_nothing(long hours) {
    play(
        scene -> {
          scene.trouble(request -> answer(429, "{}", "Retry-After", "600"));
          CollectionResult result = scene.collect();
          assertThat(result.outcome().reason()).isEqualTo(Reason.Pressure.RATE_LIMITED);
          scene.assertStandsBeforeTheThirdPage(result);
          scene.time.jumpWallClock(Duration.ofHours(hours));
          scene.assertGoesOn();
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {-3, 3})
  void a_clock_that_is_set_within_a_run_loses_nothing(long hours) {
    play(
        scene -> {
          boolean[] jumped = {false};
          scene.trouble(
              request -> {
                if (!jumped[0]) {
                  jumped[0] = true;
                  scene.time.jumpWallClock(Duration.ofHours(hours));
                }
                return page(2);
              });
          CollectionResult result = scene.collect();
          if (!result.outcome().equals(new Outcome.Completed())) {
            scene.time.sleep(Duration.ofHours(7));
            assertThat(scene.collect().outcome()).isEqualTo(new Outcome.Completed());
          }
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyItem());
          assertThat(scene.gaps()).isEmpty();
        });
  }
}
