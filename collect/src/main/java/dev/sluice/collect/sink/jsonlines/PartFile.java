package dev.sluice.collect.sink.jsonlines;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file that is still written to, under its provisional name. For one task at a time. */
final class PartFile {
  private static final Logger log = LoggerFactory.getLogger(PartFile.class);
  private static final int BUFFER_BYTES = 1 << 16;

  private final Disk disk;
  private final Path part;
  private final Path whole;
  private final Disk.GrowingFile file;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int buffered;
  private long written;
  private long forced;
  private long committed;
  private boolean named;

  private PartFile(Disk disk, Path part, Path whole) throws IOException {
    this.disk = disk;
    this.part = part;
    this.whole = whole;
    this.file = disk.create(part);
  }

  /**
   * Begins one.
   *
   * @param name its final name
   */
  static PartFile create(Disk disk, Path folder, String name) throws IOException {
    Path part = folder.resolve(name + FileNames.PART);
    try {
      return new PartFile(disk, part, folder.resolve(name));
    } catch (IOException e) {
      throw FileErrors.with(part, e);
    }
  }

  /** Its final name. */
  String name() {
    return String.valueOf(whole.getFileName());
  }

  /** How long it will be when all that was appended is committed. */
  long length() {
    return written + buffered;
  }

  /** How much of it is committed. */
  long committed() {
    return committed;
  }

  void append(byte[] bytes) throws IOException {
    if (buffered + bytes.length > buffer.length) {
      flush();
    }
    if (bytes.length > buffer.length) {
      write(bytes, bytes.length);
    } else {
      System.arraycopy(bytes, 0, buffer, buffered, bytes.length);
      buffered += bytes.length;
    }
  }

  /**
   * Makes all that was appended durable.
   *
   * @return whether the folder must be forced as well, because the name is new in it
   */
  boolean force() throws IOException {
    flush();
    if (forced < written) {
      FileErrors.tell(part, file::force);
      forced = written;
    }
    boolean isNew = !named && written > 0;
    named |= isNew;
    return isNew;
  }

  /** All that was appended is committed. */
  void commit() {
    committed = length();
  }

  /** Cuts it back to what is committed. */
  void cutBack() throws IOException {
    buffered = 0;
    FileErrors.tell(part, () -> file.cut(committed));
    written = committed;
    forced = Math.min(forced, committed);
  }

  /**
   * Gives it its final name, if anything of it is committed; otherwise it is removed. If somebody
   * with a newer lease has done so meanwhile, nothing happens: all that is committed is theirs. The
   * folder must be forced afterwards.
   */
  void finish() throws IOException {
    try (Disk.GrowingFile closing = file) {
      if (length() > committed) {
        cutBack();
        closing.force();
      }
    }
    try {
      if (committed == 0) {
        disk.delete(part);
      } else {
        disk.move(part, whole);
      }
    } catch (NoSuchFileException e) {
      log.debug("{} was finished by a newer writer", whole, e);
    } catch (IOException e) {
      throw FileErrors.with(whole, e);
    }
  }

  /** Leaves it as it is, for whoever opens the track next. */
  void abandon() throws IOException {
    file.close();
  }

  private void flush() throws IOException {
    if (buffered > 0) {
      int count = buffered;
      buffered = 0;
      write(buffer, count);
    }
  }

  private void write(byte[] bytes, int count) throws IOException {
    // Counted before: of a write that fails, some bytes may be there.
    written += count;
    FileErrors.tell(part, () -> file.append(bytes, count));
  }
}
