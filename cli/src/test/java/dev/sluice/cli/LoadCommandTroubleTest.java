package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * What goes wrong when people load files: each trouble is told in words that say what to do, ends
 * with the exit code that the guide promises, and loses nothing.
 */
class LoadCommandTroubleTest {
  private static final String TABLE = "account";
  private static final String NAME = "name";

  @TempDir Path folder;

  private LoadStage stage;

  @BeforeEach
  void open() throws IOException {
    stage = new LoadStage(folder);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private static void assertEnd(Ran ran, ExitCode code, String... words) {
    assertThat(ran.code()).as(ran.toString()).isEqualTo(code.number());
    assertThat(ran.err()).doesNotContain("\tat ").doesNotContain("Exception");
    for (String word : words) {
      assertThat(ran.err()).contains(word);
    }
  }

  /** Refused before anything was sent or counted. */
  private void assertRefused(Ran ran, ExitCode code, String... words) {
    assertEnd(ran, code, words);
    assertThat(ran.out()).isEmpty();
    assertThat(stage.changes()).isEmpty();
  }

  private static void assertCounts(JsonNode json, long read, long done, long rejected) {
    assertThat(json.path("read").asLong()).as(json.toString()).isEqualTo(read);
    assertThat(json.path("done").asLong()).as(json.toString()).isEqualTo(done);
    assertThat(json.path("rejected").asLong()).as(json.toString()).isEqualTo(rejected);
    assertThat(json.path("deferred").asLong())
        .as(json.toString())
        .isEqualTo(read - done - rejected);
  }

  private Ran json(Object... arguments) {
    Object[] all = new Object[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--output";
    all[arguments.length + 1] = "json";
    return stage.load(all);
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    Path none = folder.resolve("none.csv");
    assertRefused(
        stage.load(TABLE, none), ExitCode.BAD_ARGUMENTS, none + ": there is no such file");
    assertRefused(
        stage.load(TABLE, folder), ExitCode.BAD_ARGUMENTS, folder + ": is a folder, but a file");
    assertRefused(
        stage.load(TABLE, folder.resolve("in.csv"), "--mapping", none),
        ExitCode.BAD_ARGUMENTS,
        "there is no mapping file " + none);
  }

  @Test
  void an_empty_file_lacks_a_header() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty.csv"));
    assertRefused(
        stage.load(TABLE, empty),
        ExitCode.BAD_ARGUMENTS,
        empty + ": is empty; a header row with the names of the columns was expected");
  }

  @Test
  void a_header_without_rows_is_a_load_of_nothing() throws IOException {
    Ran ran = json(TABLE, stage.file("header.csv", "name,accountnumber"));
    assertEnd(ran, ExitCode.DONE);
    assertCounts(ran.json(), 0, 0, 0);
    assertThat(ran.json().path("outcome").asString()).isEqualTo("completed");
    assertThat(stage.changes()).isEmpty();
  }

  @Test
  void ragged_rows_are_rejected_with_their_line_and_the_others_go_in() throws IOException {
    Ran ran = json(TABLE, stage.file("in.csv", "name,accountnumber", "a,1", "b", "c,2,3", "d,4"));
    assertEnd(ran, ExitCode.REJECTED_RECORDS);
    assertCounts(ran.json(), 4, 2, 2);
    assertThat(stage.values(TABLE, NAME)).containsExactly("a", "d");
    assertThat(folder.resolve("in.rejected.csv"))
        .content()
        .contains("b,,ragged-row,\"line 3: the row has 1 cells, but the header has 2")
        .contains("c,2,ragged-row,\"line 4: the row has 3 cells");
  }

  @Test
  void a_wrong_encoding_is_told_with_its_line_and_the_right_one_goes_on() throws IOException {
    Path input = folder.resolve("in.csv");
    String text = "name,accountnumber\nplain,1\nMüller,2\nlast,3\n";
    Files.write(input, text.getBytes(StandardCharsets.ISO_8859_1));
    Ran wrong = json(TABLE, input);
    assertEnd(
        wrong,
        ExitCode.FAILED,
        "failed, because %s, line 3: the byte 0xFC is no UTF-8 text".formatted(input),
        "say which, for example --encoding windows-1252",
        "once that is mended, the same command goes on: sluice load account");
    assertThat(wrong.json().path("reason").asString()).isEqualTo("invalid");
    assertThat(wrong.json().path("complete").asBoolean()).isFalse();
    JsonNode right = json(TABLE, input, "--encoding", "windows-1252").json();
    assertCounts(right, 3, 3, 0);
    assertThat(stage.values(TABLE, NAME)).containsExactly("Müller", "last", "plain");
  }

  @Test
  void a_field_of_ten_megabytes_is_rejected_whole_and_the_others_go_in() throws IOException {
    String large = "y".repeat(10_000_000);
    Path input = stage.file("in.csv", "name,description", "a,x", "b," + large, "c,z");
    Ran ran = json(TABLE, input);
    assertEnd(ran, ExitCode.REJECTED_RECORDS);
    assertCounts(ran.json(), 3, 2, 1);
    assertThat(stage.values(TABLE, NAME)).containsExactly("a", "c");
    String rejected = Files.readAllLines(folder.resolve("in.rejected.csv")).get(1);
    assertThat(rejected.startsWith("b," + large + ",bad-value,")).isTrue();
    assertThat(rejected.substring(large.length()))
        .contains("line 3: description is 'yyy", "at most 2,000 characters are expected")
        .hasSizeLessThan(500);
  }

  @Test
  void of_the_same_key_twice_an_upsert_writes_the_last_and_a_create_the_first() throws IOException {
    String[] lines = {"accountnumber,name", "K-1,first", "K-1,second", "K-2,other"};
    Ran upsert =
        json(TABLE, stage.file("in.csv", lines), "--op", "upsert", "--key", "accountnumber");
    assertEnd(upsert, ExitCode.DONE);
    assertCounts(upsert.json(), 3, 3, 0);
    assertThat(stage.values(TABLE, NAME)).containsExactly("other", "second");
    stage.environment().clear(TABLE);
    Ran create = json(TABLE, stage.file("in.csv", lines));
    assertEnd(create, ExitCode.REJECTED_RECORDS);
    assertCounts(create.json(), 3, 2, 1);
    assertThat(stage.rows(TABLE)).hasSize(2);
    assertThat(stage.values(TABLE, NAME)).containsExactly("first", "other");
    assertThat(folder.resolve("in.rejected.csv"))
        .content()
        .containsPattern("K-1,second,0x80060892,\"?line 3: .*; line 2 has the same key");
  }

  @Test
  void columns_that_the_table_does_not_have_are_all_named_with_what_was_meant() throws IOException {
    assertRefused(
        stage.load(TABLE, stage.file("in.csv", "nmae,zzz", "a,1")),
        ExitCode.BAD_ARGUMENTS,
        "column 'nmae': table account has no column nmae that can be written; did you mean name?",
        "column 'zzz': table account has no column zzz that can be written; name another one or"
            + " skip it in a mapping");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "acount, did you mean account?",
    "Accounts, did you mean account?",
    "zzzzzz, 'give its logical name, such as account'"
  })
  void a_table_that_is_not_there_is_told_with_what_was_meant(String typed, String advice)
      throws IOException {
    assertRefused(
        stage.load(typed, stage.file("in.csv", NAME, "a")),
        ExitCode.BAD_ARGUMENTS,
        "there is no table '%s'; %s".formatted(typed, advice));
  }

