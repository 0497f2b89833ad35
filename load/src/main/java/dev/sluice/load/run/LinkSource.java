package dev.sluice.load.run;

import dev.sluice.dataverse.bulk.ItemSource;
import dev.sluice.dataverse.message.Item;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.Mapped;
import dev.sluice.load.mapping.RowMapper;
import dev.sluice.load.run.Resolver.Linked;
import dev.sluice.load.run.Resolver.Resolved;
import dev.sluice.load.run.WaitingRows.Waiting;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The second reading of an input: the rows that wait for look-ups to other rows of it, each as an
 * item that sets them. Those that mean nothing are turned away here.
 *
 * <p>Used by the thread that runs the load.
 */
final class LinkSource implements ItemSource {
  /** So many are looked up at once. */
  private static final int AT_ONCE = 500;

  private final Store store;
  private final RecordReader reader;
  private final RowMapper mapper;
  private final WaitingRows waiting;
  private final Resolver resolver;
  private final LinkJournal journal;
  private final OnTheWay onTheWay;
  private final Deque<Item> ready = new ArrayDeque<>();
  private long last = -1;
  private volatile long left;
  private BooleanSupplier stopped = () -> false;

  LinkSource(
      Store store,
      RecordReader reader,
      RowMapper mapper,
      WaitingRows waiting,
      long left,
      Resolver resolver,
      LinkJournal journal,
      OnTheWay onTheWay) {
    this.store = store;
    this.reader = reader;
    this.mapper = mapper;
    this.waiting = waiting;
    this.left = left;
    this.resolver = resolver;
    this.journal = journal;
    this.onTheWay = onTheWay;
  }

  /** Reads no further once this says so: what is left is for the next run. */
  void readUntil(BooleanSupplier over) {
    stopped = over;
  }

  @Override
  public @Nullable Item next() throws IOException {
    while (ready.isEmpty()) {
      if (stopped.getAsBoolean() || !readOn()) {
        return null;
      }
    }
    return stopped.getAsBoolean() ? null : ready.poll();
  }

  @Override
  public OptionalLong left() {
    return OptionalLong.of(left);
  }

  /** Returns whether there was anything left to read. */
  private boolean readOn() throws IOException {
    List<Waiting> rows = store.read(transaction -> waiting.after(transaction, last, AT_ONCE));
    left = Math.max(0, left - rows.size());
    List<Linked> records = new ArrayList<>(rows.size());
    for (Waiting row : rows) {
      records.add(record(row));
    }
    List<Resolved> resolved = resolver.resolve(records);
    for (int i = 0; i < resolved.size(); i++) {
      switch (resolved.get(i)) {
        case Resolved.Update update -> ready.add(update.item());
        case Resolved.Refused(var reason, var why) -> journal.reject(records.get(i), reason, why);
      }
    }
    return !rows.isEmpty();
  }

  private Linked record(Waiting row) throws IOException {
    RawRecord record = null;
    while (last < row.index()) {
      record = reader.next();
      if (record == null) {
        throw changed("it ends after %,d records".formatted(last + 1));
      }
      // Not only those that are wanted: columns of JSON Lines are found as they come.
      last = record.index();
    }
    if (record == null || reader.chain() != row.chain()) {
      throw changed(
          "its first %,d records are not those that were read".formatted(row.index() + 1));
    }
    if (!(mapper.map(record) instanceof Mapped.Ready ready)) {
      throw changed("record %,d cannot be used any longer".formatted(row.index() + 1));
    }
    onTheWay.add(record, ready, reader.chain());
    return new Linked(record, ready.item(), ready.links().links());
  }

  private static IOException changed(String how) {
    return new IOException(
        "the input has changed since it was loaded, and look-ups within it cannot be set: "
            + how
            + "; put it back, then the same command goes on");
  }
}
