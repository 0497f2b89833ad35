package dev.sluice.runs.gap;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.store.Transaction;

/** How a detail gap becomes a row, and a row a detail gap. */
final class GapRow {
  static final String COLUMNS =
      "id, collection, stream, parent_stream, record_key, split, parent, version, state, reason,"
          + " tries, failures, first_seen, due";

  static final String SELECT = "select " + COLUMNS + " from detail_gap ";

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
