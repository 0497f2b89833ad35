package dev.sluice.runs.gap;

import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.Transaction;
import java.util.Optional;

/**
 * Of which records the details are there already, and for which edition of the record: lists that
 * look back hand on the same records again and again. Kept of the records that a track's last
 * complete run has seen, so it does not grow with all that was ever collected.
 */
public final class HadDetails {
  private HadDetails() {}

  /** The edition of a record that the details were had for last; empty if none is known. */
  public static Optional<String> edition(
      Transaction transaction, Track track, String stream, String recordKey) {
    return transaction.row(
        """
        select edition from detail_had
        where collection = ? and parent_stream = ? and split = ? and mode = ? and stream = ?
          and record_key = ?
        """,
        row -> row.text(1),
        track.collection(),
        track.stream(),
        track.split(),
        track.mode().wireName(),
        stream,
        recordKey);
  }

  /**
   * Details are there.
   *
   * @param stream of the details
   * @param run which run has seen the record
   */
  public static void note(
      Transaction transaction,
      Track track,
      String stream,
      String recordKey,
      String edition,
      long run) {
    int unused =
        transaction.update(
            """
            insert into detail_had
              (collection, parent_stream, split, mode, stream, record_key, edition, run)
              values (?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (collection, parent_stream, split, mode, stream, record_key)
              do update set edition = excluded.edition, run = excluded.run
            """,
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName(),
            stream,
            recordKey,
            edition,
            run);
  }

  /** A track begins anew: the details of its records, too, are fetched again. */
  public static void forget(Transaction transaction, Track track) {
    forgetBefore(transaction, track, Long.MAX_VALUE);
  }

  /** A run has come to the end of a track: what it has not seen will not come again unchanged. */
  public static void forgetBefore(Transaction transaction, Track track, long run) {
    int unused =
        transaction.update(
            """
            delete from detail_had
            where collection = ? and parent_stream = ? and split = ? and mode = ? and run < ?
            """,
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName(),
            run);
  }
}
