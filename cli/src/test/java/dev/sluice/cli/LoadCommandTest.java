package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.dataverse.RequestRecord;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.http.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Every option of {@code sluice load}, typed as in the guide, over HTTP against a simulated
 * environment on loopback: each is seen to have its effect there.
 */
class LoadCommandTest {
  private static final String TABLE = "account";
  private static final String NAME = "name";
  private static final String NUMBER = "accountnumber";

  @TempDir Path folder;

  private @Nullable LoadStage open;

  private LoadStage stage() throws IOException {
    return stage(ServiceTimes.NONE);
  }

  private LoadStage stage(ServiceTimes times) throws IOException {
    LoadStage stage = new LoadStage(folder, times);
    open = stage;
    return stage;
  }

  @AfterEach
  void close() {
    if (open != null) {
      open.close();
    }
  }

  private static void assertDone(Ran ran) {
    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.err().lines().filter(line -> !line.startsWith("policy "))).isEmpty();
  }

  private static void assertCounts(JsonNode json, long read, long done, long rejected) {
    assertThat(json.path("read").asLong()).as(json.toString()).isEqualTo(read);
    assertThat(json.path("done").asLong()).as(json.toString()).isEqualTo(done);
    assertThat(json.path("rejected").asLong()).as(json.toString()).isEqualTo(rejected);
    assertThat(json.path("deferred").asLong())
        .as(json.toString())
        .isEqualTo(read - done - rejected);
  }

  @Test
  void create_update_upsert_and_delete_do_what_they_say_however_they_are_written()
      throws IOException {
    LoadStage stage = stage();
    assertDone(stage.load(TABLE, stage.file("new.csv", NAME, "Alpha", "Beta"), "--op", "create"));
    List<String> ids = stage.values(TABLE, "accountid");
    assertDone(
        stage.load(
            TABLE,
            stage.file(
                "changed.csv", "accountid,name", ids.get(0) + ",First", ids.get(1) + ",Second"),
            "--op",
            "update"));
    assertThat(stage.values(TABLE, NAME)).containsExactly("First", "Second");
    assertThat(stage.values(TABLE, "accountid")).isEqualTo(ids);
    String added = "00000000-0000-4000-8000-000000000001";
    assertDone(
        stage.load(
            TABLE,
            stage.file("both.csv", "accountid,name", ids.get(0) + ",One", added + ",Third"),
            "--op",
            "UPSERT"));
    assertThat(stage.values(TABLE, NAME)).containsExactly("One", "Second", "Third");
    assertDone(
        stage.load(TABLE, stage.file("old.csv", "accountid", ids.get(0), added), "--op", "Delete"));
    assertThat(stage.values(TABLE, NAME)).containsExactly("Second");
  }

  @Test
  void a_key_says_which_rows_are_meant() throws IOException {
    LoadStage stage = stage();
    Path first = stage.file("first.csv", "accountnumber,name", "A-1,Alpha", "A-2,Beta");
    assertDone(stage.load(TABLE, first, "--op", "upsert", "--key", NUMBER));
    Path second = stage.file("second.csv", "accountnumber,name", "A-2,Changed", "A-3,Gamma");
    assertDone(stage.load(TABLE, second, "--op", "upsert", "--key", NUMBER));
    assertThat(stage.values(TABLE, NUMBER)).containsExactly("A-1", "A-2", "A-3");
    assertThat(stage.values(TABLE, NAME)).containsExactly("Alpha", "Changed", "Gamma");
  }

  @Test
  void a_mapping_says_what_columns_mean() throws IOException {
    LoadStage stage = stage();
    Path mapping =
        stage.file(
            "mapping.yaml",
            "columns:",
            "  Company: name",
            "  Staff: {to: numberofemployees, default: 7}",
            "  Remarks: {skip: true}");
    Path input = stage.file("in.csv", "Company,Staff,Remarks", "Alpha,,no column of that name");
    assertDone(stage.load(TABLE, input, "--mapping", mapping));
    assertThat(stage.values(TABLE, NAME)).containsExactly("Alpha");
    assertThat(stage.values(TABLE, "numberofemployees")).containsExactly("7");
  }

  @ParameterizedTest(name = "an empty cell with --empty {0} leaves {1}")
  @CsvSource({"keep, Berlin", "clear, null", "CLEAR, null"})
  void an_empty_cell_keeps_or_clears_as_it_is_told(String what, String city) throws IOException {
    LoadStage stage = stage();
    Path full = stage.file("full.csv", "accountnumber,address1_city", "A-1,Berlin");
    assertDone(stage.load(TABLE, full, "--op", "upsert", "--key", NUMBER));
    Path gap = stage.file("gap.csv", "accountnumber,address1_city,name", "A-1,,Alpha");
    assertDone(stage.load(TABLE, gap, "--op", "upsert", "--key", NUMBER, "--empty", what));
    assertThat(stage.values(TABLE, "address1_city")).containsExactly(city);
  }

  @Test
  void a_zone_says_where_times_were_written() throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("in.csv", "name,lastonholdtime", "Alpha,2026-01-05 10:00");
    assertDone(stage.load(TABLE, input, "--zone", "Europe/Berlin"));
    assertThat(stage.values(TABLE, "lastonholdtime")).containsExactly("2026-01-05T09:00:00Z");
  }

  @Test
  void a_format_goes_before_what_the_name_of_the_file_says() throws IOException {
    LoadStage stage = stage();
    Path lines = stage.file("lines.csv", "{\"name\": \"Alpha\"}", "{\"name\": \"Beta\"}");
    assertDone(stage.load(TABLE, lines, "--format", "json-lines"));
    Path cells = stage.file("cells.jsonl", NAME, "Gamma");
    assertDone(stage.load(TABLE, cells, "--format", "csv"));
    assertThat(stage.values(TABLE, NAME)).containsExactly("Alpha", "Beta", "Gamma");
  }

  @Test
  void a_delimiter_is_one_that_nobody_would_find_out() throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("in.csv", "name^accountnumber", "Alpha, Beta; and Sons^A-1");
    assertDone(stage.load(TABLE, input, "--delimiter", "^"));
    assertThat(stage.values(TABLE, NAME)).containsExactly("Alpha, Beta; and Sons");
    assertThat(stage.values(TABLE, NUMBER)).containsExactly("A-1");
  }

  @Test
  void an_encoding_says_what_bytes_mean() throws IOException {
    LoadStage stage = stage();
    Path input = folder.resolve("in.csv");
    Files.write(input, "name\nMüller €\n".getBytes(Charset.forName("windows-1252")));
    assertDone(stage.load(TABLE, input, "--encoding", "windows-1252"));
    assertThat(stage.values(TABLE, NAME)).containsExactly("Müller €");
  }

  @Test
  void a_dry_run_checks_everything_and_sends_nothing() throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("in.csv", "name,numberofemployees", "Alpha,1", "Beta,many");
    Ran dry = stage.load(TABLE, input, "--dry-run");
    assertThat(dry.code()).isEqualTo(ExitCode.REJECTED_RECORDS.number());
    assertThat(dry.out())
        .contains("2 records read: 1 can be sent, 1 cannot. Nothing was sent.")
        .contains("in.dry-run.rejected.csv");
    assertThat(folder.resolve("in.dry-run.rejected.csv"))
        .content()
        .contains("Beta,many,bad-value,\"line 3: numberofemployees is 'many'");
    JsonNode json = stage.load(TABLE, input, "--dry-run", "--output", "json").json();
    assertThat(json.path("outcome").asString()).isEqualTo("dry_run");
    assertThat(json.path("read").asInt()).isEqualTo(2);
    assertThat(json.path("rejected").asInt()).isEqualTo(1);
    assertThat(stage.changes()).isEmpty();
    assertThat(stage.load(TABLE, input, "--output", "json").json().path("resumed").asBoolean())
        .isFalse();
  }

  @Test
  void a_batch_size_is_that_of_the_first_messages() throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("in.csv", NAME, "a", "b", "c", "d");
    assertDone(stage.load(TABLE, input, "--batch-size", "3"));
    assertThat(stage.environment().requests(1_000).stream().filter(it -> it.operation().writes()))
        .extracting(RequestRecord::rows)
        .containsExactlyInAnyOrder(3, 1);
  }

  @ParameterizedTest(name = "{0} has {1} to {2} requests at once")
  @CsvSource({
    "--policy=fixed, 4, 4", // as recommended
    "--policy=aimd, 2, 2", // half of that to begin with
    "--preset=conservative, 2, 2", // is one of aimd
    "--policy=quota, 5, 52" // as many as the budget bears
  })
  void a_policy_decides_how_many_requests_are_out_at_once(String option, int least, int most)
      throws IOException {
    LoadStage stage = stage(eachMessageTakes(Duration.ofMillis(150)));
    Path input = stage.file("in.csv", names(24));
    assertDone(stage.load(TABLE, input, "--batch-size", "1", option));
    assertThat(stage.rows(TABLE)).hasSize(24);
    assertThat(stage.mostAtOnce()).isBetween(least, most);
  }

  @Test
  void a_preset_is_refused_with_a_policy_that_does_not_use_it() throws IOException {
    LoadStage stage = stage();
    Ran ran =
        stage.load(
            TABLE, stage.file("in.csv", names(1)), "--policy", "quota", "--preset", "balanced");
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err()).contains("preset is set, but policy is quota", "choose policy aimd");
    assertThat(stage.changes()).isEmpty();
  }

  @Test
  void the_command_that_goes_on_can_be_pasted_whatever_the_file_is_called() throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("my big file's.csv", names(5));
    Ran ran = stage.load(TABLE, input, "--batch-size", 2, "--max-requests", 1);
    assertThat(ran.err())
        .contains(
            "sluice load account '" + input.toString().replace("'", "'\\''") + "' --batch-size");
  }

  @Test
  void the_policy_in_force_and_its_plan_are_named_once_at_the_start_and_in_json()
      throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("in.csv", names(5));
    Ran text = stage.load(TABLE, input, "--op", "create");
    assertThat(text.err().lines().filter(line -> line.startsWith("policy ")))
        .singleElement()
        .asString()
        .startsWith("policy quota: 1 user, servers unknown, starts at ")
        .endsWith(" at once, 1,200 s of execution time per 5 min");
    Ran json =
        stage.load(TABLE, stage.file("b.csv", names(3)), "--policy", "fixed", "--output", "json");
    assertThat(json.json().at("/policy/name").asString()).isEqualTo("fixed");
    assertThat(json.json().at("/policy/users").asInt()).isEqualTo(1);
    assertThat(json.json().at("/policy/plan").asString()).startsWith("fixed: 1 user, always ");
  }

  @Test
  void a_cap_on_requests_defers_the_rest_and_the_same_command_goes_on() throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("in.csv", names(5));
    List<Object> command = List.of(TABLE, input, "--batch-size", 2, "--max-requests", 1);
    Ran first = stage.load(command.toArray());
    assertThat(first.code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(first.out()).contains("5 records read: 2 done, 0 rejected, 3 deferred");
    assertThat(first.err())
        .contains("deferred, because it made as many requests as it may")
        .contains("the same command goes on from here: sluice load account " + input)
        .contains("--batch-size 2 --max-requests 1");
    assertThat(stage.changes()).hasSize(1);
    assertThat(stage.load(command.toArray()).code()).isEqualTo(ExitCode.DEFERRED.number());
    Ran last = stage.load(TABLE, input, "--max-requests", 1, "--output", "json");
    assertThat(last.code()).as(last.toString()).isZero();
    assertThat(last.json().path("resumed").asBoolean()).isTrue();
    assertCounts(last.json(), 5, 5, 0);
    assertThat(stage.values(TABLE, NAME)).containsExactly("n0", "n1", "n2", "n3", "n4");
  }

  @Test
  void a_cap_on_time_defers_the_rest_and_the_same_command_goes_on() throws IOException {
    LoadStage stage = stage(eachMessageTakes(Duration.ofMillis(200)));
    Path input = stage.file("in.csv", names(100));
    Ran first =
        stage.load(
            TABLE, input, "--batch-size=1", "--policy=aimd", "--max-time=2s", "--output=json");
    assertThat(first.code()).as(first.toString()).isEqualTo(ExitCode.DEFERRED.number());
    JsonNode json = first.json();
    assertThat(json.path("outcome").asString()).isEqualTo("deferred");
    assertThat(json.path("reason").asString()).isEqualTo("wall_clock");
    long done = json.path("done").asLong();
    assertThat(done).isBetween(1L, 99L);
    assertCounts(json, json.path("read").asLong(), done, 0);
    assertThat(first.err()).contains("deferred, because the time that it may take is not enough");
    assertDone(stage.load(TABLE, input));
    assertThat(stage.values(TABLE, NAME)).doesNotHaveDuplicates().hasSize(100);
  }

  @Test
  void what_the_service_is_told_beside_the_records_is_told_with_every_message() throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("in.csv", names(1));
    assertDone(stage.load(TABLE, input));
    assertDone(stage.load(TABLE, input, "--again", "--bypass-plugins", "--bypass-flows"));
    assertDone(
        stage.load(TABLE, input, "--again", "--bypass-plugins=sync", "--duplicate-detection"));
    assertDone(
        stage.load(TABLE, input, "--again", "--bypass-plugins", "async", "--tag", "night load"));
    assertDone(stage.load(TABLE, input, "--again", "--bypass-plugins=all"));
    assertThat(stage.changes())
        .extracting(LoadCommandTest::told)
        .containsExactly(
            "null null null null",
            "CustomSync,CustomAsync true null null",
            "CustomSync null false null",
            "CustomAsync null null tag=night%20load",
            "CustomSync,CustomAsync null null null");
  }

  @Test
  void a_load_is_on_behalf_of_a_caller_bypasses_steps_and_goes_before_the_configuration()
      throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("in.csv", names(1));
    String caller = "6f1a3c52-0b7e-4d1c-9a55-2f8d0c4b7e10";
    String step = "00000000-0000-4000-8000-000000000001";
    Path yaml = folder.resolve("sluice.yaml");
    Files.writeString(
        yaml,
        Files.readString(yaml)
            + """
              caller: 00000000-0000-4000-8000-00000000000c
              bypass: {plugins: legacy, steps: [00000000-0000-4000-8000-00000000000a], flows: true}
              headers: {X-Own: {file: app1.secret}}
            """);
    assertDone(stage.load(TABLE, input));
    assertDone(
        stage.load(
            TABLE,
            input,
            "--caller",
            caller,
            "--bypass-plugins=none",
            "--bypass-steps",
            step + "," + caller));
    assertThat(stage.changes())
        .extracting(
            request ->
                "%s %s %s %s %s"
                    .formatted(
                        request.headers().first("CallerObjectId"),
                        request.headers().first("MSCRM.BypassCustomPluginExecution"),
                        request.headers().first("MSCRM.BypassBusinessLogicExecutionStepIds"),
                        request.headers().first("MSCRM.SuppressCallbackRegistrationExpanderJob"),
                        request.headers().first("X-Own")))
        .containsExactly(
            "00000000-0000-4000-8000-00000000000c true 00000000-0000-4000-8000-00000000000a true "
                + stage.secret(),
            "%s null %s,%s true %s".formatted(caller, step, caller, stage.secret()));
  }

  private static String told(Request request) {
    return "%s %s %s %s"
        .formatted(
            request.headers().first("MSCRM.BypassBusinessLogicExecution"),
            request.headers().first("MSCRM.SuppressCallbackRegistrationExpanderJob"),
            request.headers().first("MSCRM.SuppressDuplicateDetection"),
            request.query());
  }

  @Test
  void a_restart_forgets_what_is_unfinished_and_leaves_rows_in() throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("in.csv", names(2));
    assertThat(stage.load(TABLE, input, "--batch-size=1", "--max-requests=1").code())
        .isEqualTo(ExitCode.DEFERRED.number());
    Ran again = stage.load(TABLE, input, "--restart", "--output", "json");
    assertThat(again.code()).as(again.toString()).isZero();
    assertThat(again.json().path("resumed").asBoolean()).isFalse();
    assertCounts(again.json(), 2, 2, 0);
    assertThat(stage.values(TABLE, NAME)).containsExactly("n0", "n0", "n1");
  }

  @Test
  void loads_are_kept_where_the_state_is_said_to_be() throws IOException {
    LoadStage stage = stage();
    Path input = stage.file("in.csv", names(2));
    Path state = folder.resolve("kept.db");
    assertThat(
            stage.load(TABLE, input, "--batch-size=1", "--max-requests=1", "--state", state).code())
        .isEqualTo(ExitCode.DEFERRED.number());
    assertThat(state).isNotEmptyFile();
    assertThat(folder.resolve(".sluice")).doesNotExist();
    JsonNode rest = stage.load(TABLE, input, "--state", state, "--output", "json").json();
    assertThat(rest.path("resumed").asBoolean()).isTrue();
    assertThat(stage.load(TABLE, input, "--output", "json").json().path("resumed").asBoolean())
        .isFalse();
    assertThat(folder.resolve(".sluice").resolve("state.db")).exists();
  }

  @Test
  void json_is_one_object_whose_counts_add_up_and_text_is_for_people() throws IOException {
    LoadStage stage = stage();
    Path input =
        stage.file("in.csv", "name,numberofemployees", "a,1", "b,many", "c,3", "d,-1", "e,5");
    Ran ran = stage.load(TABLE, input, "--output", "json");
    assertThat(ran.code()).isEqualTo(ExitCode.REJECTED_RECORDS.number());
    JsonNode json = ran.json();
    assertCounts(json, 5, 3, 2);
    assertThat(json.path("table").asString()).isEqualTo(TABLE);
    assertThat(json.path("operation").asString()).isEqualTo("create");
    assertThat(json.path("source").asString()).isEqualTo(input.toString());
    assertThat(json.path("outcome").asString()).isEqualTo("completed_with_rejections");
    assertThat(json.path("complete").asBoolean()).isTrue();
    assertThat(json.path("messages").asLong()).isEqualTo(stage.changes().size());
    assertThat(Path.of(json.path("rejects").asString())).isNotEmptyFile();
    assertThat(stage.load(TABLE, input, "--again", "--output", "text").out())
        .contains("5 records read: 3 done, 2 rejected, 0 deferred", "in.rejected.csv");
  }

  @Test
  void standard_input_is_a_hyphen() throws IOException {
    LoadStage stage = stage();
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream("name\nAlpha\nBeta\n".getBytes(UTF_8)));
    try {
      assertDone(stage.load(TABLE, "-"));
    } finally {
      System.setIn(before);
    }
    assertThat(stage.values(TABLE, NAME)).containsExactly("Alpha", "Beta");
  }

  @Test
  void a_packed_file_is_unpacked() throws IOException {
    LoadStage stage = stage();
    Path input = folder.resolve("in.jsonl.gz");
    try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(input))) {
      packed.write("{\"name\":\"Alpha\"}\n{\"name\":\"Beta\"}\n".getBytes(UTF_8));
    }
    assertDone(stage.load(TABLE, input));
    assertThat(stage.values(TABLE, NAME)).containsExactly("Alpha", "Beta");
  }

  @Test
  void help_and_guide_name_every_option_and_help_fits_a_terminal_of_eighty_columns()
      throws IOException {
    StringWriter out = new StringWriter();
    var sluice = Sluice.commandLine().setOut(new PrintWriter(out));
    assertThat(sluice.execute("load", "--help")).isZero();
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    String guide = Files.readString(Path.of("..", "docs", "dataverse.md"));
    Map<String, ?> options =
        requireNonNull(sluice.getSubcommands().get("load")).getCommandSpec().optionsMap();
    for (String option : options.keySet()) {
      assertThat(out.toString()).contains(option);
      if (!List.of("-h", "--help", "-V", "--version").contains(option)) {
        assertThat(guide).contains("`" + option);
      }
    }
  }

  private static ServiceTimes eachMessageTakes(Duration time) {
    return new ServiceTimes(Duration.ZERO, Duration.ZERO, time, time, Duration.ZERO);
  }

  /** A file of one column, name, with so many rows: n0, n1 and so on. */
  private static String[] names(int count) {
    return IntStream.range(-1, count).mapToObj(i -> i < 0 ? NAME : "n" + i).toArray(String[]::new);
  }
}
