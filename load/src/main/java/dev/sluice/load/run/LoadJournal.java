package dev.sluice.load.run;

import dev.sluice.dataverse.bulk.BulkJournal;
import dev.sluice.dataverse.bulk.RecordOutcome;
import dev.sluice.dataverse.message.Item;
import dev.sluice.load.Rejection;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.reject.RejectFile;
import dev.sluice.runs.journal.Journal;
import dev.sluice.runs.journal.RowSet;
import dev.sluice.runs.journal.Sidecar;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes down in a run's journal what the executor sends, and puts what is turned away into the
 * reject file in the same commit. Thread-safe.
 */
final class LoadJournal implements BulkJournal {
  private final Journal journal;
  private final RejectFile rejects;
  private final OnTheWay onTheWay;

  LoadJournal(Journal journal, RejectFile rejects, OnTheWay onTheWay) {
    this.journal = journal;
    this.rejects = rejects;
    this.onTheWay = onTheWay;
  }

  @Override
  public long begin(List<Item> items) throws InterruptedException {
    return journal.begin(List.of(), rows(items), onTheWay.chainAfter(items));
  }

  @Override
  public List<Long> replace(long number, List<RecordOutcome> settled, List<List<Item>> parts)
      throws InterruptedException {
    List<Long> numbers = new ArrayList<>(parts.size());
    for (List<Item> part : parts) {
      numbers.add(journal.begin(List.of(number), rows(part), onTheWay.chainAfter(part)));
    }
    if (!settled.isEmpty()) {
      finish(number, settled);
    }
    return numbers;
  }

  @Override
  public void finish(long number, List<RecordOutcome> settled) {
    List<RecordOutcome.Rejected> refused = new ArrayList<>();
    List<RawRecord> records = new ArrayList<>();
    for (RecordOutcome outcome : settled) {
      RawRecord record = onTheWay.arrived(outcome.index());
      if (outcome instanceof RecordOutcome.Rejected rejected && record != null) {
        refused.add(rejected);
        records.add(record);
      }
    }
    journal.finish(
        number, settled.size() - refused.size(), refused.size(), lines(refused, records));
  }

  /** A record that is turned away before it is sent. */
  void reject(RawRecord record, long chain, Rejection rejection) {
    journal.settle(
        RowSet.of(record.index()),
        chain,
        0,
        1,
        () -> rejects.append(record, rejection.reason().wireName(), rejection.message()));
  }

  private Sidecar.Lines lines(List<RecordOutcome.Rejected> refused, List<RawRecord> records) {
    if (refused.isEmpty()) {
      return Sidecar.Lines.NONE;
    }
    return () -> {
      for (int i = 0; i < refused.size(); i++) {
        RecordOutcome.Rejected rejected = refused.get(i);
        String code = rejected.fault().code();
        rejects.append(
            records.get(i),
            code.isEmpty() ? rejected.fault().wireName() : code,
            rejected.fault().message());
      }
    };
  }

  private static RowSet rows(List<Item> items) {
    return RowSet.of(items.stream().mapToLong(Item::index).toArray());
  }
}
