package dev.sluice.cli;

import dev.sluice.cli.config.Configuration;
import dev.sluice.config.ConfigurationException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --config}, for every command that needs a configuration. */
final class ConfigFile {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration to use (default: sluice.yaml in this folder).")
  private @Nullable Path file;

  /**
   * Reads it. Commands let the exception pass: the command line prints it and ends with {@link
   * ExitCode#BAD_ARGUMENTS}.
   */
  Configuration read() throws ConfigurationException {
    return Configuration.find(file, Path.of(""), System.getenv());
  }
}
