package dev.sluice.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.load.mapping.MappingFile;
import dev.sluice.load.reject.RejectReasons;
import dev.sluice.load.reject.RejectReasons.Reason;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads of which much is rejected: when they stop, what they say, and how they go on. */
class LoadRejectsTest {
  private static final String TOO_LONG = "x".repeat(300);

  @TempDir Path folder;

  private interface Story {
    void happen(Scene scene, DataverseClient client, Path file) throws Exception;
  }

  /** Rows as they are in the file, by their number from 0. */
  private void in(int rows, IntFunction<String> row, Story story) {
    Scene.in(
        TestDatabase.SQLITE_IN_MEMORY,
        EnvironmentOptions.of(Scene.USERS),
        1,
        scene -> {
          Path file = folder.resolve("accounts.csv");
          List<String> lines = new ArrayList<>();
          lines.add("name,accountnumber");
          for (int i = 0; i < rows; i++) {
            lines.add(row.apply(i));
          }
          Files.write(file, lines);
          try (DataverseClient client = scene.connect()) {
            story.happen(scene, client, file);
          }
        });
  }

  private static LoadRequest request(
      DataverseClient client, Path file, RejectLimit limit, Envelope envelope) throws Exception {
    LoadRequest all =
        Scene.request(client.table("account"), Operation.CREATE, file, List.of(), false);
    return new LoadRequest(
        all.environment(),
        all.table(),
        all.operation(),
        all.source(),
        all.input(),
        all.mapping(),
        all.mappingOptions(),
        all.bulk().withFixedBatch(20),
        envelope,
        limit,
        false,
        all.name(),
        all.again(),
        all.caller());
  }

  private static LoadResult load(Scene scene, DataverseClient client, Path file, RejectLimit limit)
      throws Exception {
    return scene.load(client, scene.store(), request(client, file, limit, Envelope.UNBOUNDED));
  }

  private static String good(int row) {
    return "row " + row + ",K" + row;
  }

  private static String refused(int row) {
    return TOO_LONG + row + ",K" + row;
  }

