package dev.sluice.collect.sink.jsonlines;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A disk in memory that knows what is durable. Processes see it through a {@link Machine}, which
 * can be killed at any of its operations; the power can fail, too.
 */
final class SimulatedDisk {
  private final SplittableRandom random;
  private Map<Path, Content> names = new TreeMap<>();

  /** What the names were at the last force, and after each change since. */
  private final List<Map<Path, Content>> history = new ArrayList<>();

  SimulatedDisk(SplittableRandom random) {
    this.random = random;
    history.add(Map.of());
  }

  /** The bytes of one file, whatever it is called. */
  private static final class Content {
    byte[] bytes = new byte[0];
    byte[] durable = new byte[0];
  }

  /** The process is no more. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A process that will not be killed. */
  Machine process() {
    return new Machine(Long.MAX_VALUE);
  }

  /** A process that is killed at its n-th operation: before, within or after it. */
  Machine killedAt(long operation) {
    return new Machine(operation);
  }

  /** Everything that was not forced is there, or is not. */
  void failPower() {
    names = new TreeMap<>(history.get(random.nextInt(history.size())));
    for (Content content : names.values()) {
      if (!Arrays.equals(content.bytes, content.durable) && random.nextBoolean()) {
        boolean grown =
            content.bytes.length > content.durable.length
                && Arrays.equals(
                    content.bytes,
                    0,
                    content.durable.length,
                    content.durable,
                    0,
                    content.durable.length);
        int kept =
            grown
                ? random.nextInt(content.durable.length, content.bytes.length + 1)
                : content.durable.length;
        content.bytes = Arrays.copyOf(grown ? content.bytes : content.durable, kept);
      }
      content.durable = content.bytes;
    }
    forceNames();
  }

  /** What readers see: files with their final name, in the order of their names. */
  Map<String, String> readable() {
    Map<String, String> files = new TreeMap<>();
    names.forEach(
        (path, content) -> {
          String name = String.valueOf(path.getFileName());
          if (!name.endsWith(".part")) {
            files.put(name, new String(content.bytes, StandardCharsets.UTF_8));
          }
        });
    return files;
  }

  List<String> all() {
    return names.keySet().stream().map(path -> String.valueOf(path.getFileName())).toList();
  }

  private void changeNames(Path path, Content content) {
    names.put(path, content);
    history.add(new TreeMap<>(names));
  }

  private void forceNames() {
    history.clear();
    history.add(new TreeMap<>(names));
  }

  private Content existing(Path file) throws NoSuchFileException {
    Content content = names.get(file);
    if (content == null) {
      throw new NoSuchFileException(file.toString());
    }
    return content;
  }

  /** The disk as one process sees it. */
  final class Machine implements Disk {
    private long operationsLeft;
    private long capacity = Long.MAX_VALUE;
    private boolean dead;
    private long operations;
    private long meanwhileAt = -1;
    private Runnable meanwhile = () -> {};

    private Machine(long operationsLeft) {
      this.operationsLeft = operationsLeft;
    }

    /** How many operations there were. */
    long operations() {
      return operations;
    }

    boolean isDead() {
      return dead;
    }

    /** From now on only so many bytes can be written. */
    void fill(long bytesLeft) {
      capacity = bytesLeft;
    }

    /** Somebody else does something just before the n-th operation. */
    void meanwhile(long operation, Runnable somethingElse) {
      meanwhileAt = operation;
      meanwhile = somethingElse;
    }

    @FunctionalInterface
    private interface Operation<T> {
      T run() throws IOException;
    }

    private <T> T perform(Operation<T> operation) throws IOException {
      if (dead) {
        throw new Killed();
      }
      operations++;
      if (operations == meanwhileAt) {
        meanwhile.run();
      }
      boolean last = --operationsLeft == 0;
      if (last && random.nextBoolean()) {
        dead = true;
        throw new Killed();
      }
      T result = operation.run();
      if (last) {
        dead = true;
        throw new Killed();
      }
      return result;
    }

    @Override
    public void makeFolder(Path folder) {}

    @Override
    public List<String> names(Path folder) throws IOException {
      return perform(SimulatedDisk.this::all);
    }

    @Override
    public OptionalLong length(Path file) throws IOException {
      return perform(
          () -> {
            Content content = names.get(file);
            return content == null ? OptionalLong.empty() : OptionalLong.of(content.bytes.length);
          });
    }

    @Override
    public GrowingFile create(Path file) throws IOException {
      return perform(
          () -> {
            if (names.containsKey(file)) {
              throw new FileAlreadyExistsException(file.toString());
            }
            Content content = new Content();
            changeNames(file, content);
            return new OpenFile(content);
          });
    }

    @Override
    public void copy(Path from, Path to, long length) throws IOException {
      Content copy =
          perform(
              () -> {
                Content source = existing(from);
                Content target = new Content();
                target.bytes =
                    Arrays.copyOf(source.bytes, random.nextInt(Math.toIntExact(length) + 1));
                changeNames(to, target);
                return target;
              });
      perform(
          () -> {
            copy.bytes = Arrays.copyOf(existing(from).bytes, Math.toIntExact(length));
            copy.durable = copy.bytes;
            return copy;
          });
    }

    @Override
    public void cut(Path file, long length) throws IOException {
      perform(
          () -> {
            Content content = existing(file);
            content.bytes = Arrays.copyOf(content.bytes, Math.toIntExact(length));
            content.durable = content.bytes;
            return content;
          });
    }

    @Override
    public void move(Path from, Path to) throws IOException {
      perform(
          () -> {
            Content content = existing(from);
            names.remove(from);
            changeNames(to, content);
            return content;
          });
    }

    @Override
    public void delete(Path file) throws IOException {
      perform(
          () -> {
            Content unused = names.remove(file);
            return history.add(new TreeMap<>(names));
          });
    }

    @Override
    public void force(Path folder) throws IOException {
      perform(
          () -> {
            forceNames();
            return folder;
          });
    }

    private final class OpenFile implements GrowingFile {
      private final Content content;

      OpenFile(Content content) {
        this.content = content;
      }

      @Override
      public void append(byte[] bytes, int count) throws IOException {
        int torn = random.nextInt(count + 1);
        perform(() -> appended(bytes, 0, torn));
        perform(() -> appended(bytes, torn, count));
      }

      private byte[] appended(byte[] bytes, int from, int to) throws IOException {
        int fits = (int) Math.min(to - from, capacity);
        capacity -= fits;
        byte[] longer = Arrays.copyOf(content.bytes, content.bytes.length + fits);
        System.arraycopy(bytes, from, longer, content.bytes.length, fits);
        content.bytes = longer;
        if (fits < to - from) {
          throw new IOException("No space left on device");
        }
        return longer;
      }

      @Override
      public void cut(long length) throws IOException {
        perform(() -> content.bytes = Arrays.copyOf(content.bytes, Math.toIntExact(length)));
      }

      @Override
      public void force() throws IOException {
        perform(() -> content.durable = content.bytes);
      }

      @Override
      public void close() throws IOException {}
    }
  }
}
