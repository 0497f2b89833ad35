package dev.sluice.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Writes a file for people to start from, and overwrites none that they may have changed. */
final class NewFile {
  private static final OpenOption[] NEW = {StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE};
  private static final OpenOption[] REPLACED = {
    StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING
  };

  private NewFile() {}

  /** Refuses early what {@link #write} would refuse. */
  static void check(CommandSpec spec, Path file, boolean force) {
    if (Files.exists(file) && !force) {
      throw isThere(spec, file);
    }
  }

  /**
   * Writes a text.
   *
   * @return whether it is written; if not, a message says why
   * @throws ParameterException if the file is there already, or its folder is not
   */
  static boolean write(CommandSpec spec, Path file, String text, boolean force) {
    try {
      Files.writeString(file, text, StandardCharsets.UTF_8, force ? REPLACED : NEW);
      return true;
    } catch (FileAlreadyExistsException e) {
      throw isThere(spec, file);
    } catch (NoSuchFileException e) {
      throw new ParameterException(
          spec.commandLine(), "there is no folder " + file.toAbsolutePath().getParent());
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .printf("%s: %s cannot be written: %s%n", spec.qualifiedName(), file, e.getMessage());
      return false;
    }
  }

  private static ParameterException isThere(CommandSpec spec, Path file) {
    return new ParameterException(
        spec.commandLine(),
        file + " is there already; --force overwrites it, and another name leaves it alone");
  }
}
