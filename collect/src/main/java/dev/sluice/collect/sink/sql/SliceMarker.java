package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.runs.bookmark.Track;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
  static void prepare(Statements statements) throws SQLException {
    int unused =
        statements.update(
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
   * @throws FencedException if somebody with a newer lease has done so already
   */
  static SliceMarker claim(Statements statements, Track track, long fence) throws SQLException {
    int claimed =
        statements.update(
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
      throw new FencedException(track);
    }
    List<@Nullable String> row =
        statements
            .rows(
                "select number, cursor, more, facts from " + TABLE + OF_TRACK,
                4,
                track.collection(),
                track.stream(),
                track.split(),
                track.mode().wireName())
            .get(0);
    return new SliceMarker(
        Long.parseLong(String.valueOf(row.get(0))),
        new SliceEnd(Optional.ofNullable(row.get(1)), "1".equals(row.get(2))),
        row.get(3) == null ? "" : row.get(3));
  }

  /**
   * Says that the rows of this transaction are those of this slice.
   *
   * @throws FencedException if somebody has taken the track over
   */
  void write(Statements statements, Track track, long fence) throws SQLException {
    int written =
        statements.update(
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
    if (written == 0) {
      throw new FencedException(track);
    }
  }
}
