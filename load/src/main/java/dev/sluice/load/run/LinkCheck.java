package dev.sluice.load.run;

import dev.sluice.gate.time.Time;
import dev.sluice.load.RowIds;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.Mapped;
import dev.sluice.load.mapping.RowMapper;
import dev.sluice.load.reject.RejectFile;
import dev.sluice.load.run.Resolver.Linked;
import dev.sluice.load.run.Resolver.Resolved;
import dev.sluice.runs.journal.Entry;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether look-ups within an input mean something, found out without sending anything. Names are
 * kept in a store of its own, which is gone when it is closed. For one thread.
 */
final class LinkCheck implements AutoCloseable {
  private static final int AT_ONCE = 1_000;

  private final Path folder;
  private final Store store;
  private final RowNames names;
  private final Resolver resolver;
  private final List<Entry> unwritten = new ArrayList<>();

  LinkCheck(RowIds ids, Time time) throws IOException {
    this.folder = Files.createTempDirectory("sluice");
    try {
      this.store = Store.open(folder.resolve("names.db"), time);
    } catch (StoreException e) {
      Files.delete(folder);
      throw e;
    }
    this.names = new RowNames(0, ids);
    this.resolver = new Resolver(store, names);
  }

  /** Notes what a record is called. */
  void add(long row, Mapped mapped) {
    unwritten.add(
        switch (mapped) {
          case Mapped.Ready ready ->
              transaction -> names.add(transaction, ready.item(), ready.links().names(), true);
          case Mapped.Rejected refused ->
              transaction -> names.addRejected(transaction, row, refused.links().names());
        });
    if (unwritten.size() >= AT_ONCE) {
      write();
    }
  }

  private void write() {
    store.write(
        transaction -> {
          unwritten.forEach(entry -> entry.write(transaction));
          return null;
        });
    unwritten.clear();
  }

  /**
   * Reads the input once more, when all names are known.
   *
   * @return how many records have look-ups that cannot be set; they are in the reject file
   */
  long rejected(RecordReader reader, RowMapper mapper, RejectFile rejects) throws IOException {
    write();
    long rejected = 0;
    List<Linked> linked = new ArrayList<>();
    for (RawRecord record = reader.next(); record != null; record = reader.next()) {
      if (mapper.map(record) instanceof Mapped.Ready(var item, var links)
          && !links.links().isEmpty()) {
        linked.add(new Linked(record, item, links.links()));
      }
      if (linked.size() >= AT_ONCE) {
        rejected += rejected(linked, rejects);
        linked.clear();
      }
    }
    return rejected + rejected(linked, rejects);
  }

  private long rejected(List<Linked> linked, RejectFile rejects) throws IOException {
    List<Resolved> resolved = resolver.resolve(linked);
    long rejected = 0;
    for (int i = 0; i < resolved.size(); i++) {
      if (resolved.get(i) instanceof Resolved.Refused(var reason, var why)) {
        RawRecord record = linked.get(i).record();
        rejects.append(record, reason.wireName(), "line %d: %s".formatted(record.line(), why));
        rejected++;
      }
    }
    return rejected;
  }

  @Override
  public void close() throws IOException {
    store.close();
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
