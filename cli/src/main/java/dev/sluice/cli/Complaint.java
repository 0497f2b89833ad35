package dev.sluice.cli;

import dev.sluice.gate.words.Spelling;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What is said about arguments that cannot be understood: what is wrong, what was probably meant,
 * and where to read on. Three lines on standard error, not a page of help that hides them.
 */
final class Complaint implements IParameterExceptionHandler {

  @Override
  public int handleParseException(ParameterException mistake, String[] args) {
    CommandLine line = mistake.getCommandLine();
    CommandSpec command = line.getCommandSpec();
    PrintWriter err = line.getErr();
    if (mistake instanceof UnmatchedArgumentException unmatched) {
      boolean option = unmatched.isUnknownOption();
      String typed = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
      Collection<String> known =
          option ? command.optionsMap().keySet() : command.subcommands().keySet();
      String kind = option ? "option" : known.isEmpty() ? "further argument" : "command";
      err.printf("%s: there is no %s '%s'%n", command.qualifiedName(), kind, typed);
      Spelling.closest(typed, known).ifPresent(word -> err.printf("Did you mean '%s'?%n", word));
    } else {
      err.printf("%s: %s%n", command.qualifiedName(), mistake.getMessage());
    }
    err.printf("See: %s --help%n", command.qualifiedName());
    if (command.userObject() instanceof LoadCommand load) {
      load.tellPrograms(List.of(args), String.valueOf(mistake.getMessage()));
    }
    return ExitCode.BAD_ARGUMENTS.number();
  }
}
