package dev.sluice.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code sluice simulate}: services that push back, for anybody's client. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    synopsisSubcommandLabel = "SERVICE",
    description = "Run a service that pushes back, on this machine, for any client.",
    commandListHeading = "%nServices:%n",
    subcommands = {SimulateDataverse.class, SimulateProvider.class})
final class Simulate implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  /** Called without a service, which asks for nothing: shows what could be asked for. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.BAD_ARGUMENTS.number();
  }
}