  @Test
  void a_value_of_the_wrong_type_is_rejected_with_what_is_expected() throws IOException {
    Path input = stage.file("in.csv", "name,numberofemployees", "a,1", "b,many", "c,3");
    Ran ran = json(TABLE, input);
    assertEnd(ran, ExitCode.REJECTED_RECORDS);
    assertCounts(ran.json(), 3, 2, 1);
    assertThat(folder.resolve("in.rejected.csv"))
        .content()
        .contains("b,many,bad-value,\"line 3: numberofemployees is 'many', but a whole number");
  }

  @Test
  void a_missing_privilege_stops_with_its_name_and_the_same_command_goes_on() throws IOException {
    stage.answerWith(
        request ->
            LoadStage.changes(request)
                ? refusal("0x80040220", "Principal user is missing prvCreateAccount privilege")
                : null);
    Path input = stage.file("in.csv", NAME, "a", "b");
    Ran ran = json(TABLE, input);
    assertEnd(
        ran,
        ExitCode.FAILED,
        "failed, because the account may not do this (Principal user is missing"
            + " prvCreateAccount privilege); once that is mended, the same command goes on:"
            + " sluice load account "
            + input);
    assertThat(ran.json().path("reason").asString()).isEqualTo("forbidden");
    assertCounts(ran.json(), 2, 0, 0);
    stage.answerWith(request -> null);
    JsonNode again = json(TABLE, input).json();
    assertThat(again.path("resumed").asBoolean()).isTrue();
    assertCounts(again, 2, 2, 0);
    assertThat(stage.values(TABLE, NAME)).containsExactly("a", "b");
  }

