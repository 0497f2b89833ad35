package dev.sluice.runs.gap;

import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The detail gaps of a store, for whoever wants to know of them, and to act. Runs open and close
 * them: see {@link MissedDetails} and {@link LeasedGaps}.
 */
public final class DetailGaps {
  /** How long a gap is remembered after it was recovered. */
  public static final Duration REMEMBERED = Duration.ofDays(30);

  /** How many recovered gaps are forgotten together: their deletion delays the end of a run. */
  public static final int FORGOTTEN_AT_ONCE = 1_000;

  /** Whether a gap waits for what nobody told: as long as we think best. */
  private static final String OWN_REST =
      "state = 'pending' and tries > 0 and reason in (%s)"
          .formatted(
              Stream.concat(
                      Stream.of(Reason.Failure.values()),
                      Stream.of(Reason.Pressure.UPSTREAM_PRESSURE))
                  .map(reason -> "'" + reason.wireName() + "'")
                  .collect(Collectors.joining(", ")));

  private DetailGaps() {}

  /** How many gaps of each collection and stream are in which state; takes a look at each. */
  public static List<GapCount> counts(Transaction transaction) {
    return transaction.rows(
        """
        select collection, stream, state, count(*), min(first_seen) from detail_gap
        group by collection, stream, state order by collection, stream, state
        """,
        row ->
            new GapCount(
                row.text(1), row.text(2), State.named(row.text(3)), row.number(4), row.time(5)));
  }

  /** How many details of a collection are known to be missing, and not known to be gone. */
  public static long open(Transaction transaction, String collection) {
    return transaction
        .row(
            """
            select count(*) from detail_gap
            where collection = ? and state in ('pending', 'leased', 'quarantined')
            """,
            row -> row.number(1),
            collection)
        .orElse(0L);
  }

  /** The gap of a record's details; empty if they were never missing. */
  public static Optional<DetailGap> find(Transaction transaction, MissingDetail detail) {
    return transaction.row(
        GapRow.SELECT
            + "where collection = ? and stream = ? and parent_stream = ? and record_key = ?",
        GapRow::read,
        detail.collection(),
        detail.stream(),
        detail.parentStream(),
        detail.recordKey());
  }

  /** Whether some gap of a collection could have been tried since then, and was not. */
  public static boolean isWaiting(Transaction transaction, String collection, Instant since) {
    return transaction
        .row(
            """
            select id from detail_gap where collection = ? and state = 'pending'
              and resting = 1 and due <= ?
            union all
            select id from detail_gap where collection = ? and state = 'pending'
              and resting = 0 and turn < ? and due <= ?
            limit 1
            """,
            row -> row.number(1),
            collection,
            since,
            collection,
            since,
            since)
        .isPresent();
  }

  /**
   * Some gaps of a collection, those that were noted first.
   *
   * @param state only those in this state; empty for all
   * @param limit how many at most
   */
  public static List<DetailGap> list(
      Transaction transaction, String collection, Optional<State> state, int limit) {
    return transaction.rows(
        GapRow.SELECT + "where collection = ? and state = coalesce(?, state) order by id limit ?",
        GapRow::read,
        collection,
        state.map(State::wireName).orElse(null),
        limit);
  }

  /**
   * A person has acted: gaps that are gone or in quarantine, or wait because of a refusal or a
   * failure, are tried again, as if for the first time. Those that the provider put off, or that a
   * run planned to leave, have their time.
   *
   * @param stream the detail stream; empty for all
   * @param recordKey the record; empty for all
   * @return how many
   */
  public static int requeue(
      Transaction transaction,
      String collection,
      Optional<String> stream,
      Optional<String> recordKey) {
    return transaction.update(
        """
        update detail_gap set state = 'pending', tries = 0, failures = 0, due = ?, resting = 0,
          tried_in = 0
        where collection = ? and (state in ('gone', 'quarantined') or %s)
          and stream = coalesce(?, stream) and record_key = coalesce(?, record_key)
        """
            .formatted(OWN_REST),
        transaction.now(),
        collection,
        stream.orElse(null),
        recordKey.orElse(null));
  }

  /**
   * Gaps that wait for a time.
   *
   * @param count how many
   * @param first when the first of them may be tried
   */
  public record Resting(long count, Instant first) {}

  /**
   * The gaps that no run tries now, and that nobody can {@linkplain #requeue hurry}: the provider
   * told when it may be asked for them.
   *
   * @param stream the detail stream; empty for all
   * @param recordKey the record; empty for all
   * @return empty if there is none
   */
  public static Optional<Resting> resting(
      Transaction transaction,
      String collection,
      Optional<String> stream,
      Optional<String> recordKey) {
    return transaction
        .row(
            """
            select count(*), min(due) from detail_gap
            where collection = ? and state = 'pending' and due > ?
              and stream = coalesce(?, stream) and record_key = coalesce(?, record_key)
            """,
            row -> new Resting(row.number(1), row.time(2)),
            collection,
            transaction.now(),
            stream.orElse(null),
            recordKey.orElse(null))
        .filter(resting -> resting.count > 0);
  }

  /** A track begins anew: its list finds again whose details are missing. */
  public static void forget(Transaction transaction, Track track) {
    int unused =
        transaction.update(
            "delete from detail_gap where collection = ? and parent_stream = ? and split = ?",
            track.collection(),
            track.stream(),
            track.split());
  }

  /**
   * Forgets gaps of a collection that were recovered longer than {@link #REMEMBERED} ago, the
   * oldest first, and at most {@value #FORGOTTEN_AT_ONCE}: the next run goes on with the rest.
   *
   * @return how many
   */
  public static int forgetRecovered(Transaction transaction, String collection) {
    return transaction.update(
        """
        delete from detail_gap where id in (
          select id from detail_gap where collection = ? and state = 'recovered' and turn < ?
          order by turn limit ?)
        """,
        collection,
        transaction.now().minus(REMEMBERED),
        FORGOTTEN_AT_ONCE);
  }
}
