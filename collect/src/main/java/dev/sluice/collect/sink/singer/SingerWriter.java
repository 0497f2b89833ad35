package dev.sluice.collect.sink.singer;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.SinkErrors;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sends the slices of one track. */
final class SingerWriter implements SliceWriter {
  private static final String BEGINNING = "beginning";
  private static final String AT = "at ";

  private final Messages messages;
  private final Track track;
  private final Map<String, StreamShape> streams = new HashMap<>();
  private Optional<String> prepared = Optional.empty();

  SingerWriter(Messages messages, Track track, List<StreamShape> streams, Optional<String> mark)
      throws IOException {
    this.messages = messages;
    this.track = track;
    streams.forEach(stream -> this.streams.put(stream.name(), stream));
    if (mark.isPresent()) {
      messages.note(track, cursor(mark.get()));
    }
  }

  @Override
  public void write(String stream, CollectedRecord record) throws IOException {
    StreamShape shape = streams.get(stream);
    if (shape == null) {
      throw SinkErrors.unknownStream(stream, streams.keySet());
    }
    messages.record(shape, record.body());
  }

  /** The mark is where the track stands: the next process's states begin with it. */
  @Override
  public String prepare(SliceEnd end) throws IOException {
    messages.flush();
    prepared = end.cursor();
    return end.cursor().map(cursor -> AT + cursor).orElse(BEGINNING);
  }

  @Override
  public void acknowledge() throws IOException {
    messages.note(track, prepared);
    messages.state();
  }

  /** Nothing can be called back: the records will come again. */
  @Override
  public void giveUp() {}

  @Override
  public void close() throws IOException {
    messages.finish();
  }

  private static Optional<String> cursor(String mark) throws IOException {
    if (mark.startsWith(AT)) {
      return Optional.of(mark.substring(AT.length()));
    } else if (mark.equals(BEGINNING)) {
      return Optional.empty();
    }
    throw SinkErrors.notOurMark("a Singer sink", mark);
  }
}
