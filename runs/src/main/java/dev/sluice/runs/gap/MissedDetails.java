package dev.sluice.runs.gap;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.store.Transaction;

/**
 * Of which records the details could not be had while their list was read. A run {@linkplain #note
 * notes} what it missed in the transaction that moves the list's bookmark past it; {@link
 * LeasedGaps} are how it is had later.
 */
public final class MissedDetails {
  /** A new row, or another version of the one that is there. */
  private static final String NOTE =
      """
      insert into detail_gap (collection, stream, parent_stream, record_key, split, parent,
        weight, version, state, reason, tries, failures, first_seen, turn, due, resting,
        tried_in, leased_by, leased_until)
        values (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)
      on conflict (collection, stream, parent_stream, record_key) do update set
        version = detail_gap.version + 1, split = excluded.split, parent = excluded.parent,
        weight = excluded.weight, state = excluded.state, reason = excluded.reason,
        tries = excluded.tries, failures = excluded.failures,
        first_seen = excluded.first_seen, turn = excluded.turn, due = excluded.due,
        resting = excluded.resting, tried_in = excluded.tried_in, leased_by = 0, leased_until = 0
      """;

  private MissedDetails() {}

  /** A gap as it was noted before. */
  private record Known(Standing standing, State state) {}

  /**
   * Notes that details are missing. If the same are missing already, the gap is noted again: its
   * version rises, it is pending whatever it was, and what was remembered of the record is replaced
   * by what is known now. Tries and failures go on, except where the details were had meanwhile.
   *
   * @param run which run missed them
   * @param miss why
   * @return whether this put the gap in quarantine
   */
  public static boolean note(Transaction transaction, MissingDetail detail, long run, Miss miss) {
    Known before =
        transaction
            .row(
                """
                select tries, failures, due, first_seen, turn, tried_in, state from detail_gap
                where collection = ? and stream = ? and parent_stream = ? and record_key = ?
                  and state <> 'recovered'
                """,
                row -> new Known(Standing.read(row), State.named(row.text(7))),
                detail.collection(),
                detail.stream(),
                detail.parentStream(),
                detail.recordKey())
            .orElseGet(() -> new Known(Standing.fresh(transaction.now()), State.PENDING));
    Standing after = before.standing.missed(miss, run, transaction.now());
    int unused =
        transaction.update(
            NOTE,
            detail.collection(),
            detail.stream(),
            detail.parentStream(),
            detail.recordKey(),
            detail.split(),
            detail.parent(),
            detail.weight(),
            after.state(miss).wireName(),
            miss.reason().wireName(),
            after.tries(),
            after.failures(),
            after.firstSeen(),
            after.turn(),
            after.due(),
            after.resting(transaction.now()),
            after.triedIn());
    return after.state(miss) == State.QUARANTINED && before.state != State.QUARANTINED;
  }

  /**
   * Details were had in the ordinary course of a run: if they were missing, they no longer are. For
   * the transaction that makes them durable.
   *
   * @return whether they were missing
   */
  public static boolean filled(
      Transaction transaction,
      String collection,
      String stream,
      String parentStream,
      String recordKey) {
    return transaction.update(
            """
            update detail_gap set state = 'recovered', version = version + 1, parent = '',
              weight = 0, resting = 0, leased_by = 0, leased_until = 0, turn = ?
            where collection = ? and stream = ? and parent_stream = ? and record_key = ?
              and state <> 'recovered'
            """,
            transaction.now(),
            collection,
            stream,
            parentStream,
            recordKey)
        == 1;
  }
}
