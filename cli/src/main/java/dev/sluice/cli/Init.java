package dev.sluice.cli;

import dev.sluice.cli.config.Configuration;
import dev.sluice.cli.config.Template;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code sluice init}: writes a configuration to start from. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Writes a sluice.yaml to start from.",
      "",
      "It holds every option with its meaning and its default. Change the address of",
      "the environment and who signs in; leave the rest until you need it. Secrets do",
      "not go into it: they come from environment variables or files.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sluice init",
      "  sluice init test.yaml && sluice probe --config test.yaml"
    })
final class Init implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = Configuration.FILE,
      description = "The file to write (default: sluice.yaml).")
  @SuppressWarnings("NullAway.Init") // has a default
  private Path file;

  @Option(names = "--force", description = "Overwrite the file if it is there already.")
  private boolean force;

  @Override
  public Integer call() throws IOException {
    if (!NewFile.write(spec, file, Template.text(), force)) {
      return ExitCode.FAILED.number();
    }
    print();
    return ExitCode.DONE.number();
  }

  private void print() {
    PrintWriter out = spec.commandLine().getOut();
    boolean usual = file.equals(Path.of(Configuration.FILE));
    out.printf("Wrote %s. Next:%n%n", file);
    out.printf("  1. set environment, tenant and clientId in it%n");
    out.printf("  2. export SLUICE_APP1_SECRET=…%n");
    out.printf("  3. sluice probe%s%n", usual ? "" : " --config " + file);
    out.flush();
  }
}
