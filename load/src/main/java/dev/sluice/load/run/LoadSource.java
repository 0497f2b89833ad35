package dev.sluice.load.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.bulk.BulkJob;
import dev.sluice.dataverse.bulk.ItemSource;
import dev.sluice.dataverse.message.Item;
import dev.sluice.load.Rejection;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.Mapped;
import dev.sluice.load.mapping.RowMapper;
import dev.sluice.runs.journal.Composition;
import dev.sluice.runs.journal.Resume;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The records of an input as items, in their order; those that cannot be used are turned away here.
 * A load that goes on first {@linkplain #rewind reads again} what was begun before.
 *
 * <p>Used by the thread that runs the load; its counts by any.
 */
final class LoadSource implements ItemSource {
  private static final long UNKNOWN = -1;

  private final RecordReader reader;
  private final RowMapper mapper;
  private final LoadJournal journal;
  private final OnTheWay onTheWay;
  private final FirstLines firstLines;
  private final DoubleSupplier share;
  private final Check whole;
  private final Deque<Item> again = new ArrayDeque<>();
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();
  private volatile BooleanSupplier stopped = () -> false;
  private volatile boolean ended;
  private volatile long left = UNKNOWN;
  private volatile long unread = UNKNOWN;

  /**
   * The records of this reader.
   *
   * @param firstLines where the alternate keys of its records are noted
   * @param share how much of the input was read, 0 to 1; NaN if its size is unknown
   * @param whole looks at the end whether all that was read is what it should be
   */
  LoadSource(
      RecordReader reader,
      RowMapper mapper,
      LoadJournal journal,
      OnTheWay onTheWay,
      FirstLines firstLines,
      DoubleSupplier share,
      Check whole) {
    this.reader = reader;
    this.mapper = mapper;
    this.journal = journal;
    this.onTheWay = onTheWay;
    this.firstLines = firstLines;
    this.share = share;
    this.whole = whole;
  }

  /** Throws if something is not as it should be. */
  interface Check {
    void run() throws IOException;
  }

  /**
   * Reads up to where an earlier run had come, and keeps what has no outcome yet.
   *
   * @return compositions that may have been sent, exactly as they were
   * @throws LoadException if the input is not what it was
   */
  List<BulkJob.Begun> rewind(Resume resume) throws IOException, LoadException {
    Map<Long, Item> open = new HashMap<>();
    RowsOf wanted = new RowsOf(resume);
    long index = -1;
    while (index < resume.highest()) {
      RawRecord record = reader.next();
      if (record == null) {
        throw changed(
            "it ends after %,d records, but %,d had been read"
                .formatted(index + 1, resume.highest() + 1));
      }
      index = record.index();
      estimate(record);
      if (wanted.isOpen(index)) {
        open.put(index, known(record));
      } else if (wanted.isNew(index)) {
        Item item = item(record);
        if (item != null) {
          again.add(item);
        }
      } else {
        // Not for what comes of it: how numbers are written is learned from rows above.
        Mapped unused = mapped(record);
      }
    }
    if (!resume.isEmpty() && reader.chain() != resume.chain()) {
      throw changed("its first %,d records are not those that were read".formatted(index + 1));
    }
    read.set(index + 1);
    List<BulkJob.Begun> begun = new ArrayList<>();
    for (Composition composition : resume.open()) {
      List<Item> items =
          composition.rows().rows().mapToObj(row -> requireNonNull(open.get(row))).toList();
      begun.add(new BulkJob.Begun(composition.id(), items));
    }
    return begun;
  }

  @Override
  public @Nullable Item next() throws IOException {
    while (!stopped.getAsBoolean()) {
      Item known = again.poll();
      if (known != null) {
        left = left == UNKNOWN ? UNKNOWN : Math.max(0, left - 1);
        return known;
      }
      RawRecord record = nextRecord();
      if (record == null) {
        ended = true;
        unread = 0;
        return null;
      }
      read.incrementAndGet();
      estimate(record);
      Item item = item(record);
      if (item != null) {
        return item;
      }
    }
    return null;
  }

  /** Whatever a reader that has failed would go on to say is not the input: it is not asked. */
  private @Nullable RawRecord nextRecord() throws IOException {
    try {
      RawRecord record = reader.next();
      if (record == null) {
        whole.run();
      }
      return record;
    } catch (IOException e) {
      stopped = () -> true;
      throw e;
    }
  }

  /** By how many lines the part has that was read, and how many of them are one record. */
  private void estimate(RawRecord last) {
    double lines = reader.lines() / share.getAsDouble();
    if (!Double.isNaN(lines)) {
      long given = last.index() + 1;
      unread = Math.max(0, Math.round(lines * given / last.line()) - given);
      left = again.size() + unread;
    }
  }

  @Override
  public OptionalLong left() {
    long now = left;
    return now == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(now);
  }

  /** How many records were not read yet, as far as anybody knows. */
  OptionalLong unread() {
    long now = unread;
    return now == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(now);
  }

  /** Reads no further once this says so: what is left is for the next run. */
  void readUntil(BooleanSupplier over) {
    stopped = over;
  }

  /** Records that were read, by this run and those before it. */
  long read() {
    return read.get();
  }

  /** Records that this run turned away without sending them. */
  long rejected() {
    return rejected.get();
  }

  /** Whether the input was read to its end. */
  boolean ended() {
    return ended && again.isEmpty();
  }

  private Mapped mapped(RawRecord record) {
    Mapped mapped = mapper.map(record);
    if (mapped instanceof Mapped.Ready ready) {
      firstLines.add(ready.item().unique(), record.line());
    }
    return mapped;
  }

  private @Nullable Item item(RawRecord record) {
    return switch (mapped(record)) {
      case Mapped.Ready ready -> {
        onTheWay.add(record, ready, reader.chain());
        yield ready.item();
      }
      case Mapped.Rejected refused -> {
        journal.reject(record, reader.chain(), refused);
        rejected.incrementAndGet();
        yield null;
      }
    };
  }

  /** A record that was sent before can be mapped again, unless something has changed. */
  private Item known(RawRecord record) throws LoadException {
    return switch (mapped(record)) {
      case Mapped.Ready ready -> {
        onTheWay.add(record, ready, reader.chain());
        yield ready.item();
      }
      case Mapped.Rejected(Rejection rejection, var links) ->
          throw new LoadException(
              ("a record that an unfinished load has sent cannot be sent again (%s); the input or"
                      + " the definition of the table has changed since; undo that to finish the"
                      + " load, or start over with --restart (rows that are in stay in)")
                  .formatted(rejection.message()));
    };
  }

  private static LoadException changed(String how) {
    return new LoadException(
        "the input has changed since an unfinished load of it: "
            + how
            + "; put the input back to finish that load, or start over with --restart"
            + " (rows that are in stay in)");
  }

  /** Which rows below the highest need attention. */
  private static final class RowsOf {
    private final Resume resume;
    private final Set<Long> open = new HashSet<>();

    RowsOf(Resume resume) {
      this.resume = resume;
      resume.open().forEach(composition -> composition.rows().rows().forEach(open::add));
    }

    boolean isOpen(long row) {
      return open.contains(row);
    }

    boolean isNew(long row) {
      return resume.neverBegun().contains(row);
    }
  }
}
