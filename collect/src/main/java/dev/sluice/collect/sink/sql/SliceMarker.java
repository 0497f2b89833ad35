package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.Transaction;
import java.util.Optional;

/**
 * What another database knows of a track: under which lease it is written, and which slice was the
 * last. It changes in the transaction that writes the slice's rows, so it never tells of a slice
 * that is not there. Immutable.
 *
 * @param number how many slices there were
 * @param end where the last one ended
 * @param facts what else was told of it
 */
record SliceMarker(long number, SliceEnd end, String facts) {
  private static final String TABLE = "_sluice_slice";
  private static final String OF_TRACK =
      " where collection = ? and stream = ? and split = ? and mode = ?";

  /** Makes the markers' table if there is none. */
  static void prepare(Transaction transaction) {
    int unused =
        transaction.update(
            "create table if not exists "
                + TABLE
                + " (collection text not null, stream text not null, split text not null,"
                + " mode text not null, fence bigint not null, number bigint not null,"
                + " cursor text, more bigint not null, facts text,"
                + " primary key (collection, stream, split, mode))");
  }

  /**
   * Takes a track over, so that whoever has an older lease can write no more.
   *
   * @return the marker; empty if somebody with a newer lease has taken it over already
   */
  static Optional<SliceMarker> claim(Transaction transaction, Track track, long fence) {
    int claimed =
        transaction.update(
            "insert into "
                + TABLE
                + " as there (collection, stream, split, mode, fence, number, more)"
                + " values (?, ?, ?, ?, ?, 0, 1)"
                + " on conflict (collection, stream, split, mode) do update"
                + " set fence = excluded.fence where there.fence <= excluded.fence",
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName(),
            fence);
    if (claimed == 0) {
      return Optional.empty();
    }
    return transaction.row(
        "select number, cursor, more, coalesce(facts, '') from " + TABLE + OF_TRACK,
        row ->
            new SliceMarker(
                row.number(1),
                new SliceEnd(Optional.ofNullable(row.textOrNull(2)), row.number(3) == 1),
                row.text(4)),
        track.collection(),
        track.stream(),
        track.split(),
        track.mode().wireName());
  }

  /**
   * Says that the rows of this transaction are those of this slice.
   *
   * @return false if somebody has taken the track over
   */
  boolean write(Transaction transaction, Track track, long fence) {
    int written =
        transaction.update(
            "update "
                + TABLE
                + " set number = ?, cursor = ?, more = ?, facts = ?"
                + OF_TRACK
                + " and fence = ?",
            number,
            end.cursor().orElse(null),
            end.more() ? 1L : 0L,
            facts,
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName(),
            fence);
    return written > 0;
  }
}
