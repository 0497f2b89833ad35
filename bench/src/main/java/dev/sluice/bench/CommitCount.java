package dev.sluice.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How many transactions an SQLite database has committed, as SQLite itself counts them: with a
 * write-ahead log, every commit that changed anything raises a number in the file that ends in
 * {@code -shm} (iChange, the third of its header's 32-bit numbers, in this machine's byte order).
 * Each of those commits is one sync of the log where {@code synchronous} is full.
 *
 * <p>For databases that no other process uses: reading the file drops the locks that SQLite has on
 * it in this process.
 */
final class CommitCount {
  private static final int PLACE = 8;

  private final Path file;
  private final int before;

  private CommitCount(Path file, int before) {
    this.file = file;
    this.before = before;
  }

  /**
   * Counts from now on.
   *
   * @param database which is open, and stays so
   */
  static CommitCount of(Path database) throws IOException {
    Path file = database.resolveSibling(database.getFileName() + "-shm");
    return new CommitCount(file, read(file));
  }

  /** How many since then. */
  long since() throws IOException {
    return Integer.toUnsignedLong(read(file) - before);
  }

  private static int read(Path file) throws IOException {
    ByteBuffer number = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.read(number, PLACE) != Integer.BYTES) {
        throw new IOException(file + " is too short to be SQLite's");
      }
    }
    return number.getInt(0);
  }
}
