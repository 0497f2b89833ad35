package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class SluiceTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine sluice =
      Sluice.commandLine()
          .addSubcommand(new CommandLine(new Throwing()))
          .addSubcommand(new CommandLine(new Failing()))
          .setOut(new PrintWriter(out))
          .setErr(new PrintWriter(err));

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h", "help"})
  void help_is_printed_to_standard_output(String ask) {
    assertThat(sluice.execute(ask)).isZero();
    assertThat(out.toString()).startsWith("Usage: sluice [-hV] COMMAND");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void help_explains_every_exit_code(ExitCode code) {
    sluice.execute("--help");
    assertThat(out.toString())
        .containsPattern("(?m)^ +%d +%s$".formatted(code.number(), code.meaning()));
  }

  @Test
  void help_fits_a_terminal_of_eighty_columns() {
    sluice.execute("--help");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void what_a_command_does_is_said_in_a_whole_sentence() {
    sluice.execute("--help");
    String listed = out.toString().replaceAll("(?s).*Commands:\\R(.*)\\R\\RExit codes:.*", "$1");
    assertThat(listed.split("\\R(?! {8})"))
        .hasSizeGreaterThan(10)
        .allMatch(command -> command.endsWith(".") && !command.endsWith("..."));
  }

  @Test
  void only_commands_that_exist_are_listed() {
    sluice.execute("--help");
    assertThat(out.toString())
        .containsPattern(
            "(?s)Commands:"
                + Stream.of(
                        "help",
                        "demo",
                        "init",
                        "probe",
                        "load",
                        "collect",
                        "check",
                        "runs",
                        "gaps",
                        "status",
                        "evidence",
                        "reset",
                        "arena",
                        "simulate")
                    .map("\\R +%s [^\n]+(\\R {8,}[^\n]+)?"::formatted)
                    .collect(Collectors.joining())
                + "\\R\\RExit codes:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V"})
  void the_version_is_that_of_the_build_on_the_jdk_that_runs_it(String ask) {
    assertThat(sluice.execute(ask)).isZero();
    assertThat(out.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).matches("sluice \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?"),
            line -> assertThat(line).startsWith("JDK " + Runtime.version()));
  }

  @Test
  void no_arguments_show_the_help_as_an_error() {
    assertThat(sluice.execute()).isEqualTo(3);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).startsWith("Usage: sluice");
  }

  @Test
  void an_unknown_command_is_refused_with_the_command_that_was_probably_meant() {
    assertThat(sluice.execute("hlep")).isEqualTo(3);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .containsExactly(
            "sluice: there is no command 'hlep'", "Did you mean 'help'?", "See: sluice --help");
  }

  @Test
  void an_unknown_option_is_refused_with_the_option_that_was_probably_meant() {
    assertThat(sluice.execute("--verison")).isEqualTo(3);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .containsExactly(
            "sluice: there is no option '--verison'",
            "Did you mean '--version'?",
            "See: sluice --help");
  }

  @Test
  void nothing_is_suggested_for_what_resembles_nothing() {
    assertThat(sluice.execute("zzzz")).isEqualTo(3);
    assertThat(err.toString().lines())
        .containsExactly("sluice: there is no command 'zzzz'", "See: sluice --help");
  }

  @Test
  void asking_for_help_about_an_unknown_command_is_refused() {
    assertThat(sluice.execute("help", "zzzz")).isEqualTo(3);
    assertThat(err.toString())
        .contains("zzzz")
        .endsWith("See: sluice --help" + System.lineSeparator());
  }

  @Test
  void a_command_that_throws_has_failed_and_says_why() {
    assertThat(sluice.execute("throwing")).isEqualTo(2);
    assertThat(err.toString()).contains("the reason");
  }

  @Test
  void an_error_is_told_in_one_sentence_too() {
    assertThat(sluice.execute("failing")).isEqualTo(2);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .startsWith(
            "sluice failing: this should not have happened (java.lang.StackOverflowError: too"
                + " deep)");
  }

  @Command(name = "throwing", hidden = true)
  static final class Throwing implements Runnable {
    @Override
    public void run() {
      throw new IllegalStateException("the reason");
    }
  }

  @Command(name = "failing", hidden = true)
  static final class Failing implements Runnable {
    @Override
    public void run() {
      throw new StackOverflowError("too deep");
    }
  }
}