  private static Response refusal(String code, String message) {
    return Response.of(
        403,
        Headers.of("Content-Type", "application/json; odata.metadata=minimal"),
        "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}".formatted(code, message));
  }

  @Test
  void a_wrong_secret_is_told_with_what_is_wanted_and_never_shown() throws IOException {
    stage.configure(stage.address(), "wrong~secret");
    Ran ran = stage.load(TABLE, stage.file("in.csv", NAME, "a"));
    assertRefused(
        ran,
        ExitCode.NOT_SIGNED_IN,
        "AADSTS7000215 the secret of application",
        "is wrong; give the secret's value, not its id");
    assertThat(ran.err()).doesNotContain("wrong~secret");
  }

  @Test
  void a_host_that_does_not_answer_is_named_with_what_to_check() throws IOException {
    URI nobody;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = URI.create("http://127.0.0.1:" + free.getLocalPort());
    }
    stage.configure(nobody, stage.secret());
    Ran ran = stage.load(TABLE, stage.file("in.csv", NAME, "a"));
    assertThat(ran.code()).isEqualTo(ExitCode.NO_CONNECTION.number());
    assertThat(ran.err())
        .contains(
            nobody + " cannot be reached: the sign-in service at " + nobody + " does not answer",
            "check the network, and 'environment' and 'authority' in the configuration")
        .doesNotContain("null", "java.", "\tat ");
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void a_server_that_answers_with_pages_is_no_environment() throws IOException {
    Response page =
        Response.of(
            200,
            Headers.of("Content-Type", "text/html"),
            "<html><body>Welcome to our intranet</body></html>");
    stage.answerWith(request -> request.path().startsWith("/api/data/") ? page : null);
    assertEnd(
        stage.load(TABLE, stage.file("in.csv", NAME, "a")),
        ExitCode.NO_CONNECTION,
        stage.address() + " does not answer as a Dataverse environment does",
        "Welcome to our intranet",
        "check 'environment' in the configuration");
  }

