package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runs.store.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * State in a database server instead of a file: every command that needs it finds it there. The
 * commands are processes of their own, because the environment has the password.
 */
class StateInPostgresTest extends OnStage {
  private static String address(String schema) {
    return PostgresServer.running().url().replace("jdbc:", "") + "?currentSchema=" + schema;
  }

  private Ran runWith(String password, String... arguments) throws Exception {
    Path err = folder.resolve("err.txt");
    ProcessBuilder builder =
        Ran.process(arguments).redirectError(err.toFile()).directory(folder.toFile());
    builder
        .environment()
        .putAll(
            Map.of(StateLogin.USER, PostgresServer.LOGIN.user(), StateLogin.PASSWORD, password));
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), out, Files.readString(err));
  }

  private Ran run(String... arguments) throws Exception {
    return runWith(PostgresServer.LOGIN.password(), arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{json-lines: data}", "{state: tables}"})
  void a_collection_is_kept_there_and_every_command_looks_there(String into) throws Exception {
    String state = address(into.contains("state") ? "cli_tables" : "cli_lines");
    stage.collection("into: " + into, "state: " + state);
    Ran first = run("collect", "mine.yaml", "--max-requests", "5");
    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(Files.exists(stage.state())).isFalse();
    assertThat(run("gaps", "--state", state).out()).contains("mine", "items", "comments");
    assertThat(run("runs", "--state", state).out()).contains("deferred (request_cap)");
    assertThat(run("status", "--state", state).out()).contains("127.0.0.1", "free");
    Ran second = run("collect", "mine.yaml");
    assertThat(second.code()).as(second.err()).isZero();
    assertThat(run("gaps", "--state", state).out()).contains("nothing is known to be missing");
  }

  @Test
  void a_password_that_is_wrong_is_told_with_what_to_do_and_not_repeated() throws Exception {
    Ran ran = runWith("not the secret", "collect", "mine.yaml", "--state", address("cli_wrong"));
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
