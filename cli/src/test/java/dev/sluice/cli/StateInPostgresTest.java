package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runs.store.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * State in a database server instead of a file: every command that needs it finds it there. The
 * commands run in a process of their own, because the environment has the password; those of a test
 * share it.
 */
class StateInPostgresTest extends OnStage {
  private static String address(String schema) {
    return PostgresServer.running().url().replace("jdbc:", "") + "?currentSchema=" + schema;
  }

  /** Runs commands, one after the other. */
  static final class Commands {
    private Commands() {}

    public static void main(String[] commands) {
      for (String command : commands) {
        System.out.println(JsonMapper.shared().writeValueAsString(Ran.of(command.split(" ", -1))));
      }
    }
  }

  /** How each of the commands ended; their arguments are separated by blanks. */
  private List<Ran> runWith(String password, String... commands) throws Exception {
    Path err = folder.resolve("err.txt");
    ProcessBuilder builder = Ran.process(Commands.class, commands);
    builder.redirectError(err.toFile()).directory(folder.toFile());
    builder
        .environment()
        .putAll(
            Map.of(StateLogin.USER, PostgresServer.LOGIN.user(), StateLogin.PASSWORD, password));
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(Files.readString(err)).isZero();
    List<Ran> all =
        out.lines().map(line -> JsonMapper.shared().readValue(line, Ran.class)).toList();
    assertThat(all).hasSameSizeAs(commands);
    return all;
  }

  @ParameterizedTest
  @ValueSource(strings = {"{json-lines: data}", "{state: tables}"})
  void a_collection_is_kept_there_and_every_command_looks_there(String into) throws Exception {
    String state = address(into.contains("state") ? "cli_tables" : "cli_lines");
    stage.collection("into: " + into, "state: " + state);
    List<Ran> ran =
        runWith(
            PostgresServer.LOGIN.password(),
            "collect mine.yaml --max-requests 5",
            "gaps --state " + state,
            "runs --state " + state,
            "status --state " + state,
            "collect mine.yaml",
            "gaps --state " + state);
    assertThat(ran.get(0).code()).as(ran.get(0).err()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(ran.get(1).out()).contains("mine", "items", "comments");
    assertThat(ran.get(2).out()).contains("deferred (request_cap)");
    assertThat(ran.get(3).out()).contains("127.0.0.1", "free");
    assertThat(ran.get(4).code()).as(ran.get(4).err()).isZero();
    assertThat(ran.get(5).out()).contains("nothing is known to be missing");
    assertThat(stage.state()).doesNotExist();
  }

  @Test
  void a_password_that_is_wrong_is_told_with_what_to_do_and_not_repeated() throws Exception {
    Ran ran =
        runWith("not the secret", "collect mine.yaml --state " + address("cli_wrong")).getFirst();
    assertThat(ran.code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.err()).contains("127.0.0.1").doesNotContain("not the secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"collect", "runs", "gaps", "status"})
  void an_address_with_a_password_in_it_is_refused_and_not_repeated(String command) {
    String address = "postgresql://me:hush@127.0.0.1/ops";
    Ran ran =
        command.equals("collect")
            ? stage.collect("--state", address)
            : Ran.of(command, "--state", address);
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err())
        .contains("--state cannot be used: ", "has a user or a password in it")
        .doesNotContain("hush");
  }

  @Test
  void a_collection_whose_state_has_a_password_in_it_is_refused_with_its_line() throws IOException {
    stage.collection("into: {json-lines: data}", "state: postgresql://me:hush@127.0.0.1/ops");
    Ran ran = stage.collect();
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err())
        .contains("mine.yaml:5: state cannot be used: ", "has a user or a password in it")
        .doesNotContain("hush");
  }

  @Test
  void a_state_that_is_a_file_lies_where_the_collection_says() throws IOException {
    stage.collection("into: {json-lines: data}", "state: kept/here.db");
    Ran ran = stage.collect("--max-requests", "1");
    assertThat(ran.code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(stage.file("kept/here.db")).exists();
    assertThat(stage.state()).doesNotExist();
  }
}
