package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.util.Optional;

/** Writes the slices of one track into another database, with a marker beside each. */
final class DatabaseWriter implements SliceWriter {
  private static final String MARK = "slice ";

  private final Database database;
  private final Track track;
  private final long fence;
  private final SliceRows rows;
  private SliceMarker marker;
  private boolean unacknowledged;
  private String facts = "";

  /**
   * Begins behind the marker.
   *
   * @param unacknowledged whether the bookmark does not know of the marker's slice
   */
  DatabaseWriter(
      Database database,
      Track track,
      long fence,
      SliceRows rows,
      SliceMarker marker,
      boolean unacknowledged) {
    this.database = database;
    this.track = track;
    this.fence = fence;
    this.rows = rows;
    this.marker = marker;
    this.unacknowledged = unacknowledged;
  }

  /** Which slice a mark names. */
  static long number(String mark) throws IOException {
    if (!mark.matches(MARK + "\\d{1,18}")) {
      throw SqlTrouble.notOurMark(mark);
    }
    return Long.parseLong(mark.substring(MARK.length()));
  }

  @Override
  public Optional<SliceEnd> unacknowledged(Optional<String> cursor) {
    return unacknowledged ? Optional.of(marker.end()) : Optional.empty();
  }

  @Override
  public String noted() {
    return unacknowledged ? marker.facts() : "";
  }

  @Override
  public void note(String facts) {
    this.facts = facts;
  }

  @Override
  public void write(String stream, CollectedRecord record) throws IOException {
    rows.add(stream, record);
  }

  @Override
  public String prepare(SliceEnd end) throws IOException {
    if (!rows.isEmpty()) {
      SliceMarker next = new SliceMarker(marker.number() + 1, end, facts);
      marker =
          database.write(
              statements -> {
                // First: it also waits for, or turns away, whoever else has the track.
                next.write(statements, track, fence);
                rows.write(statements, database.dialect(), false);
                return next;
              });
    }
    rows.prepared();
    return MARK + marker.number();
  }

  @Override
  public void acknowledge() throws IOException {
    unacknowledged = false;
    facts = "";
    rows.acknowledged();
  }

  @Override
  public void giveUp() throws IOException {
    rows.giveUp();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
