package dev.sluice.runs.gap;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.store.Transaction;

/** How a detail gap becomes a row, and a row a detail gap. */
final class GapRow {
  static final String COLUMNS =
      "id, collection, stream, parent_stream, record_key, split, parent, version, state, reason,"
          + " tries, failures, first_seen, due";

  static final String SELECT = "select " + COLUMNS + " from detail_gap ";

  /** A new row, or another version of the one that is there. */
  static final String NOTE =
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

  static final String RETURN_EXPIRED =
      """
      update detail_gap set state = 'pending', leased_by = 0, leased_until = 0
      where collection = ? and state = 'leased' and (leased_until <= ? or leased_until > ?)
      """;

  static final String COUNTS =
      """
      select collection, stream, state, count(*), min(first_seen) from detail_gap
      group by collection, stream, state order by collection, stream, state
      """;

  private GapRow() {}

  static DetailGap read(Transaction.Row row) {
    return new DetailGap(
        row.number(1),
        row.text(2),
        row.text(3),
        row.text(4),
        row.text(5),
        row.text(6),
        row.text(7),
        row.number(8),
        State.named(row.text(9)),
        row.text(10),
        (int) row.number(11),
        (int) row.number(12),
        row.time(13),
        row.time(14));
  }
}
