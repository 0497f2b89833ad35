package dev.sluice.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Column;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.time.Time;
import dev.sluice.load.input.BadInputException;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.mapping.Mapping;
import dev.sluice.load.mapping.MappingFile;
import dev.sluice.load.mapping.MappingOptions;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.runs.store.Work;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which load is the same: by the content of its file, wherever that lies, or by a name. */
@ParameterizedClass
@EnumSource
class LoadIdentityTest {
  private static final int RECORDS = 200;

  /** More than are read at once to look at the beginning. */
  private static final int MANY = 6_000;

  private static final EnvironmentOptions ENVIRONMENT = EnvironmentOptions.of(Scene.USERS);
  private static final String TABLE = "account";

  @TempDir Path folder;

  private final TestDatabase database;

  LoadIdentityTest(TestDatabase database) {
    this.database = database;
  }

  /** How a file comes to lie elsewhere. */
  enum Moving {
    MOVED {
      @Override
      Path from(Path file, Path folder) throws Exception {
        return Files.move(file, Files.createDirectories(folder.resolve("b")).resolve("other.csv"));
      }
    },
    HARD_LINK {
      @Override
      Path from(Path file, Path folder) throws Exception {
        return Files.createLink(folder.resolve("hard.csv"), file);
      }
    },
    SYMBOLIC_LINK {
      @Override
      Path from(Path file, Path folder) throws Exception {
        return Files.createSymbolicLink(folder.resolve("symbolic.csv"), file);
      }
    },
    COPIED {
      @Override
      Path from(Path file, Path folder) throws Exception {
        return Files.copy(file, folder.resolve("copy.csv"));
      }
    };

    abstract Path from(Path file, Path folder) throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void a_file_that_lies_elsewhere_goes_on_where_it_stopped_and_its_rejects_go_with_it(
      Moving moving) {
    in(
        (scene, client, file) -> {
          LoadResult first = spendThreeMessages(scene, client, file);
          assertThat(first.progress().rejected()).isEqualTo(1);
          Path elsewhere = moving.from(file, folder);

          LoadResult second = scene.load(client, scene.store(), request(client, elsewhere));
          assertThat(second.resumed()).isTrue();
          assertThat(second.outcome()).isEqualTo(new Outcome.CompletedWithRejections());
          assertThat(scene.environment().rows(TABLE)).hasSize(RECORDS - 2);
          Path rejects = second.rejects().orElseThrow();
          assertThat(rejects.getParent()).isEqualTo(elsewhere.getParent());
          assertThat(Files.readAllLines(rejects)).hasSize(3).noneMatch(String::isBlank);
          assertThat(folder.resolve("accounts.rejected.csv")).doesNotExist();
        });
  }

  @Test
  void a_folder_that_was_moved_with_its_rejects_goes_on() {
    in(
        (scene, client, file) -> {
          LoadResult unused = spendThreeMessages(scene, client, file);
          Path other = Files.createDirectories(folder.resolve("other"));
          Files.move(file, other.resolve("accounts.csv"));
          Files.move(
              folder.resolve("accounts.rejected.csv"), other.resolve("accounts.rejected.csv"));
          LoadResult second =
              scene.load(client, scene.store(), request(client, other.resolve("accounts.csv")));
          assertThat(second.resumed()).isTrue();
          assertThat(Files.readAllLines(second.rejects().orElseThrow())).hasSize(3);
        });
  }

  @Test
  void a_finished_load_is_not_repeated_until_it_is_wanted_again() {
    in(
        (scene, client, file) -> {
          LoadResult first = scene.load(client, scene.store(), request(client, file));
          assertThat(first.outcome()).isEqualTo(new Outcome.CompletedWithRejections());
          Path moved = Moving.MOVED.from(file, folder);
          AlreadyLoadedException told =
              catchThrowableOfType(
                  AlreadyLoadedException.class,
                  () -> scene.load(client, scene.store(), request(client, moved)));
          assertThat(told)
              .hasMessageContainingAll(
                  "was loaded into account", "200 records read, 198 done, 2 rejected", "--again");
          assertThat(told.outcome()).isEqualTo(new Outcome.CompletedWithRejections());
          assertThat(told.rejects()).contains(first.rejects().orElseThrow());
          assertThat(scene.environment().rows(TABLE)).hasSize(RECORDS - 2);

          assertThatThrownBy(
                  () -> scene.load(client, scene.store(), with(client, moved, true, false, null)))
              .isInstanceOf(AlreadyLoadedException.class);
          LoadResult again =
              scene.load(client, scene.store(), with(client, moved, false, true, null));
          assertThat(again.resumed()).isFalse();
          assertThat(scene.environment().rows(TABLE)).hasSize(2 * (RECORDS - 2));
        });
  }

