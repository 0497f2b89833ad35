package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ArenaCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine sluice =
      Sluice.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  /** The smallest there is, and what else is asked. */
  private int arena(String... words) {
    List<String> all =
        new ArrayList<>(
            List.of("arena", "--scenario", "one-server", "--policy", "quota", "--job", "0.3"));
    all.addAll(List.of(words));
    return sluice.execute(all.toArray(String[]::new));
  }

  @Test
  void figures_go_to_standard_output_and_progress_to_standard_error() {
    assertThat(arena("--seed", "3")).isZero();
    assertThat(out.toString())
        .containsPattern("(?m)^policy +0\\.3 w\\R^quota \\* +\\d\\.\\d{3} / \\d\\.\\d{2} %$")
        .endsWith(
            "Again: ./sluice arena --scenario one-server --policy quota --job 0.3 --seed 3"
                + " --seeds 1 --random 0\n");
    assertThat(err.toString()).contains("2 of 2 bouts after ");
  }

  @Test
  void the_command_that_a_report_names_plays_the_same_again() {
    assertThat(arena("--seed", "3", "--random", "1", "--random-from", "12")).isZero();
    String first = out.toString();
    String command = first.lines().reduce((one, other) -> other).orElseThrow();
    out.getBuffer().setLength(0);
    sluice.execute(command.replace("Again: ./sluice ", "").split(" "));
    assertThat(out.toString()).isEqualTo(first);
  }

  @Test
  void json_is_one_object_on_one_line() {
    assertThat(arena("--output", "json")).isZero();
    assertThat(out.toString())
        .startsWith("{\"command\":\"./sluice arena ")
        .contains("\"policy\":\"quota\",\"ratio\":")
        .endsWith("]}]}\n")
        .hasLineCount(1);
  }

  @Test
  void the_report_is_written_into_a_folder_that_need_not_exist(@TempDir Path folder)
      throws IOException {
    Path report = folder.resolve("a").resolve("b");
    assertThat(arena("--report", report.toString())).isZero();
    assertThat(Files.readString(report.resolve("report.md"))).startsWith("# The arena\n");
    assertThat(Files.readString(report.resolve("report.html"))).startsWith("<!doctype html>");
  }

  @Test
  void a_folder_that_cannot_be_is_refused_before_anything_is_played(@TempDir Path folder)
      throws IOException {
    Path file = Files.createFile(folder.resolve("taken"));
    assertThat(arena("--report", file.resolve("below").toString())).isEqualTo(3);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .startsWith("sluice arena: --report cannot be written: " + file + " is not a folder")
        .doesNotContain("bouts");
  }

  @Test
  void figures_are_printed_even_if_the_report_cannot_be_written(@TempDir Path folder)
      throws IOException {
    Files.createDirectory(folder.resolve("report.md"));
    assertThat(arena("--report", folder.toString())).isEqualTo(2);
    assertThat(out.toString()).contains("quota *");
    assertThat(err.toString())
        .contains("sluice arena: the report cannot be written: ")
        .doesNotContain("\tat ");
  }

  @Test
  void what_is_named_twice_is_played_once() {
    assertThat(arena("--policy", "quota", "--scenario", "one-server", "--job", "0.3")).isZero();
    assertThat(err.toString()).contains("2 of 2 bouts after ");
    assertThat(out.toString())
        .contains("--scenario one-server --policy quota --job 0.3 --seed 1 --seeds 1");
  }

  @Test
  void a_wrong_name_is_refused_with_what_was_probably_meant_and_what_there_is() {
    assertThat(sluice.execute("arena", "--policy", "qouta")).isEqualTo(3);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .startsWith("sluice arena: there is no policy 'qouta'", "Did you mean 'quota'?")
        .anyMatch(line -> line.startsWith("There are: fixed-hint, fixed-52,"))
        .last()
        .isEqualTo("See: sluice arena --help");
  }

  @ParameterizedTest
  @CsvSource({
    "--scenario, one-sever, there is no scenario 'one-sever'",
    "--world, datavers, there is no world 'datavers'",
    "--job, week, 'job is week, but must be'",
    "--job, 0, 'job is 0.0, but must be'",
    "--seeds, 0, 'seeds is 0, but must lie between 1 and 1000'",
    "--random, -1, 'random is -1, but must lie between 0 and 10000'",
    "--tasks, 0, 'tasks is 0, but must lie between 1 and 1000'",
  })
  void what_cannot_be_played_is_refused(String option, String value, String complaint) {
    assertThat(sluice.execute("arena", option, value)).isEqualTo(3);
    assertThat(err.toString()).startsWith("sluice arena: " + complaint);
  }

  @Test
  void everything_that_can_be_named_is_listed() {
    assertThat(sluice.execute("arena", "--list")).isZero();
    assertThat(out.toString())
        .contains("world dataverse", "four-servers-three-users", "quota-pinned", "random-N");
  }

  @Test
  void help_fits_a_terminal_of_eighty_columns() {
    assertThat(sluice.execute("arena", "--help")).isZero();
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }
}
