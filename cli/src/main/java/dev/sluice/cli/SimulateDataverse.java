package dev.sluice.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code sluice simulate dataverse}: a Dataverse environment on loopback. */
@Command(
    name = "dataverse",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "A Dataverse environment that is not one.")
final class SimulateDataverse implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getErr().println("sluice simulate dataverse: not in this build yet");
    return ExitCode.FAILED.number();
  }
}
