package dev.sluice.collect.run;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a run writes a track's slices with, step by step as {@link SliceWriter} says: counts the
 * records of those that are committed, and sees that a sink's failure is not taken for the
 * provider's.
 */
final class TrackWriter implements AutoCloseable {
  private final Progress progress;
  private final Track track;
  private final boolean anew;
  private final SliceWriter writer;
  private final Map<String, Long> slice = new HashMap<>(); // records by stream

  /**
   * To a sink's writer.
   *
   * @param anew whether what is durable in it already is of an earlier time
   */
  TrackWriter(Progress progress, Track track, boolean anew, SliceWriter writer) {
    this.progress = progress;
    this.track = track;
    this.anew = anew;
    this.writer = writer;
  }

  Optional<SliceEnd> unacknowledged() {
    return anew ? Optional.empty() : writer.unacknowledged();
  }

  String noted() {
    return writer.noted();
  }

  void write(String stream, CollectedRecord record) throws SinkException, InterruptedException {
    try {
      writer.write(stream, record);
    } catch (IOException e) {
      throw new SinkException(e);
    }
    slice.merge(stream, 1L, Long::sum);
  }

  /**
   * Makes the slice durable.
   *
   * @param facts what else belongs to it, for whoever comes next; empty for nothing
   */
  String prepare(SliceEnd end, String facts) throws SinkException, InterruptedException {
    try {
      writer.note(facts);
      return writer.prepare(end);
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  void commit(Transaction transaction) {
    writer.commit(transaction);
  }

  void acknowledge() throws SinkException {
    progress.written(track, slice);
    slice.clear();
    try {
      writer.acknowledge();
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  void giveUp() throws SinkException {
    slice.clear();
    try {
      writer.giveUp();
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  @Override
  public void close() throws SinkException {
    try {
      writer.close();
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }
}
