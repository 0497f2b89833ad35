package dev.sluice.collect.sink.jsonlines;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Files with one record per line, in a folder per collection. Every record of a committed slice is
 * there exactly once, whenever the process was killed or the power failed.
 *
 * <p>A file ends in {@code .part} while it is written, and nobody should read it. It gets its final
 * name when it is large enough, when its track is closed, or when the next run takes it up; it does
 * not change from then on. A reader may take files away. Of each track's newest one it should leave
 * an empty file behind: the bookmark still counts on it, and a file that is missing altogether is
 * taken for an accident.
 *
 * <p>Thread-safe.
 */
public final class JsonLinesSink implements Sink {
  /** From how many bytes on a file is finished, and another one begun. */
  public static final long DEFAULT_ROTATION = 256L << 20;

  private final Path folder;
  private final long rotation;
  private final Disk disk;

  /** Files in this folder, which is made when it is needed. */
  public JsonLinesSink(Path folder) {
    this(folder, DEFAULT_ROTATION);
  }

  /**
   * Files in this folder.
   *
   * @param rotation from how many bytes on a file is finished and another one begun, at the end of
   *     a slice
   * @throws IllegalArgumentException if the rotation is less than 1
   */
  public JsonLinesSink(Path folder, long rotation) {
    this(folder, rotation, Disk.LOCAL);
  }

  JsonLinesSink(Path folder, long rotation, Disk disk) {
    if (rotation < 1) {
      throw new IllegalArgumentException(
          "rotation is %d, but must be at least 1: from how many bytes on a file is finished"
              .formatted(rotation));
    }
    this.folder = requireNonNull(folder, "folder");
    this.rotation = rotation;
    this.disk = disk;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException if the folder cannot be written, or lacks what the mark says is committed;
   *     the message says what can be done
   */
  @Override
  public SliceWriter open(Track track, List<StreamShape> streams, long fence, Optional<String> mark)
      throws IOException {
    Path here = folder.resolve(FileNames.plain(track.collection()));
    Map<String, FileNames> files = new LinkedHashMap<>();
    for (StreamShape stream : streams) {
      files.put(stream.name(), new FileNames(track, stream.name()));
    }
    Mark committed = mark.isPresent() ? Mark.parse(mark.get()) : Mark.NONE;
    try {
      disk.makeFolder(here);
      Map<String, Integer> next = new Takeover(disk, here, fence, track).settle(files, committed);
      return new JsonLinesWriter(disk, here, fence, rotation, files, next);
    } catch (IOException e) {
      throw FileErrors.with(here, e);
    }
  }

  @Override
  public String description() {
    return "JSON Lines in " + folder;
  }

  /** Nothing to close: each track closes its own files. */
  @Override
  public void close() {}
}
