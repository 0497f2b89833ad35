package dev.sluice.collect.sink.jsonlines;

import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Brings the files of a track into the state that its bookmark tells of, whatever became of their
 * last writer: each file of the mark has its final name and its committed length, and no other
 * {@code .part} of an older or equal lease is left.
 *
 * <p>The last writer may still be alive. It then holds a file that has no name any more, or finds
 * none when it wants to give it one; every step can be repeated after a crash.
 */
final class Takeover {
  private final Disk disk;
  private final Path folder;
  private final long fence;
  private final Track track;

  Takeover(Disk disk, Path folder, long fence, Track track) {
    this.disk = disk;
    this.folder = folder;
    this.fence = fence;
    this.track = track;
  }

  /**
   * Does it.
   *
   * @param streams how the track's files are called, by stream
   * @return which number the next file of each stream has
   */
  Map<String, Integer> settle(Map<String, FileNames> streams, Mark mark) throws IOException {
    boolean changed = false;
    for (Map.Entry<String, Long> each : mark.lengths().entrySet()) {
      changed |= keep(each.getKey(), each.getValue());
    }
    List<String> names = disk.names(folder);
    for (String name : names) {
      if (name.endsWith(FileNames.PART) && isOld(name, streams.values())) {
        disk.delete(folder.resolve(name));
        changed = true;
      }
    }
    if (changed) {
      disk.force(folder);
    }
    Map<String, Integer> next = new HashMap<>();
    streams.forEach((stream, files) -> next.put(stream, nextNumber(files, names)));
    return next;
  }

  /** Whether anything had to be done. */
  private boolean keep(String name, long committed) throws IOException {
    Path whole = folder.resolve(name);
    Path part = folder.resolve(name + FileNames.PART);
    boolean moved = disk.length(part).isPresent() && moveFrom(part, whole, committed);
    // Looked at last: until the part was gone, its writer could still have given it this name.
    OptionalLong length = disk.length(whole);
    boolean takenByReader = length.isPresent() && length.getAsLong() == 0;
    if (!takenByReader && length.orElse(-1) < committed) {
      throw FileErrors.shorter(track, whole, committed, length);
    }
    if (length.getAsLong() > committed) {
      disk.cut(whole, committed);
    }
    return moved;
  }

  /**
   * Copies, because the writer of the part may still append to it: what readers see is a file that
   * it never opened.
   *
   * @return whether there was anything to do: its writer may have finished it meanwhile
   */
  private boolean moveFrom(Path part, Path whole, long committed) throws IOException {
    boolean copied = disk.length(whole).orElse(-1) == committed;
    if (!copied) {
      OptionalLong there = disk.length(part);
      if (there.isPresent() && there.getAsLong() < committed) {
        throw FileErrors.shorter(track, part, committed, there);
      }
      Path copy = folder.resolve(whole.getFileName() + ".copy-" + fence + FileNames.PART);
      try {
        disk.copy(part, copy, committed);
      } catch (NoSuchFileException e) {
        return false;
      }
      disk.move(copy, whole);
    }
    // The final name is durable before the other one goes.
    disk.force(folder);
    disk.delete(part);
    return true;
  }

  private boolean isOld(String name, Collection<FileNames> streams) {
    return streams.stream().anyMatch(files -> files.fence(name).orElse(Long.MAX_VALUE) <= fence);
  }

  private int nextNumber(FileNames files, List<String> names) {
    return 1
        + names.stream()
            .filter(name -> files.fence(name).orElse(-1) == fence)
            .mapToInt(name -> files.number(name).orElse(0))
            .max()
            .orElse(0);
  }
}
