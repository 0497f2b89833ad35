package dev.sluice.load.run;

import dev.sluice.dataverse.bulk.BulkJournal;
import dev.sluice.dataverse.bulk.RecordOutcome;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.dataverse.table.Table;
import dev.sluice.load.Rejection;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.mapping.Links;
import dev.sluice.load.reject.RejectFile;
import dev.sluice.load.run.Resolver.Linked;
import dev.sluice.runs.journal.Journal;
import dev.sluice.runs.journal.Sidecar;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes down which rows have their look-ups, and those of which cannot be set. What is sent is not
 * written down before: a row that waits is sent again whole, and then holds what it held.
 *
 * <p>Thread-safe.
 */
final class LinkJournal implements BulkJournal {
  private final Journal journal;
  private final RejectFile rejects;
  private final OnTheWay onTheWay;
  private final WaitingRows waiting;
  private final Table table;
  private final RejectWatch watch;
  private final AtomicLong set = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();

  LinkJournal(
      Journal journal,
      RejectFile rejects,
      OnTheWay onTheWay,
      WaitingRows waiting,
      Table table,
      RejectWatch watch) {
    this.journal = journal;
    this.rejects = rejects;
    this.onTheWay = onTheWay;
    this.waiting = waiting;
    this.table = table;
    this.watch = watch;
  }

  /** Rows that got their look-ups from this run. */
  long set() {
    return set.get();
  }

  /** Rows that this run found not to get them. */
  long rejected() {
    return rejected.get();
  }

  @Override
  public long begin(List<Item> items) {
    return 0;
  }

  @Override
  public List<Long> replace(long number, List<RecordOutcome> settled, List<List<Item>> parts)
      throws IOException {
    finish(number, settled);
    return parts.stream().map(part -> 0L).toList();
  }

  @Override
  public void finish(long number, List<RecordOutcome> settled) throws IOException {
    List<Long> rows = new ArrayList<>(settled.size());
    List<Sidecar.Lines> lines = new ArrayList<>();
    for (RecordOutcome outcome : settled) {
      rows.add(outcome.index());
      OnTheWay.Passenger passenger = onTheWay.arrived(outcome.index());
      if (outcome instanceof RecordOutcome.Rejected refused && passenger != null) {
        lines.add(
            line(
                passenger.record(),
                passenger.item(),
                passenger.links().links(),
                LoadJournal.code(refused.fault()),
                LoadJournal.message(passenger.record(), refused.fault())));
      }
    }
    settle(rows, lines);
  }

  /** A row whose look-ups mean nothing. */
  void reject(Linked linked, Rejection.Reason reason, String why) throws IOException {
    OnTheWay.Passenger unused = onTheWay.arrived(linked.record().index());
    String message = "line %d: %s".formatted(linked.record().line(), why);
    settle(
        List.of(linked.record().index()),
        List.of(line(linked.record(), linked.item(), linked.links(), reason.wireName(), message)));
  }

  /** For the reject file. Whoever corrects it has to know that the row is there all the same. */
  private Sidecar.Lines line(
      RawRecord record, Item item, List<Links.Link> links, String code, String why) {
    String row =
        item.key() instanceof RecordKey.Id id
            ? table.primaryId() + " " + id.id()
            : RowNames.predicate(item.key());
    StringJoiner columns = new StringJoiner(", ");
    links.forEach(link -> columns.add(link.column().to()));
    String message =
        "%s; the row is in (%s), but without %s: set that by --op update, do not load it again"
            .formatted(why, row, columns);
    return () -> rejects.append(record, code, message);
  }

  private void settle(List<Long> rows, List<Sidecar.Lines> lines) throws IOException {
    if (rows.isEmpty()) {
      return;
    }
    try {
      journal.amend(
          lines.size(),
          () -> {
            for (Sidecar.Lines line : lines) {
              line.write();
            }
          },
          transaction -> waiting.remove(transaction, rows));
    } catch (StoreException | LeaseLostException e) {
      throw new IOException(e.getMessage(), e);
    }
    set.addAndGet(rows.size() - lines.size());
    rejected.addAndGet(lines.size());
    watch.amended(lines.size());
  }
}
