package dev.sluice.collect.sink.sql;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.SinkErrors;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.control.Ticker;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps the rows of the slice that is being read, until they are written all at once. */
abstract class SqlWriter implements SliceWriter {
  /** How much of a slice is kept in memory; what is beyond goes to a temporary file. */
  static final int MEMORY_BYTES = 8 << 20;

  /** How many rows are written together at most. */
  private static final int BATCH_ROWS = 200;

  private final Dialect dialect;
  private final boolean amongOthers;
  private final Track track;
  private final Map<String, StreamShape> streams = new LinkedHashMap<>();
  private final Ticker clock;
  private final SliceBuffer buffer = new SliceBuffer(MEMORY_BYTES);
  private final Map<String, Table> tables = new LinkedHashMap<>();
  private String shapes = "";
  private boolean undecided;

  /**
   * Without rows.
   *
   * @param amongOthers as {@link TableNames}
   */
  SqlWriter(
      Dialect dialect, boolean amongOthers, Track track, List<StreamShape> streams, Ticker clock) {
    this.dialect = dialect;
    this.amongOthers = amongOthers;
    this.track = track;
    this.clock = clock;
    streams.forEach(stream -> this.streams.put(stream.name(), stream));
  }

  @Override
  public final void write(String stream, CollectedRecord record) throws IOException {
    SinkErrors.requireDecided(undecided);
    if (!streams.containsKey(stream)) {
      throw SinkErrors.unknownStream(stream, streams.keySet());
    }
    buffer.add(stream, record, clock.instant().toEpochMilli());
  }

  final boolean isEmpty() {
    return buffer.isEmpty();
  }

  /** From here on, the bookmark says whether the slice holds. */
  final void prepared() {
    SinkErrors.requireDecided(undecided);
    undecided = true;
  }

  @Override
  public void acknowledge() throws IOException {
    undecided = false;
    buffer.clear();
  }

  @Override
  public final void giveUp() throws IOException {
    buffer.clear();
  }

  /** Writes them, tables first: nobody waits for a table whose rows this transaction has. */
  final void writeRows(Transaction transaction) {
    if (buffer.isEmpty()) {
      return;
    }
    // False if it is not known whether anybody has changed a table since the last slice.
    boolean asItWas = !shapes.isEmpty() && shapes.equals(dialect.shapesOfTables(transaction));
    if (!asItWas) {
      tables.clear();
      new TableNames(transaction, dialect, amongOthers).prepare();
    }
    if (makeReady(transaction)) {
      shapes = dialect.shapesOfTables(transaction);
    }
    Map<Table, List<@Nullable Object[]>> rows = new LinkedHashMap<>();
    tables.values().forEach(table -> rows.put(table, new ArrayList<>()));
    try {
      buffer.forEach(
          (stream, key, cursor, fetched, body) -> {
            Table table = requireNonNull(tables.get(stream));
            List<@Nullable Object[]> some = requireNonNull(rows.get(table));
            some.add(table.row(key, cursor, fetched, body));
            if (some.size() == BATCH_ROWS) {
              transaction.updateAll(table.upsert(), some);
              some.clear();
            }
          });
    } catch (IOException e) {
      throw new StoreException(StoreException.Problem.OTHER, String.valueOf(e.getMessage()), e);
    }
    for (Map.Entry<Table, List<@Nullable Object[]>> rest : rows.entrySet()) {
      transaction.updateAll(rest.getKey().upsert(), rest.getValue());
    }
  }

  /** Makes a table ready for each stream; whether one had to be looked at, and perhaps changed. */
  private boolean makeReady(Transaction transaction) {
    boolean looked = false;
    for (StreamShape stream : streams.values()) {
      Map<String, ColumnKind> members = buffer.members().get(stream.name());
      Table table = tables.get(stream.name());
      if (members != null && (table == null || !table.makeReadyFor(members))) {
        TableNames names = new TableNames(transaction, dialect, amongOthers);
        tables.put(stream.name(), Table.of(transaction, dialect, names, track, stream, members));
        looked = true;
      }
    }
    return looked;
  }

  @Override
  public final void close() throws IOException {
    buffer.clear();
  }
}
