package dev.sluice.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same load once more: what goes on, what is refused, and what starts over. */
@ParameterizedClass
@EnumSource
class LoadAgainTest {
  private static final int RECORDS = 200;
  private static final EnvironmentOptions ENVIRONMENT = EnvironmentOptions.of(Scene.USERS);

  @TempDir Path folder;

  private final TestDatabase database;

  LoadAgainTest(TestDatabase database) {
    this.database = database;
  }

  @Test
  void a_load_that_may_not_send_any_more_reads_no_further_and_goes_on_when_it_may() {
    in(
        (scene, client, file) -> {
          LoadResult first = spendThreeMessages(scene, client, file);
          assertThat(first.complete()).isFalse();
          assertThat(first.progress().read()).isLessThan(RECORDS);
          assertThat(first.deferred())
              .isEqualTo(first.progress().read() - first.progress().done())
              .isPositive();

          LoadResult second = scene.load(client, scene.store(), request(client, file));
          assertThat(second.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(second.resumed()).isTrue();
          assertThat(second.progress().done()).isEqualTo(RECORDS);
          assertThat(scene.environment().rows("account")).hasSize(RECORDS);
        });
  }

  @Test
  void an_input_that_has_changed_where_it_was_read_is_refused() {
    in(
        (scene, client, file) -> {
          LoadResult unused = spendThreeMessages(scene, client, file);
          List<String> lines = Files.readAllLines(file);
          lines.set(3, "somebody else,X");
          Files.write(file, lines);
          int before = scene.environment().rows("account").size();
          assertThatThrownBy(() -> scene.load(client, scene.store(), request(client, file)))
              .isInstanceOf(LoadException.class)
              .hasMessageContaining("has changed since a load of it that is not finished")
              .hasMessageContaining("--restart");
          assertThat(scene.environment().rows("account")).hasSize(before);
        });
  }

  @Test
  void an_input_that_has_become_shorter_is_refused_and_one_that_is_put_back_goes_on() {
    in(
        (scene, client, file) -> {
          LoadResult unused = spendThreeMessages(scene, client, file);
          List<String> lines = Files.readAllLines(file);
          Files.write(file, lines.subList(0, 4));
          assertThatThrownBy(() -> scene.load(client, scene.store(), request(client, file)))
              .isInstanceOf(LoadException.class)
              .hasMessageContaining("has changed since a load of it that is not finished");
          Files.write(file, lines);
          LoadResult result = scene.load(client, scene.store(), request(client, file));
          assertThat(result.resumed()).isTrue();
          assertThat(scene.environment().rows("account")).hasSize(RECORDS);
        });
  }

  @Test
  void other_options_are_refused_while_a_load_is_unfinished() {
    in(
        (scene, client, file) -> {
          LoadResult unused = spendThreeMessages(scene, client, file);
          LoadRequest other =
              Scene.request(
                  client.table("account"), Operation.UPSERT, file, List.of("accountnumber"), false);
          assertThatThrownBy(() -> scene.load(client, scene.store(), other))
              .isInstanceOf(LoadException.class)
              .hasMessageContaining("other options")
              .hasMessageContaining("create account")
              .hasMessageContaining("upsert account")
              .hasMessageContaining("--restart");
        });
  }

  @Test
  void a_restart_forgets_what_is_unfinished_and_leaves_rows_that_are_in() {
    in(
        (scene, client, file) -> {
          long first = spendThreeMessages(scene, client, file).progress().done();
          Files.writeString(file, "name,accountnumber\nnew,N1\n");
          LoadRequest restart =
              Scene.request(client.table("account"), Operation.CREATE, file, List.of(), true);
          LoadResult result = scene.load(client, scene.store(), restart);
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(result.resumed()).isFalse();
          assertThat(result.progress().read()).isEqualTo(1);
          assertThat(scene.environment().rows("account")).hasSize((int) first + 1);
        });
  }

  @Test
  void the_same_load_twice_at_once_is_refused_and_another_file_is_not() {
    in(
        (scene, client, file) -> {
          Load load = new Load(request(client, file), client.bulk(), scene.store(), scene.time());
          Time.Task task =
              scene
                  .time()
                  .start(
                      "first",
                      () -> {
                        try {
                          assertThat(load.run(InputStream.nullInputStream()).outcome())
                              .isEqualTo(new Outcome.Completed());
                        } catch (Exception e) {
                          throw new AssertionError(e);
                        }
                      });
          while (load.progress().isEmpty()) {
            scene.time().sleep(Duration.ofMillis(10));
          }
          assertThatThrownBy(() -> scene.load(client, scene.store(), request(client, file)))
              .isInstanceOf(AlreadyRunningException.class)
              .hasMessageContaining("process " + ProcessHandle.current().pid());
          Path another = folder.resolve("another.csv");
          Files.writeString(another, "name,accountnumber\nnew,N1\n");
          LoadResult beside = scene.load(client, scene.store(), request(client, another));
          assertThat(beside.outcome()).isEqualTo(new Outcome.Completed());
          task.join();
          assertThat(scene.environment().rows("account")).hasSize(RECORDS + 1);
        });
  }

  @Test
  void a_load_that_is_stopped_is_not_complete_and_goes_on() {
    in(
        (scene, client, file) -> {
          Load load = new Load(request(client, file), client.bulk(), scene.store(), scene.time());
          Time.Task stopping =
              scene
                  .time()
                  .start(
                      "stop",
                      () -> {
                        try {
                          while (load.progress().isEmpty()) {
                            scene.time().sleep(Duration.ofMillis(10));
                          }
                        } catch (InterruptedException e) {
                          throw new AssertionError(e);
                        }
                        load.cancel(Duration.ofSeconds(10));
                      });
          LoadResult stopped = load.run(InputStream.nullInputStream());
          stopping.join();
          assertThat(stopped.outcome()).isEqualTo(new Outcome.Cancelled());
          assertThat(stopped.complete()).isFalse();
          LoadResult result = scene.load(client, scene.store(), request(client, file));
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(result.resumed()).isTrue();
          assertThat(scene.environment().rows("account")).hasSize(RECORDS);
        });
  }

  @Test
  void a_packed_file_that_was_cut_off_ends_the_load_and_one_that_is_whole_goes_on() {
    in(
        (scene, client, file) -> {
          Path packed = folder.resolve("packed.csv.gz");
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            Files.copy(file, zip);
          }
          Files.write(packed, Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2));
          LoadResult cut = scene.load(client, scene.store(), request(client, packed));
          assertThat(cut.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  failed -> {
                    assertThat(failed.reason()).isEqualTo(Reason.Failure.INVALID);
                    assertThat(failed.detail()).contains("packed.csv.gz").contains("cut off");
                  });
          assertThat(cut.complete()).isFalse();
          assertThat(cut.progress().read()).isPositive().isLessThan(RECORDS);

          Files.write(packed, bytes.toByteArray());
          LoadResult whole = scene.load(client, scene.store(), request(client, packed));
          assertThat(whole.resumed()).isTrue();
          assertThat(whole.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.environment().rows("account")).hasSize(RECORDS);
        });
  }

  @ParameterizedTest(name = "{0} commits")
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void a_load_that_dies_as_it_begins_keeps_the_rejects_of_the_one_before(int commits) {
    for (boolean lastGetsThrough : new boolean[] {false, true}) {
      in(
          (scene, client, file) -> {
            Path rejects = folder.resolve("accounts.rejected.csv");
            Path previous = folder.resolve("accounts.rejected.csv.previous");
            Files.deleteIfExists(previous);
            Files.writeString(rejects, "somebody is correcting this");
            MortalStore mortal = new MortalStore(scene.store(), commits, lastGetsThrough);
            try {
              LoadResult dead = scene.load(client, mortal, request(client, file));
              assertThat(dead.outcome().detail()).contains("the process is dead");
            } catch (StoreException e) { // it had not begun
              assertThat(e).hasMessageContaining("the process is dead");
            }
            scene.time().sleep(Leases.TERM.plusSeconds(1));
            LoadResult result = scene.load(client, scene.store(), request(client, file));
            assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
            assertThat(rejects).doesNotExist();
            assertThat(previous).hasContent("somebody is correcting this");
          });
    }
  }

  private interface Story {
    void happen(Scene scene, DataverseClient client, Path file) throws Exception;
  }

  private void in(Story story) {
    Scene.in(
        database,
        ENVIRONMENT,
        1,
        scene -> {
          Path file = folder.resolve("accounts.csv");
          Files.writeString(file, "name,accountnumber\n");
          Files.write(
              file,
              IntStream.range(0, RECORDS).mapToObj(i -> "record " + i + ",K" + i).toList(),
              StandardOpenOption.APPEND);
          try (DataverseClient client = scene.connect()) {
            story.happen(scene, client, file);
          }
        });
  }

  private static LoadRequest request(DataverseClient client, Path file) throws Exception {
    return Scene.request(client.table("account"), Operation.CREATE, file, List.of(), false);
  }

  private static LoadResult spendThreeMessages(Scene scene, DataverseClient client, Path file)
      throws Exception {
    LoadRequest all = request(client, file);
    LoadRequest few =
        new LoadRequest(
            all.environment(),
            all.table(),
            all.operation(),
            all.source(),
            all.input(),
            all.mapping(),
            all.mappingOptions(),
            all.bulk().withFixedBatch(5),
            Envelope.UNBOUNDED.withRequestCap(3),
            all.maxRejects(),
            false,
            all.name(),
            all.again(),
            all.caller());
    LoadResult result = scene.load(client, scene.store(), few);
    assertThat(result.outcome()).isInstanceOf(Outcome.Deferred.class);
    assertThat(result.progress().done()).isPositive();
    return result;
  }
}
