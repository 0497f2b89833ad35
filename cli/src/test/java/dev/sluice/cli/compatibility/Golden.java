package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files that were recorded; the package says how they are recorded anew. */
final class Golden {
  private static final Path FOLDER = Path.of("src", "test", "resources", "compatibility", "0.1");
  private static final String RECORDED = System.getProperty("compatibility.record", "");

  private Golden() {}

  /** A recorded file or folder. */
  static Path file(String name) {
    return FOLDER.resolve(name);
  }

  /** All files in a recorded folder whose names end so, by name. */
  static List<Path> files(String folder, String ending) {
    try (Stream<Path> files = Files.list(file(folder))) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether states are to be recorded instead of opened. */
  static boolean recordsStates() {
    return RECORDED.equals("states");
  }

  /** Writes a text if texts are recorded; how it is compared is for the caller to say. */
  static void record(String name, String actual) throws IOException {
    if (RECORDED.equals("texts")) {
      Files.createDirectories(file(name).getParent());
      Files.writeString(file(name), actual);
    }
  }

  /** Requires a text to be what was recorded. */
  static void compare(String name, String actual) throws IOException {
    Path file = file(name);
    record(name, actual);
    assertThat(actual)
        .as("what is in %s; the package dev.sluice.cli.compatibility says how it changes", file)
        .isEqualTo(Files.readString(file));
  }

  /** Copies a recorded folder. */
  static void copy(String name, Path to) throws IOException {
    Path from = file(name);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }
}