  @Test
  void a_second_time_that_was_stopped_goes_on_with_or_without_being_wanted_again() {
    in(
        (scene, client, file) -> {
          LoadResult unused = scene.load(client, scene.store(), request(client, file));
          LoadResult stopped =
              scene.load(client, scene.store(), few(with(client, file, false, true, null)));
          assertThat(stopped.outcome()).isInstanceOf(Outcome.Deferred.class);
          LoadResult more =
              scene.load(client, scene.store(), few(with(client, file, false, true, null)));
          assertThat(more.resumed()).isTrue();
          LoadResult last = scene.load(client, scene.store(), request(client, file));
          assertThat(last.resumed()).isTrue();
          assertThat(scene.environment().rows(TABLE)).hasSize(2 * (RECORDS - 2));
        });
  }

  @Test
  void another_operation_or_mapping_is_another_load_and_a_mapping_may_be_moved() {
    in(
        (scene, client, unused) -> {
          Path file = folder.resolve("keyed.csv");
          Files.writeString(file, "name,accountnumber\none,K1\n");
          assertThat(scene.load(client, scene.store(), request(client, file)).outcome())
              .isEqualTo(new Outcome.Completed());
          String text = "columns: {name: {to: description}}";
          LoadRequest mapped = upsert(client, file, MappingFile.parse("m.yaml", text));
          assertThat(scene.load(client, scene.store(), mapped).progress().done()).isEqualTo(1);
          LoadRequest moved = upsert(client, file, MappingFile.parse("b/n.yaml", "\n\n" + text));
          assertThatThrownBy(() -> scene.load(client, scene.store(), moved))
              .isInstanceOf(AlreadyLoadedException.class);
          assertThat(scene.environment().rows(TABLE)).hasSize(1);
        });
  }

  private static LoadRequest upsert(DataverseClient client, Path file, Mapping mapping)
      throws Exception {
    return Scene.request(
        client.table(TABLE), Operation.UPSERT, file, List.of("accountnumber"), mapping, false);
  }

  @Test
  void a_changed_file_is_told_apart_and_a_restart_gives_the_unfinished_load_up() {
    in(
        (scene, client, file) -> {
          LoadResult first = spendThreeMessages(scene, client, file);
          byte[] before = Files.readAllBytes(file);
          Files.writeString(file, "name,description\nnew,N1\n");
          assertThatThrownBy(() -> scene.load(client, scene.store(), request(client, file)))
              .isInstanceOf(LoadException.class)
              .hasMessageContainingAll(
                  file + " has changed since a load of it that is not finished",
                  "%,d done, 1 rejected".formatted(first.progress().done()),
                  "put the file back",
                  "--restart");
          LoadResult fresh =
              scene.load(client, scene.store(), with(client, file, true, false, null));
          assertThat(fresh.resumed()).isFalse();
          assertThat(fresh.progress().read()).isEqualTo(1);
          // It was given up: put back, it begins anew.
          Files.write(file, before);
          assertThat(scene.load(client, scene.store(), request(client, file)).resumed()).isFalse();
        });
  }

  @Test
  void a_load_that_was_given_up_does_not_come_back() {
    in(
        (scene, client, file) -> {
          LoadResult unused = spendThreeMessages(scene, client, file);
          LoadResult named =
              scene.load(client, scene.store(), with(client, file, true, false, "january"));
          assertThat(named.resumed()).isFalse();
          int rows = scene.environment().rows(TABLE).size();
          assertThatThrownBy(() -> scene.load(client, scene.store(), request(client, file)))
              .isInstanceOf(AlreadyLoadedException.class);
          assertThat(scene.environment().rows(TABLE)).hasSize(rows);
        });
  }

