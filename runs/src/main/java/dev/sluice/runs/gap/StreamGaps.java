package dev.sluice.runs.gap;

import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.evidence.Fact;
import dev.sluice.runs.evidence.Facts;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The stream gaps of a store, one per track at most. Whoever notes or closes one guards it with the
 * track's lease in the same transaction.
 */
public final class StreamGaps {
  private static final String SELECT =
      "select collection, stream, split, mode, cursor, reason, detail, since, due, run"
          + " from stream_gap ";

  private StreamGaps() {}

  /**
   * Notes that a track stopped; takes the place of what was noted for it before. As long as it
   * stops at the same cursor, it counts as missing since the first time.
   *
   * @param cursor where it stopped; empty for the beginning
   * @param reason why
   * @param detail what exactly happened, safe to show; may be empty
   * @param due when it may be tried again
   * @param run which run it was
   */
  public static void note(
      Transaction transaction,
      Track track,
      Optional<String> cursor,
      Reason reason,
      String detail,
      Instant due,
      long run) {
    int unused =
        transaction.update(
            """
            insert into stream_gap
              (collection, stream, split, mode, cursor, reason, detail, since, due, run)
              values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (collection, stream, split, mode) do update set cursor = excluded.cursor,
              reason = excluded.reason, detail = excluded.detail, due = excluded.due,
              run = excluded.run, waited = 0,
              since = case when stream_gap.cursor is not distinct from excluded.cursor
                then stream_gap.since else excluded.since end
            """,
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName(),
            cursor.orElse(null),
            reason.wireName(),
            detail,
            transaction.now(),
            due,
            run);
  }

  /** The run that noted it had spent all it had on other tracks: the next one should begin here. */
  public static void hadNoTurn(Transaction transaction, Track track) {
    int unused =
        transaction.update(
            """
            update stream_gap set waited = 1
            where collection = ? and stream = ? and split = ? and mode = ?
            """,
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName());
  }

  /** The tracks of a collection that stopped before their end: whether each had no turn. */
  public static Map<Track, Boolean> turns(Transaction transaction, String collection) {
    Map<Track, Boolean> turns = new HashMap<>();
    for (Map.Entry<Track, Boolean> each :
        transaction.rows(
            "select stream, split, mode, waited from stream_gap where collection = ?",
            row ->
                Map.entry(
                    new Track(collection, row.text(1), row.text(2), Mode.named(row.text(3))),
                    row.number(4) != 0),
            collection)) {
      turns.put(each.getKey(), each.getValue());
    }
    return turns;
  }

  /**
   * The track has passed the place where it stopped: nothing is missing any more, which is evidence
   * of the run. Nothing happens if it never stopped.
   *
   * @param run which run has passed it
   */
  public static void passed(Transaction transaction, Track track, long run) {
    if (close(transaction, track)) {
      EvidenceLog.append(
          transaction,
          run,
          Evidence.Kind.GAP_CLOSED,
          Facts.NONE.withStream(track.stream()).with(Fact.MODE, track.mode()));
    }
  }

  /**
   * Forgets that the track stopped.
   *
   * @return whether it had
   */
  public static boolean close(Transaction transaction, Track track) {
    return transaction.update(
            "delete from stream_gap where collection = ? and stream = ? and split = ? and mode = ?",
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName())
        == 1;
  }

  /** The one of a track; empty if nothing is missing of it. */
  public static Optional<StreamGap> find(Transaction transaction, Track track) {
    return transaction.row(
        SELECT + "where collection = ? and stream = ? and split = ? and mode = ?",
        StreamGaps::read,
        track.collection(),
        track.stream(),
        track.split(),
        track.mode().wireName());
  }

  /** All of a collection, in the order of their streams. */
  public static List<StreamGap> of(Transaction transaction, String collection) {
    return transaction.rows(
        SELECT + "where collection = ? order by stream, split, mode", StreamGaps::read, collection);
  }

  /** All of the store, in the order of their collections and streams. */
  public static List<StreamGap> all(Transaction transaction) {
    return transaction.rows(SELECT + "order by collection, stream, split, mode", StreamGaps::read);
  }

  private static StreamGap read(Transaction.Row row) {
    return new StreamGap(
        new Track(row.text(1), row.text(2), row.text(3), Mode.named(row.text(4))),
        Optional.ofNullable(row.textOrNull(5)),
        Reason.named(row.text(6)),
        row.text(7),
        row.time(8),
        row.time(9),
        row.number(10));
  }
}