  @Test
  void a_server_that_has_no_sign_in_does_not_make_the_secret_wrong() throws IOException {
    Response page =
        Response.of(404, Headers.of("Content-Type", "text/html"), "<html><body>404</body></html>");
    stage.answerWith(request -> page);
    Ran ran = stage.load(TABLE, stage.file("in.csv", NAME, "a"));
    assertEnd(
        ran,
        ExitCode.NO_CONNECTION,
        stage.address() + " answers with status 404 and not as a sign-in service",
        "check the network, and 'environment' and 'authority' in the configuration");
    assertThat(ran.err()).doesNotContain("secret");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_disk_that_is_full_stops_before_rejects_are_lost_and_the_same_command_goes_on()
      throws IOException {
    String nobody = "00000000-0000-0000-0000-00000000dead"; // which only the service knows
    Path input = stage.file("in.csv", "name,primarycontactid", "a,", "b," + nobody, "c,");
    assertThat(stage.load(TABLE, input, "--batch-size=1", "--max-requests=1").code())
        .isEqualTo(ExitCode.DEFERRED.number());
    Path rejects = folder.resolve("in.rejected.csv");
    Files.createSymbolicLink(rejects, Path.of("/dev/full"));
    Ran full = json(TABLE, input);
    assertEnd(
        full,
        ExitCode.FAILED,
        "failed, because something could not be written here",
        rejects + " cannot be written (No space left on device); free some space",
        "the same command goes on: sluice load account " + input);
    assertThat(full.json().path("reason").asString()).isEqualTo("storage");
    long done = full.json().path("done").asLong();
    assertCounts(full.json(), 3, done, full.json().path("rejected").asLong());
    Files.delete(rejects);
    Ran again = json(TABLE, input);
    assertEnd(again, ExitCode.REJECTED_RECORDS);
    assertCounts(again.json(), 3, 2, 1);
    assertThat(stage.values(TABLE, NAME)).containsExactly("a", "c");
    assertThat(Files.readAllLines(rejects))
        .hasSize(2)
        .last()
        .asString()
        .startsWith("b," + nobody + ",0x");
  }

  @Test
  void the_same_load_at_the_same_time_is_running_elsewhere() throws Exception {
    CountDownLatch sending = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    stage.answerWith(
        request -> {
          asked.incrementAndGet();
          if (LoadStage.changes(request)) {
            sending.countDown();
            await(goOn);
          }
          return null;
        });
    Path input = stage.file("in.csv", NAME, "a", "b");
    AtomicReference<Ran> first = new AtomicReference<>();
    Time.Task load = Time.real().start("first load", () -> first.set(json(TABLE, input)));
    assertThat(sending.await(30, TimeUnit.SECONDS)).isTrue();
    int requests = asked.get();
    Ran second = json(TABLE, input);
    assertEnd(second, ExitCode.RUNNING_ELSEWHERE, input + "' is being worked on by process ");
    assertThat(asked).as("whoever comes second does not trouble the service").hasValue(requests);
    assertThat(second.json().path("outcome").asString()).isEqualTo("already_running");
    goOn.countDown();
    load.join();
    Ran ran = first.get();
    assertEnd(ran, ExitCode.DONE);
    assertCounts(ran.json(), 2, 2, 0);
    assertThat(stage.values(TABLE, NAME)).containsExactly("a", "b");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void an_input_that_has_changed_is_not_gone_on_with_until_it_is_put_back() throws IOException {
    String[] lines = {NAME, "a", "b", "c"};
    Path input = stage.file("in.csv", lines);
    assertThat(stage.load(TABLE, input, "--batch-size=1", "--max-requests=1").code())
        .isEqualTo(ExitCode.DEFERRED.number());
    assertEnd(
        stage.load(TABLE, stage.file("in.csv", NAME, "x", "b", "c")),
        ExitCode.BAD_ARGUMENTS,
        input + " has changed since a load of it that is not finished",
        "put the file back to finish that load, or give it up with --restart");
    assertEnd(
        stage.load(TABLE, stage.file("in.csv", NAME, "a")),
        ExitCode.BAD_ARGUMENTS,
        "3 records read, 1 done, 0 rejected; the file had 11 bytes, now 7");
    assertEnd(
        stage.load(TABLE, stage.file("in.csv", lines), "--empty", "clear"),
        ExitCode.BAD_ARGUMENTS,
        "an unfinished load of this input was started with other options",
        "or start over with --restart");
    assertCounts(json(TABLE, input).json(), 3, 3, 0);
    assertThat(stage.values(TABLE, NAME)).containsExactly("a", "b", "c");
  }

  @Test
  void a_load_that_another_process_took_over_says_so_in_one_sentence() throws IOException {
    Path state = folder.resolve("state.db");
    stage.answerWith(
        request -> {
          if (LoadStage.changes(request)) {
            try (Store store = Store.open(state, Time.real())) {
              int unused =
                  store.write(t -> t.update("update lease set fence = fence + 1, expires = 0"));
            }
          }
          return null;
        });
    Ran ran = json(TABLE, stage.file("in.csv", NAME, "a", "b"), "--state", state, "--batch-size=1");
    assertEnd(
        ran,
        ExitCode.RUNNING_ELSEWHERE,
        "another process has taken this load over, because this one stood still for too long");
    assertThat(ran.err().lines().filter(line -> line.startsWith("sluice load"))).hasSize(1);
    assertThat(ran.json().path("outcome").asString()).isEqualTo("already_running");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_disk_that_is_full_under_the_state_ends_the_load_in_one_sentence() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString()))
        .as("only root may mount")
        .isZero();
    try {
      Path filler = disk.resolve("filler");
      stage.answerWith(
          request -> {
            if (LoadStage.changes(request) && Files.notExists(filler)) {
              fill(filler);
            }
            return null;
          });
      String[] lines = new String[2_001];
      Arrays.setAll(lines, i -> i == 0 ? NAME : "record " + i);
      Path input = stage.file("in.csv", lines);
      Ran full = json(TABLE, input, "--state", disk.resolve("state.db"), "--batch-size=1");
      assertEnd(full, ExitCode.FAILED, "the disk is full", "the same command goes on");
      assertThat(full.json().path("reason").asString()).isEqualTo("storage");
      stage.answerWith(request -> null);
      Files.delete(filler);
      try (Store store = Store.open(disk.resolve("state.db"), Time.real())) {
        // The lease could not be given back; that of a process which has ended is taken at once.
        int unused = store.write(t -> t.update("update lease set expires = 0"));
      }
      Ran again = json(TABLE, input, "--state", disk.resolve("state.db"));
      assertEnd(again, ExitCode.DONE);
      assertCounts(again.json(), 2_000, 2_000, 0);
      assertThat(stage.rows(TABLE)).hasSize(2_000);
    } finally {
      int unused = run("umount", disk.toString());
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }

  private static void fill(Path filler) {
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (true) {
        out.write(new byte[1024]);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  @Test
  void a_file_that_was_loaded_is_not_loaded_again_unless_that_is_said() throws IOException {
    Path input = stage.file("in.csv", NAME, "a", "b");
    assertEnd(stage.load(TABLE, input), ExitCode.DONE);
    Path moved = Files.move(input, folder.resolve("moved.csv"));
    int requests = stage.changes().size();
    Ran told = json(TABLE, moved);
    assertEnd(
        told,
        ExitCode.DONE,
        moved + " was loaded into account on ",
        ": 2 records read, 2 done, 0 rejected; nothing was sent now. To load it once more, say"
            + " --again");
    assertThat(told.json().path("alreadyLoaded").asBoolean()).isTrue();
    assertThat(told.json().path("outcome").asString()).isEqualTo("completed");
    assertThat(told.json().path("done").asLong()).isEqualTo(2);
    assertThat(stage.changes()).hasSize(requests);
    assertThat(json(TABLE, moved, "--again").json().path("alreadyLoaded").asBoolean(true))
        .isFalse();
    assertThat(stage.values(TABLE, NAME)).containsExactly("a", "a", "b", "b");
  }

  @Test
  void a_finished_load_with_rejects_ends_as_it_did_and_says_where_they_are() throws IOException {
    Path input = stage.file("in.csv", "name,numberofemployees", "a,1", "b,many");
    assertEnd(stage.load(TABLE, input), ExitCode.REJECTED_RECORDS);
    Ran told = json(TABLE, input);
    assertEnd(told, ExitCode.REJECTED_RECORDS, "1 done, 1 rejected");
    assertThat(told.json().path("rejects").asString())
        .isEqualTo(folder.resolve("in.rejected.csv").toString());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "no such file, none.csv, 3, failed, bad_arguments",
    "no such table, in.csv nothere, 3, failed, bad_arguments",
    "a wrong option, in.csv account --zone=Berlin, 3, failed, bad_arguments",
    "a state that is none, in.csv account --state=in.csv, 2, failed, failed",
    "an unknown operation, in.csv account --op=nonsense, 3, failed, bad_arguments",
    "an unknown option, in.csv account --nonsense, 3, failed, bad_arguments",
    "one argument too many, in.csv account more, 3, failed, bad_arguments"
  })
  void whatever_keeps_a_load_from_beginning_there_is_one_json_object(
      String what, String arguments, int code, String outcome, String reason) throws IOException {
    Path input = stage.file("in.csv", NAME, "a");
    String[] words = arguments.split(" ", -1);
    Object[] all = new Object[Math.max(2, words.length)];
    all[0] = words.length > 1 ? words[1] : TABLE;
    all[1] = folder.resolve(words[0]);
    for (int i = 2; i < words.length; i++) {
      all[i] = words[i].replace("=in.csv", "=" + input);
    }
    Ran ran = json(all);
    assertThat(ran.code()).as(what + ran).isEqualTo(code);
    assertThat(ran.err()).doesNotContain("\tat ").doesNotContain("Exception");
    assertThat(ran.json().path("outcome").asString()).isEqualTo(outcome);
    assertThat(ran.json().path("reason").asString()).isEqualTo(reason);
    assertThat(ran.json().path("detail").asString()).isNotEmpty();
  }

  @Test
  void a_command_without_its_file_is_one_json_object() {
    Ran ran = Ran.of("load", TABLE, "--output", "json");
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.json().path("reason").asString()).isEqualTo("bad_arguments");
    assertThat(ran.json().path("detail").asString()).contains("FILE");
  }

  @Test
  void an_error_of_the_program_is_one_sentence_and_one_json_object() throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    PrintWriter broken =
        new PrintWriter(err, true) {
          @Override
          public void println(@Nullable String line) {
            if (String.valueOf(line).startsWith("policy")) {
              throw new StackOverflowError("too deep");
            }
            super.println(line);
          }
        };
    String configuration = folder.resolve("sluice.yaml").toString();
    Path input = stage.file("in.csv", NAME, "a");
    int code =
        Sluice.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(broken)
            .execute("load", TABLE, input.toString(), "--output=json", "--config", configuration);
    Ran ran = new Ran(code, out.toString(), err.toString());
    assertThat(ran.code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.err()).contains("this should not have happened").doesNotContain("\tat ");
    assertThat(ran.json().path("reason").asString()).isEqualTo("failed");
  }