  @Test
  void a_load_that_was_given_up_is_not_in_the_way_of_another_file_in_its_place() {
    in(
        (scene, client, file) -> {
          LoadResult unused = spendThreeMessages(scene, client, file);
          Path moved = Moving.MOVED.from(file, folder);
          LoadResult restarted =
              scene.load(client, scene.store(), with(client, moved, true, false, null));
          assertThat(restarted.resumed()).isFalse();
          Files.writeString(file, "name,description\nnew,N1\n");
          LoadResult other = scene.load(client, scene.store(), request(client, file));
          assertThat(other.resumed()).isFalse();
          assertThat(other.outcome()).isEqualTo(new Outcome.Completed());
        });
  }

  @Test
  void two_names_of_one_content_do_not_double_it() {
    in(
        (scene, client, file) -> {
          LoadResult first =
              scene.load(client, scene.store(), few(with(client, file, false, false, "monday")));
          assertThat(first.outcome()).isInstanceOf(Outcome.Deferred.class);
          assertThatThrownBy(
                  () ->
                      scene.load(
                          client, scene.store(), with(client, file, false, false, "tuesday")))
              .isInstanceOf(LoadException.class)
              .hasMessageContainingAll("not finished under the name 'monday'", "--again");
          // Without a name it is known by its content.
          LoadResult second = scene.load(client, scene.store(), request(client, file));
          assertThat(second.resumed()).isTrue();
          assertThatThrownBy(
                  () ->
                      scene.load(
                          client, scene.store(), with(client, file, false, false, "tuesday")))
              .isInstanceOf(AlreadyLoadedException.class)
              .hasMessageContaining("under the name 'monday'");
          LoadResult twice =
              scene.load(client, scene.store(), with(client, file, false, true, "tuesday"));
          assertThat(twice.resumed()).isFalse();
          assertThat(scene.environment().rows(TABLE)).hasSize(2 * (RECORDS - 2));
        });
  }

  @Test
  void a_name_is_for_one_load() {
    in(
        (scene, client, file) -> {
          LoadRequest named = with(client, file, false, false, "monday");
          LoadResult unused = scene.load(client, scene.store(), named);
          assertThatThrownBy(() -> scene.load(client, scene.store(), named))
              .isInstanceOf(AlreadyLoadedException.class);
          Path other = folder.resolve("other.csv");
          Files.writeString(other, "name,description\nnew,N1\n");
          LoadRequest taken = with(client, other, false, false, "monday");
          assertThatThrownBy(() -> scene.load(client, scene.store(), taken))
              .isInstanceOf(LoadException.class)
              .hasMessageContainingAll(
                  "the name 'monday' was given to another load", "accounts.csv", "--again");
          assertThat(scene.environment().rows(TABLE)).hasSize(RECORDS - 2);
        });
  }

  @Test
  void standard_input_is_known_by_a_name() {
    in(
        (scene, client, file) -> {
          LoadRequest unnamed =
              Scene.request(client.table(TABLE), Operation.CREATE, Path.of("-"), List.of(), false);
          byte[] input = "name\na\n".getBytes(StandardCharsets.UTF_8);
          for (int i = 0; i < 2; i++) {
            assertThat(pipe(scene, client, unnamed, input).progress().done()).isEqualTo(1);
          }
          LoadRequest named = with(client, Path.of("-"), false, false, "piped");
          assertThat(pipe(scene, client, named, input).progress().done()).isEqualTo(1);
          assertThatThrownBy(() -> pipe(scene, client, named, input))
              .isInstanceOf(AlreadyLoadedException.class)
              .hasMessageContaining(
                  "standard input was loaded into account under the name 'piped'");
          assertThat(scene.environment().rows(TABLE)).hasSize(3);
        });
  }

