package dev.sluice.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.gate.time.Time;
import dev.sluice.load.mapping.Mapping;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.MappingFile;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.store.Reference;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Look-ups to rows of the same file, case by case. */
@ParameterizedClass
@EnumSource
class LoadLinkTest {
  private static final String HEAD = "name,accountnumber,Parent\n";

  @TempDir Path folder;

  private final TestDatabase database;

  LoadLinkTest(TestDatabase database) {
    this.database = database;
  }

  @Test
  void parents_that_come_later_circles_and_rows_that_mean_themselves_are_linked() {
    in(
        (scene, client) -> {
          LoadResult result = load(scene, client, "A,1,2\nB,2,1\nC,3,3\nD,4, 1 \nE,5,\n");
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(result.progress().done()).isEqualTo(5);
          assertThat(result.progress().lookups()).isEqualTo(new LoadProgress.Lookups(0, 4));
          assertThat(parents(scene)).isEqualTo(Map.of("A", "B", "B", "A", "C", "C", "D", "A"));
        });
  }

  @Test
  void a_look_up_that_means_no_row_rejects_its_row_and_says_that_it_is_in() {
    in(
        (scene, client) -> {
          LoadResult result = load(scene, client, "A,1,\nB,2,9\n");
          assertThat(result.progress().done()).isEqualTo(1);
          assertThat(result.progress().rejected()).isEqualTo(1);
          assertThat(result.deferred()).isZero();
          assertThat(scene.environment().rows("account")).hasSize(2);
          assertThat(rejects("accounts.rejected.csv"))
              .singleElement()
              .asString()
              .startsWith("B,2,9,lookup-unknown,")
              .contains(
                  "line 3: no row of the file has accountnumber '9'; the row is in (accountid ")
              .contains(
                  "but without parentaccountid: set that by --op update, do not load it again");
        });
  }

  @Test
  void a_look_up_to_a_row_that_was_rejected_says_so() {
    in(
        (scene, client) -> {
          String tooLong = "x".repeat(300);
          LoadResult result = load(scene, client, "A,1,2\n" + tooLong + ",2,\nC,3,1\n");
          assertThat(result.progress().done()).isEqualTo(1);
          assertThat(result.progress().rejected()).isEqualTo(2);
          assertThat(rejects("accounts.rejected.csv"))
              .anySatisfy(
                  line ->
                      assertThat(line)
                          .startsWith("A,1,2,lookup-rejected,")
                          .contains("record 2, which has accountnumber '2', was rejected"));
          assertThat(parents(scene)).isEqualTo(Map.of("C", "A"));
        });
  }

  @Test
  void a_name_that_two_rows_have_is_refused_only_where_it_is_used() {
    in(
        (scene, client) -> {
          Mapping byRow =
              MappingFile.parse(
                  "m.yaml",
                  """
                  columns:
                    Row: {skip: true}
                    Parent: {to: parentaccountid, lookup: {same-file: Row}}
                  """);
          Path file = file("name,Row,Parent\nA,r,\nB,r,\nC,s,\nD,,r\nE,,s\n");
          LoadResult result =
              scene.load(client, scene.store(), request(client, Operation.CREATE, file, byRow, 0));
          assertThat(result.progress().done()).isEqualTo(4);
          assertThat(rejects("accounts.rejected.csv"))
              .singleElement()
              .asString()
              .startsWith("D,,r,lookup-ambiguous,")
              .contains("records 1 and 2 both have Row 'r'");
          assertThat(parents(scene)).isEqualTo(Map.of("E", "C"));
        });
  }

