package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.control.Ticker;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rows of the slice that is being read, until they are written all at once. */
final class SliceRows implements AutoCloseable {
  /** How much of a slice is kept in memory; what is beyond goes to a temporary file. */
  static final int MEMORY_BYTES = 8 << 20;

  private final Track track;
  private final Map<String, StreamShape> streams = new LinkedHashMap<>();
  private final Ticker clock;
  private final SliceBuffer buffer = new SliceBuffer(MEMORY_BYTES);
  private final Map<String, Table> tables = new LinkedHashMap<>();
  private String shapes = "";
  private boolean undecided;

  SliceRows(Track track, List<StreamShape> streams, Ticker clock) {
    this.track = track;
    this.clock = clock;
    streams.forEach(stream -> this.streams.put(stream.name(), stream));
  }

  void add(String stream, CollectedRecord record) throws IOException {
    requireDecided();
    if (!streams.containsKey(stream)) {
      throw new IllegalArgumentException(
          "a record of '%s' was written, but the track was opened for %s"
              .formatted(stream, streams.keySet()));
    }
    buffer.add(stream, record, clock.instant().toEpochMilli());
  }

  boolean isEmpty() {
    return buffer.isEmpty();
  }

  /** From here on, the bookmark says whether the slice holds. */
  void prepared() {
    requireDecided();
    undecided = true;
  }

  /** The slice holds; the next one may come. */
  void acknowledged() throws IOException {
    undecided = false;
    buffer.clear();
  }

  void giveUp() throws IOException {
    buffer.clear();
  }

  /** Writes them, tables first: nobody waits for a table whose rows this transaction has. */
  void write(Statements statements, Dialect dialect, boolean amongOthers)
      throws SQLException, IOException {
    if (buffer.isEmpty()) {
      return;
    }
    if (!isAsItWas(statements, dialect)) {
      tables.clear();
      new TableNames(statements, dialect, amongOthers).prepare();
    }
    if (makeReady(statements, dialect, amongOthers)) {
      shapes = shapes(statements, dialect);
    }
    buffer.forEach(
        (stream, key, cursor, fetched, body) -> {
          Table table = tables.get(stream);
          if (table != null) {
            table.put(statements, key, cursor, fetched, body);
          }
        });
    statements.flush();
  }

  /** Makes a table ready for each stream; whether one had to be looked at, and perhaps changed. */
  private boolean makeReady(Statements statements, Dialect dialect, boolean amongOthers)
      throws SQLException {
    boolean looked = false;
    for (StreamShape stream : streams.values()) {
      Map<String, ColumnKind> members = buffer.members().get(stream.name());
      Table table = tables.get(stream.name());
      if (members != null && (table == null || !table.makeReadyFor(members))) {
        TableNames names = new TableNames(statements, dialect, amongOthers);
        tables.put(stream.name(), Table.of(statements, dialect, names, track, stream, members));
        looked = true;
      }
    }
    return looked;
  }

  /** Whether no table has changed since the last slice, by anybody; false if that is not known. */
  private boolean isAsItWas(Statements statements, Dialect dialect) throws SQLException {
    return !shapes.isEmpty() && shapes.equals(shapes(statements, dialect));
  }

  private static String shapes(Statements statements, Dialect dialect) throws SQLException {
    return dialect.shapesOfTables().isEmpty()
        ? ""
        : String.valueOf(statements.rows(dialect.shapesOfTables(), 1).getFirst().getFirst());
  }

  @Override
  public void close() throws IOException {
    buffer.close();
  }

  private void requireDecided() {
    if (undecided) {
      throw new IllegalStateException(
          "a slice is prepared and neither acknowledged nor left to the next writer");
    }
  }
}
