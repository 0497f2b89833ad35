package dev.sluice.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --state}, for commands that need no configuration. */
final class StateFile {

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "Where runs are kept (default: .sluice/state.db beside FILE, or here).")
  private @Nullable Path file;

  /** The one that was named, or the usual one beside a file. */
  Path beside(Path other) {
    Path folder = other.toAbsolutePath().getParent();
    return file == null ? usual(folder == null ? Path.of("") : folder) : file;
  }

  /** The one that was named, or the usual one in this folder. */
  Path here() {
    return file == null ? usual(Path.of("")) : file;
  }

  /** What other commands must be told to find this state from here; empty if they find it. */
  static String option(Path state) {
    return state.toAbsolutePath().normalize().equals(usual(Path.of("")).toAbsolutePath())
        ? ""
        : " --state " + ShellWord.quoted(state.toString());
  }

  private static Path usual(Path folder) {
    return folder.resolve(".sluice").resolve("state.db");
  }
}
