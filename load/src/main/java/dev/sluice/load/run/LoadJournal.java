package dev.sluice.load.run;

import dev.sluice.dataverse.bulk.BulkJournal;
import dev.sluice.dataverse.bulk.RecordOutcome;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Item;
import dev.sluice.load.Rejection;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.mapping.Mapped;
import dev.sluice.load.reject.RejectFile;
import dev.sluice.load.run.OnTheWay.Passenger;
import dev.sluice.runs.journal.Journal;
import dev.sluice.runs.journal.RowSet;
import dev.sluice.runs.journal.Sidecar;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Writes down in a run's journal what the executor sends, and puts what is turned away into the
 * reject file in the same commit. Thread-safe.
 */
final class LoadJournal implements BulkJournal {
  private final Journal journal;
  private final RejectFile rejects;
  private final OnTheWay onTheWay;
  private final Linking linking;
  private final RejectWatch watch;
  private final FirstLines firstLines;

  LoadJournal(
      Journal journal,
      RejectFile rejects,
      OnTheWay onTheWay,
      Linking linking,
      RejectWatch watch,
      FirstLines firstLines) {
    this.linking = linking;
    this.watch = watch;
    this.firstLines = firstLines;
    this.journal = journal;
    this.rejects = rejects;
    this.onTheWay = onTheWay;
  }

  @Override
  public long begin(List<Item> items) throws IOException, InterruptedException {
    return begin(List.of(), items);
  }

  /** A disk that is full is no mistake in a program: it is told as what happens to files is. */
  private long begin(List<Long> parents, List<Item> items)
      throws IOException, InterruptedException {
    try {
      return journal.begin(parents, rows(items), onTheWay.chainAfter(items));
    } catch (StoreException | LeaseLostException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public List<Long> replace(long number, List<RecordOutcome> settled, List<List<Item>> parts)
      throws IOException, InterruptedException {
    List<Long> numbers = new ArrayList<>(parts.size());
    for (List<Item> part : parts) {
      numbers.add(begin(List.of(number), part));
    }
    if (!settled.isEmpty()) {
      finish(number, settled);
    }
    return numbers;
  }

  @Override
  public void finish(long number, List<RecordOutcome> settled) throws IOException {
    List<Passenger> done = new ArrayList<>();
    List<Passenger> refused = new ArrayList<>();
    List<Fault> faults = new ArrayList<>();
    for (RecordOutcome outcome : settled) {
      Passenger passenger = onTheWay.arrived(outcome.index());
      if (passenger == null) {
        continue;
      }
      if (outcome instanceof RecordOutcome.Rejected rejected) {
        refused.add(passenger);
        faults.add(rejected.fault());
      } else {
        done.add(passenger);
      }
    }
    try {
      journal.finish(
          number,
          settled.size() - refused.size(),
          refused.size(),
          lines(refused, faults),
          linking.arrived(done, refused));
    } catch (StoreException | LeaseLostException e) {
      throw new IOException(e.getMessage(), e);
    }
    watch.settled(settled.size() - refused.size(), refused.size());
  }

  /** A record that is turned away before it is sent. */
  void reject(RawRecord record, long chain, Mapped.Rejected refused) {
    Rejection rejection = refused.rejection();
    journal.settle(
        RowSet.of(record.index()),
        chain,
        0,
        1,
        () -> rejects.append(record, rejection.reason().wireName(), rejection.message()),
        linking.turnedAway(record.index(), refused.links()));
    watch.settled(0, 1);
  }

  private Sidecar.Lines lines(List<Passenger> refused, List<Fault> faults) {
    if (refused.isEmpty()) {
      return Sidecar.Lines.NONE;
    }
    return () -> {
      for (int i = 0; i < refused.size(); i++) {
        Fault fault = faults.get(i);
        rejects.append(refused.get(i).record(), code(fault), message(refused.get(i), fault));
      }
    };
  }

  /** What the service said, and which line of the input was first if it had that key before. */
  private String message(Passenger refused, Fault fault) {
    RawRecord record = refused.record();
    OptionalLong first =
        fault instanceof Fault.Duplicate duplicate && !duplicate.ofPrimaryKey()
            ? firstLines.before(refused.item().unique(), record.line())
            : OptionalLong.empty();
    String message = message(record, fault);
    return first.isEmpty()
        ? message
        : "%s; line %d has the same key".formatted(message, first.getAsLong());
  }

  /** What stands in the reject file for what the service said. */
  static String code(Fault fault) {
    return fault.code().isEmpty() ? fault.wireName() : fault.code();
  }

  /** As for what is turned away here, the message begins with the line. */
  static String message(RawRecord record, Fault fault) {
    return "line %d: %s".formatted(record.line(), fault.message());
  }

  private static RowSet rows(List<Item> items) {
    return RowSet.of(items.stream().mapToLong(Item::index).toArray());
  }
}
