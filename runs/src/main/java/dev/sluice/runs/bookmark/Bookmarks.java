package dev.sluice.runs.bookmark;

import dev.sluice.runs.store.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bookmarks of a store. Whoever moves one guards it with the track's lease in the same
 * transaction.
 */
public final class Bookmarks {
  private static final String SELECT =
      "select collection, stream, split, mode, cursor, mark, finished, shrink, committed"
          + " from bookmark ";

  /** In the place of a mark: the track was reset. No sink writes this. */
  private static final String ANEW = "+anew";

  private Bookmarks() {}

  /** Where a track stands; empty if it never moved. */
  public static Optional<Bookmark> find(Transaction transaction, Track track) {
    return transaction.row(
        SELECT + "where collection = ? and stream = ? and split = ? and mode = ?",
        Bookmarks::read,
        track.collection(),
        track.stream(),
        track.split(),
        track.mode().wireName());
  }

  /** All of a collection, in the order of their streams. */
  public static List<Bookmark> of(Transaction transaction, String collection) {
    return transaction.rows(
        SELECT + "where collection = ? order by stream, split, mode", Bookmarks::read, collection);
  }

  /**
   * Moves a track's bookmark.
   *
   * @param cursor where the next slice begins; null for the beginning
   * @param mark what the sink needs to go on from there
   */
  public static void move(
      Transaction transaction, Track track, @Nullable String cursor, @Nullable String mark) {
    int unused =
        transaction.update(
            """
            insert into bookmark
              (collection, stream, split, mode, cursor, mark, finished, shrink, committed)
              values (?, ?, ?, ?, ?, ?, 0, 0, ?)
            on conflict (collection, stream, split, mode) do update set cursor = excluded.cursor,
              mark = excluded.mark, finished = 0, committed = excluded.committed
            """,
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName(),
            cursor,
            mark,
            transaction.now());
  }

  /** Nothing is left of the track, for good. */
  public static void finish(Transaction transaction, Track track) {
    int unused =
        transaction.update(
            """
            update bookmark set finished = 1
            where collection = ? and stream = ? and split = ? and mode = ?
            """,
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName());
  }

  /** The track's next slice was too large for a run: from now on they are half as large. */
  public static void shrink(Transaction transaction, Track track) {
    int unused =
        transaction.update(
            """
            insert into bookmark
              (collection, stream, split, mode, cursor, mark, finished, shrink, committed)
              values (?, ?, ?, ?, null, null, 0, 1, ?)
            on conflict (collection, stream, split, mode) do update set shrink = bookmark.shrink + 1
            """,
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName(),
            transaction.now());
  }

  /** The track has come to its end with smaller slices: from now on they are twice as large. */
  public static void grow(Transaction transaction, Track track) {
    int unused =
        transaction.update(
            """
            update bookmark set shrink = shrink - 1
            where collection = ? and stream = ? and split = ? and mode = ? and shrink > 0
            """,
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName());
  }

  /**
   * Where catch-up ends and steady work begins. The first to ask settles it, for both modes and for
   * good.
   *
   * @param proposed what it is if nobody has asked before
   */
  public static String horizon(
      Transaction transaction, String collection, String stream, String split, String proposed) {
    int unused =
        transaction.update(
            """
            insert into horizon (collection, stream, split, place) values (?, ?, ?, ?)
            on conflict (collection, stream, split) do nothing
            """,
            collection,
            stream,
            split,
            proposed);
    return transaction
        .row(
            "select place from horizon where collection = ? and stream = ? and split = ?",
            row -> row.text(1),
            collection,
            stream,
            split)
        .orElseThrow();
  }

  /**
   * A track begins anew: its cursor, its sink's mark and the size of its slices are forgotten. What
   * lies on both sides of its horizon begins anew together; see {@link #forgetHorizon}.
   */
  public static void reset(Transaction transaction, Track track) {
    int unused =
        transaction.update(
            """
            insert into bookmark
              (collection, stream, split, mode, cursor, mark, finished, shrink, committed)
              values (?, ?, ?, ?, null, ?, 0, 0, ?)
            on conflict (collection, stream, split, mode) do update set cursor = excluded.cursor,
              mark = excluded.mark, finished = excluded.finished, shrink = excluded.shrink,
              committed = excluded.committed
            """,
            track.collection(),
            track.stream(),
            track.split(),
            track.mode().wireName(),
            ANEW,
            transaction.now());
  }

  /** The next to ask settles it again. */
  public static void forgetHorizon(
      Transaction transaction, String collection, String stream, String split) {
    int unused =
        transaction.update(
            "delete from horizon where collection = ? and stream = ? and split = ?",
            collection,
            stream,
            split);
  }

  /** The tracks on both sides of a collection's horizons, whether they have moved or not. */
  public static List<Track> atHorizons(Transaction transaction, String collection) {
    return transaction
        .rows(
            "select stream, split from horizon where collection = ? order by stream, split",
            row ->
                Stream.of(Mode.values())
                    .map(mode -> new Track(collection, row.text(1), row.text(2), mode))
                    .toList(),
            collection)
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  private static Bookmark read(Transaction.Row row) {
    Optional<String> mark = Optional.ofNullable(row.textOrNull(6));
    return new Bookmark(
        new Track(row.text(1), row.text(2), row.text(3), Mode.named(row.text(4))),
        Optional.ofNullable(row.textOrNull(5)),
        mark.filter(text -> !text.equals(ANEW)),
        row.number(7) != 0,
        (int) row.number(8),
        row.time(9),
        mark.equals(Optional.of(ANEW)));
  }
}
