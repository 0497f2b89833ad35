package dev.sluice.collect.run;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps records as a file would: appended per track, cut back to what the bookmark says when it is
 * opened. It outlives the runs that write to it, as a disk outlives processes.
 */
final class MemorySink implements Sink {
  private final Map<Track, List<String>> files = new LinkedHashMap<>();
  private boolean full;

  /** From now on nothing can be written any more, or again. */
  void full(boolean isFull) {
    full = isFull;
  }

  /** The keys of a stream's records, in the order in which they were written, all tracks. */
  List<String> keys(String stream) {
    List<String> keys = new ArrayList<>();
    for (List<String> file : files.values()) {
      for (String line : file) {
        if (line.startsWith(stream + "/")) {
          keys.add(line.substring(stream.length() + 1));
        }
      }
    }
    return keys;
  }

  @Override
  public SliceWriter open(
      Track track, List<StreamShape> streams, long fence, Optional<String> mark) {
    List<String> file = files.computeIfAbsent(track, unused -> new ArrayList<>());
    cutBack(file, mark.map(Integer::parseInt).orElse(0));
    return new Writer(file);
  }

  private static void cutBack(List<String> file, int length) {
    file.subList(length, file.size()).clear();
  }

  @Override
  public String description() {
    return "memory";
  }

  @Override
  public void close() {}

  private final class Writer implements SliceWriter {
    private final List<String> file;
    private int committed;

    Writer(List<String> file) {
      this.file = file;
      this.committed = file.size();
    }

    @Override
    public void write(String stream, CollectedRecord record) {
      file.add(stream + "/" + record.key());
    }

    @Override
    public String prepare(SliceEnd end) throws IOException {
      if (full) {
        throw new IOException("the memory is full");
      }
      committed = file.size();
      return String.valueOf(committed);
    }

    @Override
    public void giveUp() {
      cutBack(file, committed);
    }

    @Override
    public void close() {}
  }
}