  private static LoadResult pipe(
      Scene scene, DataverseClient client, LoadRequest request, byte[] input) throws Exception {
    return new Load(request, client.bulk(), scene.store(), scene.time())
        .run(new ByteArrayInputStream(input));
  }

  @Test
  void one_file_under_two_names_at_the_same_time_is_loaded_once() {
    in(
        (scene, client, file) -> {
          Path link = Moving.HARD_LINK.from(file, folder);
          Load load = new Load(request(client, file), client.bulk(), scene.store(), scene.time());
          Time.Task task = start(scene, load);
          while (load.progress().isEmpty()) {
            scene.time().sleep(Duration.ofMillis(10));
          }
          assertThatThrownBy(() -> scene.load(client, scene.store(), request(client, link)))
              .isInstanceOf(AlreadyRunningException.class)
              .hasMessageContaining(link + "' is being worked on by process");
          assertThatThrownBy(
                  () -> scene.load(client, scene.store(), with(client, link, false, true, "x")))
              .isInstanceOf(AlreadyRunningException.class);
          task.join();
          assertThat(scene.environment().rows(TABLE)).hasSize(RECORDS - 2);
        });
  }

  @Test
  void one_name_for_two_files_at_the_same_time_is_for_the_first() {
    in(
        (scene, client, file) -> {
          Path other = folder.resolve("other.csv");
          Files.writeString(other, "name,description\nnew,N1\n");
          LoadRequest second = with(client, other, false, false, "x");
          // It begins just before the first one does, which has looked for others already.
          AtomicInteger writes = new AtomicInteger();
          List<Lease> held = new ArrayList<>();
          Store store =
              new Store() {
                @Override
                public <T extends @Nullable Object> T write(Work<T> work) {
                  if (writes.incrementAndGet() == 2) {
                    held.add(begin(scene, second));
                  }
                  return scene.store().write(work);
                }

                @Override
                public <T extends @Nullable Object> T read(Work<T> work) {
                  return scene.store().read(work);
                }

                @Override
                public void close() {}
              };
          assertThatThrownBy(() -> scene.load(client, store, with(client, file, false, false, "x")))
              .isInstanceOf(AlreadyRunningException.class);
          held.getFirst().close();
          assertThat(scene.environment().rows(TABLE)).isEmpty();
        });
  }

