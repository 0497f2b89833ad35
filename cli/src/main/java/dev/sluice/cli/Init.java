package dev.sluice.cli;

import dev.sluice.cli.config.Configuration;
import dev.sluice.cli.config.Template;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
    OpenOption[] how =
        force
            ? new OpenOption[] {
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING
            }
            : new OpenOption[] {StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE};
    try {
      Files.writeString(file, Template.text(), StandardCharsets.UTF_8, how);
    } catch (FileAlreadyExistsException e) {
      throw new ParameterException(
          spec.commandLine(),
          file + " is there already; --force overwrites it, and another name leaves it alone");
    } catch (NoSuchFileException e) {
      throw new ParameterException(
          spec.commandLine(), "there is no folder " + file.toAbsolutePath().getParent());
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .printf("%s: %s cannot be written: %s%n", spec.qualifiedName(), file, e.getMessage());
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
