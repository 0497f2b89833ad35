package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Ran;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
        all.append("%s %s".formatted(name, String.join(", ", option.names())));
        if (option.arity().max() > 0) {
          all.append(' ').append(option.paramLabel()).append(words(option));
        }
        all.append('\n');
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

  /** What may be given, where that is one of several words. */
  private static String words(OptionSpec option) {
    if (!option.type().isEnum()) {
      return "";
    }
    return Arrays.stream(option.type().getEnumConstants())
        .map(word -> ((Enum<?>) word).name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .collect(Collectors.joining(", ", ": ", ""));
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
