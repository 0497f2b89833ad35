package dev.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder for what a program writes, which goes with it.
 *
 * @param folder where it is
 */
record Scratch(Path folder) implements AutoCloseable {

  /** One in this folder; in the system's for temporary files if that is null. */
  static Scratch in(@Nullable Path place) throws IOException {
    return new Scratch(
        place == null
            ? Files.createTempDirectory("sluice-bench")
            : Files.createTempDirectory(place, "sluice-bench"));
  }

  /** Removes a folder with all that is in it. */
  static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      boolean unused = Files.deleteIfExists(file);
    }
  }

  @Override
  public void close() throws IOException {
    delete(folder);
  }
}
