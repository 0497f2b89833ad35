package dev.sluice.collect.sink.jsonlines;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.sink.SinkErrors;
import dev.sluice.collect.sink.SliceWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the slices of one track, each stream to a file of its own. */
final class JsonLinesWriter implements SliceWriter {
  private final Disk disk;
  private final Path folder;
  private final long fence;
  private final long rotation;
  private final Map<String, FileNames> streams;
  private final Map<String, Integer> nextNumbers;
  private final Map<String, PartFile> open = new LinkedHashMap<>();
  private boolean undecided;
  private boolean closed;

  /**
   * Begins where the takeover left the track.
   *
   * @param rotation from how many bytes on a file is finished
   */
  JsonLinesWriter(
      Disk disk,
      Path folder,
      long fence,
      long rotation,
      Map<String, FileNames> streams,
      Map<String, Integer> nextNumbers) {
    this.disk = disk;
    this.folder = folder;
    this.fence = fence;
    this.rotation = rotation;
    this.streams = streams;
    this.nextNumbers = nextNumbers;
  }

  @Override
  public void write(String stream, CollectedRecord record) throws IOException {
    requireDecided();
    part(stream).append((record.body() + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String prepare(SliceEnd end) throws IOException {
    requireDecided();
    boolean newNames = false;
    Map<String, Long> lengths = new LinkedHashMap<>();
    for (PartFile part : open.values()) {
      newNames |= part.force();
      if (part.length() > 0) {
        lengths.put(part.name(), part.length());
      }
    }
    if (newNames) {
      forceFolder();
    }
    undecided = true;
    return new Mark(lengths).toString();
  }

  @Override
  public void acknowledge() throws IOException {
    boolean finished = false;
    for (Iterator<PartFile> parts = open.values().iterator(); parts.hasNext(); ) {
      PartFile part = parts.next();
      part.commit();
      if (part.committed() >= rotation) {
        parts.remove();
        part.finish();
        finished = true;
      }
    }
    if (finished) {
      // The next mark will not name them any more.
      forceFolder();
    }
    undecided = false;
  }

  @Override
  public void giveUp() throws IOException {
    if (undecided) {
      return;
    }
    for (PartFile part : open.values()) {
      part.cutBack();
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    IOException failure = null;
    for (PartFile part : open.values()) {
      try {
        if (undecided) {
          part.abandon();
        } else {
          part.finish();
        }
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    if (!undecided && !open.isEmpty()) {
      forceFolder();
    }
  }

  private PartFile part(String stream) throws IOException {
    PartFile part = open.get(stream);
    if (part == null) {
      FileNames files = streams.get(stream);
      if (files == null) {
        throw SinkErrors.unknownStream(stream, streams.keySet());
      }
      int number = nextNumbers.merge(stream, 1, Integer::sum) - 1;
      part = PartFile.create(disk, folder, files.file(fence, number));
      open.put(stream, part);
    }
    return part;
  }

  private void requireDecided() {
    if (closed) {
      throw new IllegalStateException("the writer is closed");
    }
    SinkErrors.requireDecided(undecided);
  }

  private void forceFolder() throws IOException {
    FileErrors.tell(folder, () -> disk.force(folder));
  }
}
