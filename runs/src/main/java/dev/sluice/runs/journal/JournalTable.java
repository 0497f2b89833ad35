package dev.sluice.runs.journal;

import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.util.List;
import java.util.Optional;

/** A journal's rows in the store. */
final class JournalTable {
  private final Store store;
  private final Lease lease;
  private final long run;

  JournalTable(Store store, Lease lease, long run) {
    this.store = store;
    this.lease = lease;
    this.run = run;
  }

  record Found(Resume resume, long nextId) {}

  /** What there is of the journal; makes it if there is nothing. */
  Found open() {
    return store.write(
        transaction -> {
          lease.guard(transaction);
          Optional<Found> found = read(transaction);
          if (found.isEmpty()) {
            int unused =
                transaction.update(
                    """
                    insert into journal
                      (run, next_id, highest, chain, never_begun, done, rejected, sidecar)
                    values (?, 1, -1, 0, ?, 0, 0, 0)
                    """,
                    run,
                    RowSet.EMPTY.encode());
          }
          return found.orElse(new Found(Resume.NOTHING, 1));
        });
  }

  private Optional<Found> read(Transaction transaction) {
    List<Composition> open =
        transaction.rows(
            "select id, row_set from composition where run = ? order by id",
            row -> new Composition(row.number(1), RowSet.decode(row.bytes(2))),
            run);
    return transaction.row(
        """
        select never_begun, highest, chain, done, rejected, sidecar, next_id
        from journal where run = ?
        """,
        row ->
            new Found(
                new Resume(
                    open,
                    RowSet.decode(row.bytes(1)),
                    row.number(2),
                    row.number(3),
                    row.number(4),
                    row.number(5),
                    row.number(6)),
                row.number(7)),
        run);
  }

  /** Makes changes durable, all of them or, if the lease is lost, none. */
  void write(JournalState.Snapshot snapshot, long sidecarLength) {
    store.write(
        transaction -> {
          lease.guard(transaction);
          snapshot.changed().forEach((id, rows) -> write(transaction, id, rows));
          snapshot.entries().forEach(entry -> entry.write(transaction));
          int unused =
              transaction.update(
                  """
                  update journal set next_id = ?, highest = ?, chain = ?, never_begun = ?,
                    done = ?, rejected = ?, sidecar = ?
                  where run = ?
                  """,
                  snapshot.nextId(),
                  snapshot.highest(),
                  snapshot.chain(),
                  snapshot.neverBegun().encode(),
                  snapshot.done(),
                  snapshot.rejected(),
                  sidecarLength,
                  run);
          return null;
        });
  }

  private void write(Transaction transaction, long id, RowSet rows) {
    if (rows.isEmpty()) {
      int unused = transaction.update("delete from composition where run = ? and id = ?", run, id);
    } else {
      int unused =
          transaction.update(
              """
              insert into composition (run, id, row_set) values (?, ?, ?)
              on conflict (run, id) do update set row_set = excluded.row_set
              """,
              run,
              id,
              rows.encode());
    }
  }
}
