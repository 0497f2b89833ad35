package dev.sluice.collect.sink.jsonlines;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The file system of this machine. Files are written without channels: those would be closed by an
 * interrupt, and a task that is cancelled must still be able to cut its file back.
 */
final class LocalDisk implements Disk {
  private static final int COPY_BYTES = 1 << 16;

  @Override
  public void makeFolder(Path folder) throws IOException {
    Deque<Path> missing = new ArrayDeque<>();
    for (Path each = folder.toAbsolutePath();
        each != null && !Files.isDirectory(each);
        each = each.getParent()) {
      missing.push(each);
    }
    Files.createDirectories(folder);
    for (Path each : missing) {
      Path parent = each.getParent();
      if (parent != null) {
        force(parent);
      }
    }
  }

  @Override
  public List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }

  @Override
  public OptionalLong length(Path file) throws IOException {
    try {
      return OptionalLong.of(Files.size(file));
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public GrowingFile create(Path file) throws IOException {
    Files.createFile(file);
    return new LocalFile(new RandomAccessFile(file.toFile(), "rw"));
  }

  @Override
  public void copy(Path from, Path to, long length) throws IOException {
    if (!Files.exists(from)) {
      throw new NoSuchFileException(from.toString());
    }
    try (RandomAccessFile source = new RandomAccessFile(from.toFile(), "r");
        RandomAccessFile target = new RandomAccessFile(to.toFile(), "rw")) {
      target.setLength(0);
      byte[] bytes = new byte[COPY_BYTES];
      for (long left = length; left > 0; ) {
        int count = source.read(bytes, 0, (int) Math.min(left, bytes.length));
        if (count < 0) {
          throw new EOFException(from + " ended " + left + " bytes early while it was copied");
        }
        target.write(bytes, 0, count);
        left -= count;
      }
      target.getFD().sync();
    }
  }

  @Override
  public void cut(Path file, long length) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(length);
      open.getFD().sync();
    }
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(Path file) throws IOException {
    boolean unused = Files.deleteIfExists(file);
  }

  @Override
  public void force(Path folder) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        } catch (AccessDeniedException e) {
          // Windows opens no folders, and makes their names durable by itself.
          if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            throw e;
          }
          return;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private record LocalFile(RandomAccessFile file) implements GrowingFile {
    @Override
    public void append(byte[] bytes, int count) throws IOException {
      file.write(bytes, 0, count);
    }

    @Override
    public void cut(long length) throws IOException {
      file.setLength(length);
      file.seek(length);
    }

    @Override
    public void force() throws IOException {
      file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