  private static void assertStopped(LoadResult result, int rows) {
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.reason().wireName()).isEqualTo("too_many_rejects"));
    assertThat(result.outcome().resumable()).isTrue();
    LoadProgress progress = result.progress();
    assertThat(progress.done() + progress.rejected() + result.deferred())
        .isEqualTo(progress.read());
    assertThat(progress.done() + progress.rejected()).isPositive().isLessThan(rows);
  }

  @Test
  void a_load_of_which_everything_is_refused_stops_by_itself_and_says_why() {
    in(
        5_000,
        LoadRejectsTest::refused,
        (scene, client, file) -> {
          LoadResult result = load(scene, client, file, RejectLimit.DEFAULT);
          assertStopped(result, 5_000);
          assertThat(result.progress().rejected()).isBetween(1_000L, 4_000L);
          assertThat(result.outcome().detail())
              .contains(" records that this run has settled were rejected: ")
              .contains(" by 0x80044331 (A validation error occurred.")
              .contains("'name'", ", for example line 2");
          assertThat(scene.environment().rows("account")).isEmpty();

          LoadResult again = load(scene, client, file, new RejectLimit.Share(100));
          assertThat(again.resumed()).isTrue();
          assertThat(again.outcome()).isEqualTo(new Outcome.CompletedWithRejections());
          assertThat(again.progress().rejected()).isEqualTo(5_000);
          assertThat(again.progress().reasons().reasons())
              .singleElement()
              .satisfies(reason -> assertThat(reason.count()).isEqualTo(5_000))
              .satisfies(reason -> assertThat(reason.line()).isEqualTo(2));
          assertThat(Files.readAllLines(folder.resolve("accounts.rejected.csv"))).hasSize(5_001);
        });
  }

  @Test
  void a_mended_file_or_mapping_begins_anew_if_nothing_had_got_in() {
    in(
        100,
        row -> "ragged " + row,
        (scene, client, file) -> {
          assertStopped(load(scene, client, file, new RejectLimit.Count(10)), 100);
          Files.writeString(file, "name,accountnumber\nnew,N1,more\n");
          LoadResult mended = load(scene, client, file, new RejectLimit.Count(0));
          assertThat(mended.resumed()).isFalse();
          assertThat(mended.progress().rejected()).isEqualTo(1);

          LoadRequest mapped =
              Scene.request(
                  client.table("account"),
                  Operation.CREATE,
                  file,
                  List.of(),
                  MappingFile.parse("m.yaml", "columns: {name: {to: description}}"),
                  false);
          LoadResult other = scene.load(client, scene.store(), mapped);
          assertThat(other.resumed()).isFalse();
          assertThat(other.outcome()).isEqualTo(new Outcome.CompletedWithRejections());
        });
  }

  @Test
  void a_load_of_which_something_may_have_got_in_is_not_forgotten() {
    in(
        100,
        LoadRejectsTest::good,
        (scene, client, file) -> {
          // Its batches are with the service when it dies.
          MortalStore mortal = new MortalStore(scene.store(), 8, false);
          LoadRequest request = request(client, file, RejectLimit.DEFAULT, Envelope.UNBOUNDED);
          LoadResult killed = scene.load(client, mortal, request);
          assertThat(killed.outcome().resumable()).isTrue();
          scene.time().sleep(Leases.TERM.plusSeconds(1));
          Files.writeString(file, "name,accountnumber\nnew,N1\n");
          assertThatThrownBy(() -> load(scene, client, file, RejectLimit.DEFAULT))
              .isInstanceOf(LoadException.class)
              .hasMessageContaining("--restart");
        });
  }

  @Test
  void a_dry_run_leaves_the_reject_file_of_a_load_alone() {
    in(
        50,
        row -> row < 30 ? "ragged " + row : good(row),
        (scene, client, file) -> {
          LoadResult stopped = load(scene, client, file, new RejectLimit.Count(10));
          Path rejects = stopped.rejects().orElseThrow();
          String before = Files.readString(rejects);
          for (int i = 0; i < 2; i++) {
            DryRun.Result dry =
                DryRun.of(
                    request(client, file, RejectLimit.DEFAULT, Envelope.UNBOUNDED),
                    InputStream.nullInputStream(),
                    scene.time());
            assertThat(dry.rejects())
                .contains(folder.resolve("accounts.dry-run.rejected.csv"))
                .hasValueSatisfying(path -> assertThat(path).content().contains("ragged 29"));
          }
          assertThat(rejects).hasContent(before);
        });
  }

  @Test
  void a_load_into_another_table_leaves_the_reject_file_of_an_unfinished_one_alone() {
    in(
        50,
        row -> row < 30 ? "ragged " + row : good(row),
        (scene, client, file) -> {
          LoadResult stopped = load(scene, client, file, new RejectLimit.Count(10));
          Path rejects = stopped.rejects().orElseThrow();
          String before = Files.readString(rejects);
          for (RejectLimit limit : List.of(new RejectLimit.Count(10), new RejectLimit.Share(100))) {
            LoadResult other = scene.load(client, scene.store(), intoContacts(client, file, limit));
            assertThat(other.rejects()).contains(folder.resolve("accounts.2.rejected.csv"));
          }
          assertThat(rejects).hasContent(before);
          LoadResult rest = load(scene, client, file, new RejectLimit.Share(100));
          assertThat(rest.resumed()).isTrue();
          assertThat(rest.rejects()).contains(rejects);
          assertThat(Files.readAllLines(rejects)).hasSize(31);
        });
  }

  private static LoadRequest intoContacts(DataverseClient client, Path file, RejectLimit limit)
      throws Exception {
    LoadRequest all =
        Scene.request(
            client.table("contact"),
            Operation.CREATE,
            file,
            List.of(),
            MappingFile.parse(
                "m.yaml", "columns: {name: {to: lastname}, accountnumber: {skip: true}}"),
            false);
    return new LoadRequest(
        all.environment(),
        all.table(),
        all.operation(),
        all.source(),
        all.input(),
        all.mapping(),
        all.mappingOptions(),
        all.bulk(),
        all.envelope(),
        limit,
        false,
        Optional.empty(),
        false,
        Optional.empty());
  }

  @Test
  void a_load_of_which_nothing_can_be_mapped_stops_before_anything_is_sent() {
    in(
        5_000,
        row -> row + ",K,too many cells",
        (scene, client, file) -> {
          LoadResult result = load(scene, client, file, RejectLimit.DEFAULT);
          assertStopped(result, 5_000);
          assertThat(result.progress().rejected()).isEqualTo(RejectLimit.SAMPLE);
          assertThat(result.progress().sending().messages()).isZero();
          assertThat(result.outcome().detail()).contains("1,000 by ragged-row (the row has");
        });
  }

  @Test
  void the_same_command_goes_on_once_the_cause_is_mended() {
    in(
        3_000,
        row -> "row " + row + ",TAKEN",
        (scene, client, file) -> {
          assertThat(
                  client
                      .createMultiple(
                          "account", List.of(Map.of("name", "old", "accountnumber", "TAKEN")))
                      .succeeded())
              .isTrue();
          LoadResult stopped = load(scene, client, file, RejectLimit.DEFAULT);
          assertStopped(stopped, 3_000);
          scene.environment().clear("account");
          LoadResult again = load(scene, client, file, new RejectLimit.Share(100));
          assertThat(again.resumed()).isTrue();
          assertThat(again.progress().done()).isEqualTo(1);
          assertThat(scene.environment().rows("account")).hasSize(1);
        });
  }

  @Test
  void a_load_of_which_most_is_refused_is_not_stopped_unless_somebody_says_so() {
    in(
        2_000,
        row -> row % 100 == 7 ? good(row) : refused(row),
        (scene, client, file) -> {
          LoadResult result = load(scene, client, file, RejectLimit.DEFAULT);
          assertThat(result.outcome()).isEqualTo(new Outcome.CompletedWithRejections());
          assertThat(result.progress().done()).isEqualTo(20);
          assertThat(result.progress().rejected()).isEqualTo(1_980);
          assertThat(result.deferred()).isZero();
        });
  }

  @Test
  void a_count_is_of_the_whole_load_and_a_higher_one_goes_on() {
    in(
        3_000,
        row -> row % 10 == 0 ? refused(row) : good(row),
        (scene, client, file) -> {
          LoadResult first = load(scene, client, file, new RejectLimit.Count(50));
          assertStopped(first, 3_000);
          assertThat(first.progress().rejected()).isBetween(51L, 250L);

          LoadResult second = load(scene, client, file, new RejectLimit.Count(50));
          assertStopped(second, 3_000);
          assertThat(second.progress().rejected()).isGreaterThan(first.progress().rejected());
          assertThat(second.outcome().detail()).contains(" before it: ");

          LoadResult third = load(scene, client, file, new RejectLimit.Count(300));
          assertThat(third.outcome()).isEqualTo(new Outcome.CompletedWithRejections());
          assertThat(third.progress().rejected()).isEqualTo(300);
          assertThat(scene.environment().rows("account")).hasSize(2_700);
        });
  }

  @Test
  void a_share_is_looked_at_after_a_thousand_records() {
    in(
        4_000,
        row -> row % 10 == 0 ? refused(row) : good(row),
        (scene, client, file) -> {
          LoadResult few = load(scene, client, file, new RejectLimit.Share(5));
          assertStopped(few, 4_000);
          assertThat(few.progress().done() + few.progress().rejected())
              .isGreaterThanOrEqualTo(RejectLimit.SAMPLE);
          LoadResult enough = load(scene, client, file, new RejectLimit.Share(15));
          assertThat(enough.outcome()).isEqualTo(new Outcome.CompletedWithRejections());
          assertThat(scene.environment().rows("account")).hasSize(3_600);
        });
  }

  @Test
  void the_last_record_of_a_file_ends_no_load_early() {
    in(
        30,
        row -> row == 29 ? refused(row) : good(row),
        (scene, client, file) -> {
          LoadResult result = load(scene, client, file, new RejectLimit.Count(0));
          assertThat(result.progress().rejected()).isEqualTo(1);
          assertThat(result.progress().done() + result.deferred()).isEqualTo(29);
        });
  }

  @Test
  void rejects_are_counted_by_reason_over_all_runs_of_a_load() {
    in(
        400,
        row ->
            switch (row % 8) {
              case 0 -> refused(row);
              case 1 -> row + ",K,x";
              default -> good(row);
            },
        (scene, client, file) -> {
          LoadResult first =
              scene.load(
                  client,
                  scene.store(),
                  request(
                      client, file, RejectLimit.DEFAULT, Envelope.UNBOUNDED.withRequestCap(150)));
          assertThat(first.outcome()).isInstanceOf(Outcome.Deferred.class);
          LoadResult second = load(scene, client, file, RejectLimit.DEFAULT);
          assertThat(second.progress().rejected()).isEqualTo(100);
          RejectReasons reasons = second.progress().reasons();
          assertThat(reasons.others()).isZero();
          assertThat(reasons.reasons())
              .extracting(Reason::code, Reason::count, Reason::line)
              .containsExactlyInAnyOrder(
                  tuple("0x80044331", 50L, 2L), tuple("ragged-row", 50L, 3L));
          assertThat(Files.readAllLines(folder.resolve("accounts.rejected.csv")))
              .anyMatch(line -> line.matches("x{300}8,K8,0x80044331,\"?line 10: A validation.*"));
        });
  }

  @ParameterizedTest
  @CsvSource({"500,500", "0,0", "5%,5%", "0.5 %,0.5%", "100%,100%"})
  void a_limit_is_a_count_or_a_share(String written, String text) {
    assertThat(RejectLimit.parse(written).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "101%", "1.5", "many", "5%%", "%", "99999999999999999999"})
  void anything_else_is_refused(String written) {
    assertThatThrownBy(() -> RejectLimit.parse(written))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a number of records like 500, or a share like 5%");
  }
}