  @Test
  void rows_that_are_in_and_wait_are_deferred_and_get_their_look_ups_from_the_next_run() {
    in(
        (scene, client) -> {
          StringBuilder rows = new StringBuilder();
          for (int i = 0; i < 40; i++) {
            rows.append("R%d,%d,%d\n".formatted(i, i, (i + 1) % 40));
          }
          Path file = file(HEAD + rows);
          LoadResult first =
              scene.load(
                  client,
                  scene.store(),
                  request(client, Operation.CREATE, file, byNumber(), 3)); // messages of 20 rows
          assertThat(first.outcome()).isInstanceOf(Outcome.Deferred.class);
          assertThat(first.complete()).isTrue();
          assertThat(first.progress().done()).isEqualTo(20);
          assertThat(first.deferred()).isEqualTo(20);
          assertThat(first.progress().lookups()).isEqualTo(new LoadProgress.Lookups(20, 20));
          LoadResult second =
              scene.load(
                  client, scene.store(), request(client, Operation.CREATE, file, byNumber(), 0));
          assertThat(second.resumed()).isTrue();
          assertThat(second.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(second.progress().done()).isEqualTo(40);
          assertThat(second.progress().sending().messages()).isEqualTo(1);
          assertThat(parents(scene)).hasSize(40).containsEntry("R39", "R0");
        });
  }

  @Test
  void a_restart_that_is_refused_leaves_the_unfinished_load_as_it_was() {
    in(
        (scene, client) -> {
          StringBuilder rows = new StringBuilder();
          for (int i = 0; i < 40; i++) {
            rows.append("R%d,%d,%d\n".formatted(i, i, (i + 1) % 40));
          }
          Path file = file(HEAD + rows);
          LoadResult first =
              scene.load(
                  client, scene.store(), request(client, Operation.CREATE, file, byNumber(), 2));
          assertThat(first.deferred()).isEqualTo(40);
          Mapping mistaken = MappingFile.parse("m.yaml", "columns: {Parrent: {skip: true}}");
          LoadRequest restart =
              Scene.request(
                  client.table("account"), Operation.CREATE, file, List.of(), mistaken, true);
          assertThatThrownBy(() -> scene.load(client, scene.store(), restart))
              .isInstanceOf(MappingException.class);
          LoadResult second =
              scene.load(
                  client, scene.store(), request(client, Operation.CREATE, file, byNumber(), 0));
          assertThat(second.resumed()).isTrue();
          assertThat(second.progress().done()).isEqualTo(40);
          assertThat(parents(scene)).hasSize(40);
        });
  }

  @Test
  void a_file_that_was_changed_between_the_passes_links_nothing_and_one_that_is_put_back_goes_on() {
    in(
        (scene, client) -> {
          String rows = "A,1,2\nB,2,\n";
          LoadRequest request = request(client, Operation.CREATE, file(HEAD + rows), byNumber(), 0);
          Load load = new Load(request, client.bulk(), scene.store(), scene.time());
          Time.Task somebody =
              scene
                  .time()
                  .start(
                      "somebody",
                      () -> {
                        try {
                          while (load.progress().map(LoadProgress::read).orElse(0L) < 2) {
                            scene.time().sleep(Duration.ofMillis(1));
                          }
                          Path unused = file(HEAD + "new,9,1\n" + rows);
                        } catch (Exception e) {
                          throw new AssertionError(e);
                        }
                      });
          LoadResult changed = load.run(InputStream.nullInputStream());
          somebody.join();
          assertThat(changed.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  failed ->
                      assertThat(failed.detail())
                          .contains("the input has changed since it was loaded")
                          .contains("its first 1 records are not those that were read"));
          assertThat(changed.deferred()).isEqualTo(1);
          assertThat(parents(scene)).isEmpty();
          Path unused = file(HEAD + rows);
          assertThat(scene.load(client, scene.store(), request).outcome())
              .isEqualTo(new Outcome.Completed());
          assertThat(parents(scene)).isEqualTo(Map.of("A", "B"));
        });
  }

  @Test
  void an_upsert_by_an_alternate_key_links_rows_by_that_key() {
    in(
        (scene, client) -> {
          Path file = file(HEAD + "A,1,2\nB,2,\nA again,1,2\n");
          LoadRequest request =
              Scene.request(
                  client.table("account"),
                  Operation.UPSERT,
                  file,
                  List.of("accountnumber"),
                  byNumber(),
                  false);
          assertThat(scene.load(client, scene.store(), request).outcome())
              .isEqualTo(new Outcome.Completed());
          assertThat(parents(scene)).isEqualTo(Map.of("A again", "B"));
        });
  }

  @Test
  void an_update_and_standard_input_are_refused_before_anything_is_sent() {
    in(
        (scene, client) -> {
          Path file = file("accountid,name,accountnumber,Parent\n");
          assertThatThrownBy(
                  () ->
                      scene.load(
                          client,
                          scene.store(),
                          request(client, Operation.UPDATE, file, byNumber(), 0)))
              .isInstanceOf(MappingException.class)
              .hasMessage(
                  "m.yaml:1: Parent.lookup.same-file is for create and upsert, but this is update:"
                      + " rows that are there already are found by lookup: {table: account, by:"
                      + " COLUMN}");
          LoadRequest standardInput =
              request(client, Operation.CREATE, Path.of("-"), byNumber(), 0);
          byte[] rows = (HEAD + "A,1,\n").getBytes(UTF_8);
          assertThatThrownBy(
                  () ->
                      new Load(standardInput, client.bulk(), scene.store(), scene.time())
                          .run(new ByteArrayInputStream(rows)))
              .isInstanceOf(MappingException.class)
              .hasMessageContaining("needs an input that can be read twice");
          assertThat(scene.environment().rows("account")).isEmpty();
        });
  }

  @Test
  void a_dry_run_names_look_ups_that_mean_nothing_and_sends_nothing() {
    in(
        (scene, client) -> {
          Path file = file(HEAD + "A,1,3\nB,2,9\nC,3,1\n,,,\nE,5,1\nF,5,\nG,7,5\n");
          DryRun.Result result =
              DryRun.of(
                  request(client, Operation.CREATE, file, byNumber(), 0),
                  InputStream.nullInputStream(),
                  scene.time());
          assertThat(result.read()).isEqualTo(7);
          assertThat(result.rejected()).isEqualTo(3);
          assertThat(rejects("accounts.dry-run.rejected.csv"))
              .satisfiesExactly(
                  ragged -> assertThat(ragged).contains("ragged-row"),
                  unknown ->
                      assertThat(unknown)
                          .isEqualTo(
                              "B,2,9,lookup-unknown,line 3: no row of the file has accountnumber"
                                  + " '9'"),
                  twice -> assertThat(twice).contains("records 5 and 6 both have"));
          assertThat(scene.environment().rows("account")).isEmpty();
        });
  }

  private interface Story {
    void happen(Scene scene, DataverseClient client) throws Exception;
  }

  private void in(Story story) {
    Scene.in(
        database,
        EnvironmentOptions.of(Scene.USERS),
        1,
        scene -> {
          try (DataverseClient client = scene.connect()) {
            story.happen(scene, client);
          }
        });
  }

  private LoadResult load(Scene scene, DataverseClient client, String rows) throws Exception {
    return scene.load(
        client, scene.store(), request(client, Operation.CREATE, file(HEAD + rows), byNumber(), 0));
  }

  private Path file(String text) throws Exception {
    return Files.writeString(folder.resolve("accounts.csv"), text);
  }

  private static Mapping byNumber() throws MappingException {
    return MappingFile.parse(
        "m.yaml", "columns: {Parent: {to: parentaccountid, lookup: {same-file: accountnumber}}}");
  }

  private static LoadRequest request(
      DataverseClient client, Operation operation, Path file, Mapping mapping, int messages)
      throws Exception {
    LoadRequest all =
        Scene.request(client.table("account"), operation, file, List.of(), mapping, false);
    return new LoadRequest(
        all.environment(),
        all.table(),
        operation,
        all.source(),
        all.input(),
        mapping,
        all.mappingOptions(),
        all.bulk().withFixedBatch(20),
        messages == 0 ? Envelope.UNBOUNDED : Envelope.UNBOUNDED.withRequestCap(messages),
        all.maxRejects(),
        false,
        all.name(),
        all.again(),
        all.caller());
  }

  private List<String> rejects(String name) throws Exception {
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve(name))) {
      lines.add(line.replace("\"", ""));
    }
    assertThat(lines.removeFirst()).endsWith("error_code,error_message");
    return lines;
  }

  /** The names of rows that have a parent, with that one's. */
  private static Map<String, String> parents(Scene scene) {
    Map<Object, String> names = new HashMap<>();
    scene
        .environment()
        .rows("account")
        .forEach(row -> names.put(row.get("accountid"), String.valueOf(row.get("name"))));
    Map<String, String> parents = new TreeMap<>();
    scene
        .environment()
        .rows("account")
        .forEach(
            row -> {
              if (row.get("_parentaccountid_value") instanceof Reference(String table, UUID id)) {
                parents.put(String.valueOf(row.get("name")), String.valueOf(names.get(id)));
              }
            });
    return parents;
  }
}
