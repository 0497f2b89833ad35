package dev.sluice.load.reject;

import static java.util.Objects.requireNonNull;

import dev.sluice.load.input.Format;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.Layout;
import dev.sluice.load.input.RawRecord;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that were turned away, by us or by the service, each with a code and a message. The file
 * is written as the input is, in UTF-8, and there is none as long as nothing was turned away.
 *
 * <p>Thread-safe. A thread that is interrupted does not harm it.
 */
public final class RejectFile implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RejectFile.class);
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private final RejectLayout layout;
  private final ReasonCounter counter;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable RandomAccessFile opened;
  private @Nullable OutputStream out;
  private boolean closed;
  private boolean failed;

  /** Of the file, with what is still in the buffer. */
  private long length;

  /**
   * Where the rejects of an input go: {@code accounts.csv.gz} to {@code accounts.rejected.csv} in
   * its folder, standard input to {@code stdin.rejected.csv} in the current one.
   */
  public static Path beside(String source, Layout layout) {
    return beside(source, "", layout);
  }

  /**
   * The same with a word before the ending, for what must not get into the way of that: {@code
   * accounts.dry-run.rejected.csv}.
   *
   * @param word with a point before it; may be empty
   */
  public static Path beside(String source, String word, Layout layout) {
    String ending = word + ".rejected" + layout.format().ending();
    if (source.equals(Input.STANDARD_INPUT)) {
      return Path.of("stdin" + ending);
    }
    Path path = Path.of(source);
    String name = Format.unpacked(String.valueOf(path.getFileName()));
    int dot = name.lastIndexOf('.');
    return path.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ending);
  }

  /**
   * A file for a new run. One that is there already is kept as {@code FILE.previous}: somebody may
   * be correcting it.
   *
   * @param columns the input's, by position
   * @param names of the table and its columns: reasons that differ by one of them are counted apart
   */
  public static RejectFile fresh(
      Path file, Layout layout, List<String> columns, Collection<String> names) throws IOException {
    setAside(file);
    return new RejectFile(file, layout, columns, names);
  }

  /** Keeps a file that is there already as {@code FILE.previous}. */
  public static void setAside(Path file) throws IOException {
    if (Files.exists(file)) {
      Path kept = file.resolveSibling(file.getFileName() + ".previous");
      try {
        Files.move(file, kept, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw new RejectFileException(file, e);
      }
    }
  }

  /**
   * Lets the file of a run follow its input, which was moved. What is in the way is kept as {@code
   * FILE.previous}.
   *
   * @param from where it was
   * @param to where it goes on
   * @param length how much of it counts
   * @throws RejectFileException if it is in neither place, so that rejects would be missing
   */
  public static void follow(Path from, Path to, long length) throws IOException {
    if (from.equals(to)) {
      return;
    }
    try {
      if (Files.exists(from) && Files.exists(to) && Files.isSameFile(from, to)) {
        return;
      }
      if (length == 0) {
        setAside(to);
      } else if (has(from, length)) {
        setAside(to);
        Files.move(from, to);
      } else if (!has(to, length)) { // else it was moved with its input
        throw new RejectFileException(
            from,
            ("%,d bytes of it were written, but they are neither there nor in %s; put the file"
                    + " back that was there, or start a new run")
                .formatted(length, to));
      }
    } catch (RejectFileException e) {
      throw e;
    } catch (IOException e) {
      throw new RejectFileException(from, e);
    }
  }

  private static boolean has(Path file, long length) throws IOException {
    return Files.exists(file) && Files.size(file) >= length;
  }

  /**
   * The file of a run that goes on: what was written after the given length is cut off, and what is
   * left is counted by reason.
   *
   * @param names as for {@link #fresh}
   * @param length what {@link #sync} returned last
   * @throws RejectFileException if the file is shorter, so that rejects would be missing
   */
  public static RejectFile reopened(
      Path file, Layout layout, List<String> columns, Collection<String> names, long length)
      throws IOException {
    RejectFile rejects = new RejectFile(file, layout, columns, names);
    if (length > 0 || Files.exists(file)) {
      rejects.reopen(length);
    }
    if (length > 0) {
      rejects.countAgain(layout);
    }
    return rejects;
  }

  private RejectFile(Path file, Layout layout, List<String> columns, Collection<String> names) {
    this.file = requireNonNull(file, "file");
    this.layout =
        layout.format() == Format.CSV ? new CsvRejects(layout, columns) : new JsonRejects();
    this.counter = new ReasonCounter(names, columns);
  }

  /** What somebody has made unreadable is not counted; nothing else depends on it. */
  private void countAgain(Layout written) {
    try {
      counter.addAll(Files.newInputStream(file), written);
    } catch (IOException e) {
      log.warn("rejects of earlier runs are not counted by reason: {}", e.getMessage());
    }
  }

  private void reopen(long length) throws IOException {
    try {
      long found = Files.exists(file) ? Files.size(file) : 0;
      if (found < length) {
        throw new RejectFileException(
            file,
            ("has %,d bytes, but %,d were written; put back the file that was there,"
                    + " or start a new run")
                .formatted(found, length));
      }
      RandomAccessFile access = open();
      if (found > length) {
        access.setLength(length);
      }
      access.seek(length);
      this.length = length;
    } catch (RejectFileException e) {
      throw e;
    } catch (IOException e) {
      throw new RejectFileException(file, e);
    }
  }

  private RandomAccessFile open() throws IOException {
    // Not a channel: that would be closed under everybody when one writer is interrupted.
    RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw");
    opened = access;
    out = new BufferedOutputStream(new Tail(access), BUFFER);
    return access;
  }

  /** Where the file ends. */
  private static final class Tail extends OutputStream {
    private final RandomAccessFile access;

    Tail(RandomAccessFile access) {
      this.access = access;
    }

    @Override
    public void write(int b) throws IOException {
      access.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      access.write(bytes, offset, length);
    }
  }

  /** Where it is. */
  public Path file() {
    return file;
  }

  /** What the records in it were rejected for. */
  public RejectReasons reasons() {
    lock.lock();
    try {
      return counter.reasons();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a record. It is safe only after {@link #sync}.
   *
   * @param code what kind of mistake
   * @param message for people
   * @throws RejectFileException if it cannot be written
   */
  public void append(RawRecord record, String code, String message) throws IOException {
    byte[] line = layout.line(record, code, message);
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException(file + " is closed");
      }
      if (out == null) {
        open();
      }
      if (length == 0) {
        write(layout.head());
      }
      write(line);
      counter.add(code, message, record.line());
    } catch (IOException e) {
      failed = true;
      throw new RejectFileException(file, e);
    } finally {
      lock.unlock();
    }
  }

  private void write(byte[] bytes) throws IOException {
    requireNonNull(out).write(bytes);
    length += bytes.length;
  }

  /**
   * Makes everything that was added so far survive a crash.
   *
   * @return how long the file is now; 0 if there is none
   * @throws RejectFileException if it cannot be written
   */
  public long sync() throws IOException {
    lock.lock();
    try {
      if (out != null) {
        out.flush();
        requireNonNull(opened).getFD().sync();
      }
      return length;
    } catch (IOException e) {
      failed = true;
      throw new RejectFileException(file, e);
    } finally {
      lock.unlock();
    }
  }

  /** After a failure, which somebody has been told of, what is in the buffer is let go of. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (out != null) {
        try {
          if (!failed) {
            out.flush();
          }
        } finally {
          requireNonNull(opened).close();
        }
      }
    } catch (IOException e) {
      throw new RejectFileException(file, e);
    } finally {
      closed = true;
      out = null;
      opened = null;
      lock.unlock();
    }
  }
}