  @Test
  void something_in_the_place_of_the_service_is_not_told_as_pressure() throws IOException {
    Response page =
        Response.of(
            200, Headers.of("Content-Type", "text/html"), "<html><body>Log in</body></html>");
    stage.answerWith(request -> LoadStage.changes(request) ? page : null);
    Path input = stage.file("in.csv", NAME, "a", "b");
    Ran ran = json(TABLE, input, "--op=create");
    assertEnd(
        ran,
        ExitCode.FAILED,
        "failed, because something answers in the place of Dataverse (",
        "once that is mended, the same command goes on: sluice load account");
    assertThat(ran.json().path("reason").asString()).isEqualTo("unexpected_content");
    stage.answerWith(request -> null);
    assertCounts(json(TABLE, input, "--op=create").json(), 2, 2, 0);
  }

  @Test
  void a_jdk_that_was_told_to_repeat_writes_is_refused() throws IOException {
    String property = "jdk.httpclient.enableAllMethodRetry";
    System.setProperty(property, "true");
    try {
      assertRefused(
          stage.load(TABLE, stage.file("in.csv", NAME, "a")),
          ExitCode.BAD_ARGUMENTS,
          "-D" + property + " is set, so that the JDK would send a write a second time");
      Ran ran = json(TABLE, folder.resolve("in.csv"));
      assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
      assertThat(ran.json().path("reason").asString()).isEqualTo("bad_arguments");
    } finally {
      System.clearProperty(property);
    }
  }

