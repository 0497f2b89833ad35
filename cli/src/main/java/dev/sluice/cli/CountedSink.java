package dev.sluice.cli;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.ForwardingWriter;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Another sink, and how many records of which stream went into it for good: those of slices whose
 * bookmark has moved. Thread-safe.
 */
final class CountedSink implements Sink {
  private final Sink sink;
  private final Map<Part, Long> committed = new ConcurrentHashMap<>();

  /** What came to a track: records of its list, or of one of the list's details. */
  private record Part(Track track, String stream) {}

  CountedSink(Sink sink) {
    this.sink = sink;
  }

  /** How many records of a stream there were, whichever track they came with. */
  long of(String stream) {
    return committed.entrySet().stream()
        .filter(each -> each.getKey().stream.equals(stream))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** How many records of its own list a track had, without their details. */
  long of(Track track) {
    return committed.getOrDefault(new Part(track, track.stream()), 0L);
  }

  @Override
  public SliceWriter open(Track track, List<StreamShape> streams, long fence, Optional<String> mark)
      throws IOException {
    return new Counting(track, sink.open(track, streams, fence, mark));
  }

  @Override
  public String description() {
    return sink.description();
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }

  private final class Counting extends ForwardingWriter {
    private final Track track;
    private final Map<String, Long> slice = new HashMap<>();

    Counting(Track track, SliceWriter writer) {
      super(writer);
      this.track = track;
    }

    @Override
    public void write(String stream, CollectedRecord record)
        throws IOException, InterruptedException {
      super.write(stream, record);
      slice.merge(stream, 1L, Long::sum);
    }

    @Override
    public void acknowledge() throws IOException {
      slice.forEach((stream, count) -> committed.merge(new Part(track, stream), count, Long::sum));
      slice.clear();
      super.acknowledge();
    }

    @Override
    public void giveUp() throws IOException {
      slice.clear();
      super.giveUp();
    }
  }
}
