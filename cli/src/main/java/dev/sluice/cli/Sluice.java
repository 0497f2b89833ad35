package dev.sluice.cli;

import dev.sluice.config.ConfigurationException;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.parallelism.Preset;
import dev.sluice.dataverse.message.MessageOptions;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.gate.wire.HttpTransport;
import dev.sluice.load.input.Format;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command {@code sluice}: finds the command that was asked for, runs it, and ends with its exit
 * code.
 */
@Command(
    name = "sluice",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "",
      "Moves data through APIs that push back: as fast as the other side allows,",
      "without being thrown out, and without losing a record.",
      ""
    },
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    subcommands = {
      HelpCommand.class,
      Demo.class,
      Init.class,
      Probe.class,
      LoadCommand.class,
      CollectCommand.class,
      CheckCommand.class,
      RunsCommand.class,
      GapsCommand.class,
      StatusCommand.class,
      EvidenceCommand.class,
      ResetCommand.class,
      ArenaCommand.class,
      Simulate.class
    })
public final class Sluice implements Callable<Integer> {

  private static final Logger log = LoggerFactory.getLogger(Sluice.class);
  private static final int WIDTH = 100;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  private Sluice() {}

  /** Runs the command that {@code args} name, and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** A new command line. It prints to the process's own streams unless it is given others. */
  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Sluice());
    Map<String, String> exitCodes = new LinkedHashMap<>();
    for (ExitCode code : ExitCode.values()) {
      exitCodes.put(String.valueOf(code.number()), code.meaning());
    }
    line.getCommandSpec().usageMessage().exitCodeList(exitCodes);
    OneOf.register(line, Operation.class);
    OneOf.register(line, PolicyName.class);
    OneOf.register(line, Preset.class);
    OneOf.register(line, Format.class);
    OneOf.register(line, MessageOptions.Bypass.class);
    OneOf.register(line, RowOptions.Empty.class);
    OneOf.register(line, Output.class);
    line.setParameterExceptionHandler(new Complaint());
    line.setExecutionStrategy(
        parsed -> {
          try {
            return new CommandLine.RunLast().execute(parsed);
          } catch (Error e) { // which picocli would let through, with a stack trace
            throw new CommandLine.ExecutionException(
                parsed.asCommandLineList().getLast(), e.toString(), e);
          }
        });
    line.setExecutionExceptionHandler(
        (unexpected, command, parsed) -> {
          if (unexpected instanceof ConfigurationException mistaken) {
            mistaken.mistakes().forEach(mistake -> command.getErr().println(folded(mistake)));
            return ExitCode.BAD_ARGUMENTS.number();
          }
          if (unexpected instanceof HttpTransport.RetriesEnabledException refused) {
            return ExitCode.BAD_ARGUMENTS.because(command.getCommandSpec(), refused.getMessage());
          }
          log.debug("unexpected", unexpected);
          return ExitCode.FAILED.because(
              command.getCommandSpec(),
              ("this should not have happened (%s); with"
                      + " SLUICE_JAVA_OPTS=-Dorg.slf4j.simpleLogger.defaultLogLevel=debug the same"
                      + " command says where")
                  .formatted(
                      unexpected instanceof CommandLine.ExecutionException error
                          ? error.getMessage()
                          : unexpected));
        });
    return line;
  }

  /** A mistake, with what an option means on a line of its own if it is long. */
  private static String folded(String mistake) {
    int meaning = mistake.lastIndexOf(" (");
    return mistake.length() > WIDTH && meaning > 0 && mistake.endsWith(")")
        ? mistake.substring(0, meaning)
            + "\n"
            + " ".repeat(mistake.indexOf(": ") + 2)
            + mistake.substring(meaning + 1)
        : mistake;
  }

  /** Called without a command, which asks for nothing: shows what could be asked for. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.BAD_ARGUMENTS.number();
  }
}