  @Test
  void headers_that_cannot_be_are_refused_with_file_line_and_key() throws IOException {
    Path yaml = folder.resolve("sluice.yaml");
    Files.writeString(yaml, Files.readString(yaml) + "  headers: {Host: s3cr3t}\n");
    Ran ran = stage.load(TABLE, stage.file("in.csv", NAME, "a"));
    assertRefused(
        ran,
        ExitCode.BAD_ARGUMENTS,
        yaml + ":7: dataverse.headers.Host must not be set: the connection sets it");
    assertThat(ran.err()).doesNotContain("s3cr3t");
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --op             | updat   | 'updat' is none of create, update, upsert, delete; did you mean 'update'?
          --policy         | quick   | 'quick' is none of
          --bypass-plugins | syncs   | did you mean 'sync'?
          --caller         | me      | --caller is 'me', but must be an id such as 6f1a3c52-0b7e-4d1c-9a55-2f8d0c4b7e10 (the Microsoft Entra object id
          --bypass-steps   | x,y     | --bypass-steps is 'x', but must be an id such as
          --empty          | wipe    | 'wipe' is none of keep, clear
          --output         | xml     | 'xml' is none of text, json
          --format         | xlsx    | 'xlsx' is none of csv, json-lines
          --batch-size     | 0       | --batch-size is 0, but must be 1 to 1000 (records of one message)
          --batch-size     | 1001    | --batch-size is 1001, but must be 1 to 1000
          --max-requests   | 0       | --max-requests is 0, but must be 1 or more
          --max-time       | soon    | --max-time is 'soon', but must be a time such as 500ms, 30s
          --max-time       | 0s      | --max-time is '0s', but must be above 0
          --zone           | Berlin  | --zone is 'Berlin', but must be one like UTC or Europe/Berlin
          --encoding       | latin99 | --encoding is 'latin99', but must be one like UTF-8
          --delimiter      | ab      | 'ab' is not a single character
          --name           | " "     | --name is ' ', but must be some text on one line
          """)
  void an_option_that_cannot_be_is_refused_before_anybody_signs_in(
      String option, String value, String says) throws IOException {
    stage.configure(stage.address(), "wrong~secret");
    assertRefused(
        stage.load(TABLE, stage.file("in.csv", NAME, "a"), option, value),
        ExitCode.BAD_ARGUMENTS,
        says,
        "See: sluice load --help");
  }
}
