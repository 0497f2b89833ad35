package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Ran;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Commands, options, help and exit codes are what they were. */
class CommandLineTest {
  private static final String RULE = "=".repeat(80) + "\n";

  @Test
  void every_command_still_has_its_options_and_parameters() throws IOException {
    StringBuilder all = new StringBuilder();
    for (CommandSpec command : commands()) {
      String name = command.qualifiedName();
      all.append(name).append('\n');
      for (PositionalParamSpec parameter : command.positionalParameters()) {
        all.append("%s <%s>%n".formatted(name, parameter.paramLabel()));
      }
      for (OptionSpec option : command.options()) {
        String names = String.join(", ", option.names());
        all.append(
            option.arity().max() == 0
                ? "%s %s%n".formatted(name, names)
                : "%s %s %s%n".formatted(name, names, option.paramLabel()));
      }
    }
    Golden.compare("options.txt", all.toString());
  }

  @Test
  void help_of_every_command_is_as_it_was() throws IOException {
    StringBuilder all = new StringBuilder();
    for (CommandSpec command : commands()) {
      List<String> words = new ArrayList<>(List.of(command.qualifiedName().split(" ", -1)));
      words.removeFirst();
      words.add("--help");
      Ran ran = Ran.of(words.toArray(String[]::new));
      assertThat(ran.code()).as(words.toString()).isZero();
      all.append(RULE).append("sluice ").append(String.join(" ", words)).append('\n').append(RULE);
      all.append(ran.out());
    }
    Golden.compare("help.txt", all.toString());
  }

  @Test
  void every_exit_code_has_the_meaning_that_it_had() throws IOException {
    String codes =
        Ran.of("--help")
            .out()
            .lines()
            .filter(line -> line.matches("\\s+\\d\\s{2,}\\S.*"))
            .map(String::strip)
            .collect(Collectors.joining("\n", "", "\n"));
    Golden.compare("exit-codes.txt", codes);
  }

  private static List<CommandSpec> commands() {
    return commands(Ran.line()).filter(command -> !command.name().equals("help")).toList();
  }

  private static Stream<CommandSpec> commands(CommandLine line) {
    return Stream.concat(
        Stream.of(line.getCommandSpec()),
        line.getSubcommands().values().stream().flatMap(CommandLineTest::commands));
  }
}
