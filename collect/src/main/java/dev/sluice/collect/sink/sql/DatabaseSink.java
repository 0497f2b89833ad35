package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SinkErrors;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.collect.sink.TakenOverException;
import dev.sluice.control.Ticker;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.Work;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables in another database: rows and the marker of their slice are one transaction there.
 *
 * @param clock tells when a record was fetched
 */
record DatabaseSink(Store database, Dialect dialect, Ticker clock) implements Sink {
  private static final Logger log = LoggerFactory.getLogger(DatabaseSink.class);
  private static final int ATTEMPTS = 4;
  private static final String MARK = "slice ";

  @Override
  public SliceWriter open(Track track, List<StreamShape> streams, long fence, Optional<String> mark)
      throws IOException {
    long acknowledged = mark.isPresent() ? number(mark.get()) : 0;
    Optional<SliceMarker> claimed =
        write(
            transaction -> {
              TableNames names = new TableNames(transaction, dialect, false);
              names.lock();
              names.prepare();
              SliceMarker.prepare(transaction);
              return SliceMarker.claim(transaction, track, fence);
            });
    SliceMarker marker = claimed.orElseThrow(() -> takenOver(track));
    if (marker.number() < acknowledged) {
      throw new IOException(
          "the %s lacks records of %s that were committed: it is another one, or an older state of it; put it back as it was, or let the stream begin anew: %s"
              .formatted(database, track, SinkErrors.beginAnew(track)));
    }
    return new Writer(track, streams, fence, marker, marker.number() == acknowledged + 1);
  }

  /** Which slice a mark names. */
  private static long number(String mark) throws IOException {
    if (!mark.matches(MARK + "\\d{1,18}")) {
      throw SinkErrors.notOurMark(SqlSink.KIND, mark);
    }
    return Long.parseLong(mark.substring(MARK.length()));
  }

  private static TakenOverException takenOver(Track track) {
    return new TakenOverException(
        "another run has taken over %s: nothing of this one is written any more; nothing has to be done"
            .formatted(track));
  }

  /** Does work in a transaction, and again if the database breaks it off for another one's sake. */
  private <T> T write(Work<T> work) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return database.write(work);
      } catch (StoreException e) {
        if (attempt == ATTEMPTS || !isCollision(e)) {
          String where = e instanceof TableException ? "the %s: ".formatted(database) : "";
          throw new IOException(where + e.getMessage(), e); // not the trouble of the runs' store
        }
        log.debug("a transaction on the {} is done again", database, e);
      }
    }
  }

  /** Two transactions that wait for each other, and this one was chosen to go. */
  private static boolean isCollision(StoreException e) {
    return e.getCause() instanceof SQLException cause
        && String.valueOf(cause.getSQLState()).matches("40001|40P01");
  }

  @Override
  public String description() {
    return "tables in the " + database;
  }

  @Override
  public void close() {
    database.close();
  }

  private final class Writer extends SqlWriter {
    private final Track track;
    private final long fence;
    private SliceMarker marker;
    private boolean unacknowledged;
    private String facts = "";

    /**
     * Begins behind the marker.
     *
     * @param unacknowledged whether the bookmark does not know of the marker's slice
     */
    Writer(
        Track track,
        List<StreamShape> streams,
        long fence,
        SliceMarker marker,
        boolean unacknowledged) {
      super(dialect, false, track, streams, clock);
      this.track = track;
      this.fence = fence;
      this.marker = marker;
      this.unacknowledged = unacknowledged;
    }

    @Override
    public Optional<SliceEnd> unacknowledged() {
      return unacknowledged ? Optional.of(marker.end()) : Optional.empty();
    }

    @Override
    public String noted() {
      return unacknowledged ? marker.facts() : "";
    }

    @Override
    public void note(String told) {
      facts = told;
    }

    @Override
    public String prepare(SliceEnd end) throws IOException {
      if (!isEmpty()) {
        SliceMarker next = new SliceMarker(marker.number() + 1, end, facts);
        boolean ours =
            DatabaseSink.this.write(
                transaction -> {
                  // First: it also waits for, or turns away, whoever else has the track.
                  boolean written = next.write(transaction, track, fence);
                  if (written) {
                    writeRows(transaction);
                  }
                  return written;
                });
        if (!ours) {
          throw takenOver(track);
        }
        marker = next;
      }
      prepared();
      return MARK + marker.number();
    }

    @Override
    public void acknowledge() throws IOException {
      unacknowledged = false;
      facts = "";
      super.acknowledge();
    }
  }
}