  /** As a load does that then is at work. */
  private static Lease begin(Scene scene, LoadRequest request) {
    try {
      LoadIdentity identity = LoadIdentity.of(request);
      Lease lease =
          ((Claim.Taken) new Leases(scene.store(), scene.time()).take(identity.lease())).lease();
      RunRecord unused =
          new Runs(scene.store(), scene.time())
              .begin(
                  lease,
                  Load.KIND,
                  identity.name(),
                  identity.options(),
                  (transaction, run) -> {
                    int put =
                        new KnownLoads(identity, false, false)
                            .put(transaction, run, Path.of("other.rejected.csv"));
                    assertThat(put).isEqualTo(1);
                  });
      return lease;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Time.Task start(Scene scene, Load load) {
    return scene
        .time()
        .start(
            "first",
            () -> {
              try {
                LoadResult unused = load.run(InputStream.nullInputStream());
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
  }

  @Test
  void another_caller_is_other_work() {
    in(
        (scene, client, file) -> {
          LoadResult unused = spendThreeMessages(scene, client, file);
          LoadRequest plain = request(client, file);
          LoadRequest called =
              new LoadRequest(
                  plain.environment(),
                  plain.table(),
                  plain.operation(),
                  plain.source(),
                  plain.input(),
                  plain.mapping(),
                  plain.mappingOptions(),
                  plain.bulk(),
                  plain.envelope(),
                  plain.maxRejects(),
                  false,
                  Optional.empty(),
                  false,
                  Optional.of(new UUID(7, 7)));
          assertThatThrownBy(() -> scene.load(client, scene.store(), called))
              .isInstanceOf(LoadException.class)
              .hasMessageContainingAll("other options", "caller=" + new UUID(7, 7));
        });
  }

  /** What somebody does to a file while it is read; with how the load says so. */
  enum Change {
    GROWS("has grown") {
      @Override
      String of(String text) {
        return text + "late,L1\n";
      }
    },
    SHRINKS("could be read") {
      @Override
      String of(String text) {
        return text.substring(0, text.lastIndexOf("record"));
      }
    },
    CHANGES_LATE("as many bytes as before, but others") {
      @Override
      String of(String text) {
        return text.replace("record %d,".formatted(MANY - 1), "RECORD %d,".formatted(MANY - 1));
      }
    },
    CHANGES_EARLY("as many bytes as before, but others") {
      @Override
      String of(String text) {
        return text.replace("record 2,", "RECORD 2,");
      }
    };

    private final String words;

    Change(String words) {
      this.words = words;
    }

    abstract String of(String text);
  }

  @ParameterizedTest
  @EnumSource
  void a_file_that_changes_between_its_hash_and_its_reading_is_noticed(Change change) {
    in(
        (scene, client, unused) -> {
          String text = text(MANY);
          Path file = Files.writeString(folder.resolve("many.csv"), text);
          LoadRequest request = request(client, file);
          LoadIdentity identity = LoadIdentity.of(request);
          Files.writeString(file, change.of(text));
          LoadResult result =
              new Load(request, identity, client.bulk(), scene.store(), scene.time())
                  .run(InputStream.nullInputStream());
          assertThat(result.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  failed -> {
                    assertThat(failed.reason()).isEqualTo(Reason.Failure.INVALID);
                    assertThat(failed.detail())
                        .contains("the file has changed while it was loaded", change.words);
                  });
          assertThat(result.complete()).isFalse();
          if (change == Change.CHANGES_EARLY) { // such a row is in
            Files.writeString(file, text);
            assertThatThrownBy(() -> scene.load(client, scene.store(), request(client, file)))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("the input has changed");
            return;
          }
          LoadResult rest = scene.load(client, scene.store(), request(client, file));
          assertThat(rest.resumed()).isTrue();
          assertThat(rest.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.environment().rows(TABLE)).hasSize(Files.readAllLines(file).size() - 1);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {19, MANY - 1}) // so that the last row fills its batch
  void of_a_file_that_grows_no_row_is_sent_that_was_cut_off(int records) {
    in(
        (scene, client, unused) -> {
          String whole = text(records) + "late,LATE\n";
          Path file = folder.resolve("growing.csv");
          Files.writeString(file, whole.substring(0, whole.length() - 3));
          LoadRequest request = request(client, file);
          LoadIdentity identity = LoadIdentity.of(request);
          Files.writeString(file, whole);
          Load load = new Load(request, identity, client.bulk(), scene.store(), scene.time());
          try {
            assertThat(load.run(InputStream.nullInputStream()).outcome().detail())
                .contains("has grown");
          } catch (IOException e) { // noticed before anything was sent
            assertThat(e).hasMessageContaining("has grown");
          }
          assertThat(scene.load(client, scene.store(), request(client, file)).outcome())
              .isEqualTo(new Outcome.Completed());
          assertThat(scene.environment().rows(TABLE))
              .hasSize(records + 1)
              .filteredOn(row -> "late".equals(row.get("name")))
              .extracting(row -> row.get("description"))
              .containsExactly("LATE");
        });
  }

  private static String text(int records) {
    return IntStream.range(0, records)
        .mapToObj("record %1$d,K%1$d\n"::formatted)
        .collect(Collectors.joining("", "name,description\n", ""));
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void a_pipe_is_refused_because_it_can_be_read_only_once() throws Exception {
    Path pipe = folder.resolve("pipe.csv");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    in(
        (scene, client, file) ->
            assertThatThrownBy(() -> scene.load(client, scene.store(), request(client, pipe)))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll(pipe.toString(), "can be read only once", "say -"));
  }

  @Test
  void a_row_that_was_sent_and_no_longer_fits_the_table_is_told_with_its_reason() {
    in(
        (scene, client, file) -> {
          MortalStore mortal = new MortalStore(scene.store(), 8, false);
          LoadResult killed = scene.load(client, mortal, request(client, file));
          assertThat(killed.outcome().resumable()).isTrue();
          scene.time().sleep(Leases.TERM.plusSeconds(1));
          LoadRequest narrow = request(client, file).into(narrow(request(client, file).table()));
          assertThatThrownBy(() -> scene.load(client, scene.store(), narrow))
              .isInstanceOf(LoadException.class)
              .hasMessageContainingAll(
                  "name is 'record ",
                  "at most 3 characters",
                  "the definition of the table",
                  "--restart");
        });
  }

  private static Table narrow(Table table) {
    List<Column> columns =
        table.columns().stream()
            .map(
                column ->
                    new Column(
                        column.logicalName(),
                        column.type(),
                        column.creatable(),
                        column.updatable(),
                        column.logicalName().equals("name") ? 3 : 0,
                        column.options(),
                        column.targets()))
            .toList();
    return new Table(
        table.logicalName(),
        table.entitySet(),
        table.primaryId(),
        table.elastic(),
        columns,
        table.keys(),
        table.bulk());
  }

  @Test
  void a_load_that_another_process_took_over_ends_without_an_exception() {
    in(
        (scene, client, file) -> {
          Load load = new Load(request(client, file), client.bulk(), scene.store(), scene.time());
          Time.Task thief =
              scene
                  .time()
                  .start(
                      "thief",
                      () -> {
                        try {
                          while (load.progress().isEmpty()) {
                            scene.time().sleep(Duration.ofMillis(10));
                          }
                        } catch (InterruptedException e) {
                          throw new AssertionError(e);
                        }
                        int unused =
                            scene
                                .store()
                                .write(
                                    transaction ->
                                        transaction.update("update lease set fence = fence + 1"));
                      });
          LoadResult result = load.run(InputStream.nullInputStream());
          thief.join();
          assertThat(result.outcome()).isEqualTo(new Outcome.AlreadyRunning());
          scene.time().sleep(Leases.TERM.plusSeconds(1));
          assertThat(scene.load(client, scene.store(), request(client, file)).resumed()).isTrue();
          assertThat(scene.environment().rows(TABLE)).hasSize(RECORDS - 2);
        });
  }

  @ParameterizedTest(name = "{0} commits")
  @ValueSource(ints = {4, 5, 6, 8, 10, 12})
  void a_state_that_cannot_be_written_any_more_ends_the_load_without_an_exception(int commits) {
    in(
        (scene, client, file) -> {
          MortalStore full = new MortalStore(scene.store(), commits, false);
          LoadResult result = scene.load(client, full, request(client, file));
          assertThat(result.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  failed -> assertThat(failed.reason()).isEqualTo(Reason.Failure.STORAGE));
          scene.time().sleep(Leases.TERM.plusSeconds(1));
          assertThat(scene.load(client, scene.store(), request(client, file)).resumed()).isTrue();
          assertThat(scene.environment().rows(TABLE)).hasSize(RECORDS - 2);
        });
  }

  @Test
  void a_resumed_load_knows_of_decimal_commas_in_rows_that_were_rejected() {
    in(
        (scene, client, unused) -> {
          List<String> lines = new ArrayList<>(List.of("name\trevenue", "comma\t1,5"));
          for (int i = 0; i < 60; i++) {
            lines.add("record %d\t7".formatted(i));
          }
          lines.add("thousands\t1.234");
          Path file = Files.write(folder.resolve("money.tsv"), lines);
          LoadResult first = spendThreeMessages(scene, client, file);
          assertThat(first.progress().rejected()).isEqualTo(1);
          LoadResult second = scene.load(client, scene.store(), request(client, file));
          assertThat(second.resumed()).isTrue();
          assertThat(second.progress().rejected()).isEqualTo(2);
          assertThat(second.rejects().orElseThrow())
              .content()
              .contains("line 2 has '1,5'", "1.234");
        });
  }

  @Test
  void of_equal_alternate_keys_the_first_is_created_however_the_load_is_cut() {
    in(
        (scene, client, unused) -> {
          List<String> lines = new ArrayList<>(List.of("name,accountnumber"));
          for (int i = 0; i < 120; i++) {
            lines.add("record %d,%s%d".formatted(i, i % 2 == 0 ? "K" : "k", i / 3));
          }
          Path file = Files.write(folder.resolve("keyed.csv"), lines);
          LoadResult result = spendThreeMessages(scene, client, file);
          while (result.outcome().resumable()) {
            result = scene.load(client, scene.store(), few(request(client, file)));
          }
          assertThat(scene.environment().rows(TABLE))
              .extracting(row -> row.get("name"))
              .containsExactlyInAnyOrderElementsOf(
                  IntStream.range(0, 40).mapToObj(i -> "record " + 3 * i).toList());
          assertThat(Files.readAllLines(result.rejects().orElseThrow()))
              .hasSize(81)
              .anyMatch(
                  line -> line.contains("line 4: ") && line.endsWith("; line 2 has the same key"));
        });
  }

  @Test
  void a_clock_that_is_set_back_a_day_between_two_attempts_does_no_harm() {
    in(
        (scene, client, file) -> {
          MortalStore mortal = new MortalStore(scene.store(), 8, false);
          LoadResult killed = scene.load(client, mortal, request(client, file));
          assertThat(killed.outcome().resumable()).isTrue();
          int unused =
              scene
                  .store()
                  .write(
                      transaction ->
                          transaction.update(
                              "update lease set since = since + 86400000,"
                                  + " expires = expires + 86400000"));
          assertThatThrownBy(() -> scene.load(client, scene.store(), request(client, file)))
              .isInstanceOf(AlreadyRunningException.class);
          scene.time().sleep(Leases.TERM.plusSeconds(1));
          LoadResult rest = scene.load(client, scene.store(), request(client, file));
          assertThat(rest.resumed()).isTrue();
          assertThat(scene.environment().rows(TABLE)).hasSize(RECORDS - 2);
        });
  }

  @Test
  void runs_are_listed_by_where_their_file_is() {
    in(
        (scene, client, file) -> {
          LoadResult unused = scene.load(client, scene.store(), request(client, file));
          assertThat(new Runs(scene.store(), scene.time()).latest(1).getFirst().name())
              .isEqualTo(Scene.ADDRESS + " account " + file);
        });
  }

  private interface Story {
    void happen(Scene scene, DataverseClient client, Path file) throws Exception;
  }

  /** The second record and the last but one are ragged. */
  private void in(Story story) {
    Scene.in(
        database,
        ENVIRONMENT,
        1,
        scene -> {
          List<String> lines = new ArrayList<>(List.of("name,description"));
          for (int i = 0; i < RECORDS; i++) {
            lines.add(i == 1 || i == RECORDS - 2 ? "ragged " + i : "record %d,K%d".formatted(i, i));
          }
          Path file = Files.write(folder.resolve("accounts.csv"), lines);
          try (DataverseClient client = scene.connect()) {
            story.happen(scene, client, file);
          }
        });
  }

  private static LoadRequest request(DataverseClient client, Path file) throws Exception {
    return Scene.request(client.table(TABLE), Operation.CREATE, file, List.of(), false);
  }

  private static LoadRequest with(
      DataverseClient client, Path file, boolean restart, boolean again, @Nullable String name)
      throws Exception {
    LoadRequest plain = request(client, file);
    return new LoadRequest(
        plain.environment(),
        plain.table(),
        plain.operation(),
        plain.source(),
        InputOptions.DEFAULTS,
        Mapping.NONE,
        MappingOptions.DEFAULTS,
        plain.bulk(),
        plain.envelope(),
        plain.maxRejects(),
        restart,
        Optional.ofNullable(name),
        again,
        Optional.empty());
  }

  private static LoadRequest few(LoadRequest all) {
    return new LoadRequest(
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
        all.restart(),
        all.name(),
        all.again(),
        all.caller());
  }

  private static LoadResult spendThreeMessages(Scene scene, DataverseClient client, Path file)
      throws Exception {
    LoadResult result = scene.load(client, scene.store(), few(request(client, file)));
    assertThat(result.outcome()).isInstanceOf(Outcome.Deferred.class);
    assertThat(result.progress().done()).isPositive();
    return result;
  }
}
