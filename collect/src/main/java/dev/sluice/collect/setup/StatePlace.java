package dev.sluice.collect.setup;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.store.DatabaseAddress;
import java.nio.file.Path;

/** Where runs, bookmarks and gaps are kept. Immutable; has nothing in it that must not be shown. */
public sealed interface StatePlace {

  /** In a file on this machine. */
  record File(Path file) implements StatePlace {
    public File {
      requireNonNull(file, "file");
    }

    @Override
    public String toString() {
      return file.toString();
    }
  }

  /** In a PostgreSQL database, for machines that share it. */
  record Database(DatabaseAddress address) implements StatePlace {
    public Database {
      requireNonNull(address, "address");
    }

    @Override
    public String toString() {
      return address.toString();
    }
  }

  /**
   * Reads what somebody wrote: the address of a database, or the name of a file.
   *
   * @param folder what a file's name is relative to
   * @throws IllegalArgumentException if it is meant as an address and is none, or has a user or a
   *     password in it; the message does not repeat it
   */
  static StatePlace of(String text, Path folder) {
    return DatabaseAddress.isMeantBy(text)
        ? new Database(DatabaseAddress.of(text))
        : new File(folder.resolve(text));
  }

  /** The file that is used if none is named, in a folder. */
  static StatePlace usual(Path folder) {
    return new File(folder.resolve(".sluice").resolve("state.db"));
  }
}
