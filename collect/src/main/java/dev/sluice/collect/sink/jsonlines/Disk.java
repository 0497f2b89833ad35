package dev.sluice.collect.sink.jsonlines;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * What is asked of a file system. What is not forced is lost when the power fails: bytes of a file
 * until the file is forced, names until their folder is.
 */
interface Disk {
  /** The one of this machine. */
  Disk LOCAL = new LocalDisk();

  /** Makes a folder with all folders above it, durably; does nothing if it is there. */
  void makeFolder(Path folder) throws IOException;

  /** The names of the files in a folder, in no order. */
  List<String> names(Path folder) throws IOException;

  /** How long a file is; empty if there is none. */
  OptionalLong length(Path file) throws IOException;

  /**
   * Begins a new file.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one of that name
   */
  GrowingFile create(Path file) throws IOException;

  /**
   * Copies the beginning of a file, over whatever was there, and forces the copy.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  void copy(Path from, Path to, long length) throws IOException;

  /** Cuts a file to this length, and forces it. */
  void cut(Path file, long length) throws IOException;

  /**
   * Gives a file another name, at once, over whatever was there.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  void move(Path from, Path to) throws IOException;

  /** Removes a file; does nothing if there is none. */
  void delete(Path file) throws IOException;

  /** Makes the names in a folder durable. */
  void force(Path folder) throws IOException;

  /** A file that is open at its end. It stays so when its name is changed or removed. */
  interface GrowingFile extends AutoCloseable {

    /** Appends the first bytes of these. */
    void append(byte[] bytes, int count) throws IOException;

    /** Shortens it; what comes next is appended there. */
    void cut(long length) throws IOException;

    /** Makes its bytes durable. */
    void force() throws IOException;

    @Override
    void close() throws IOException;
  }
}
