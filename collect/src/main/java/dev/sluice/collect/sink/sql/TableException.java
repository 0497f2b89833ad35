package dev.sluice.collect.sink.sql;

import dev.sluice.collect.sink.SinkErrors;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.StoreException;

/** A table cannot be used, or not as it is; the message says what to do. */
final class TableException extends StoreException {
  private static final long serialVersionUID = 1L;

  private TableException(String message) {
    super(Problem.OTHER, message, null);
  }

  static TableException foreignType(String table, String column, String type) {
    return new TableException(
        "column '%s' of table '%s' has the type %s, which this sink does not write; give it a type"
                .formatted(column, table, type)
            + " of text, bigint, double precision, numeric, boolean or jsonb, or rename it, so that"
            + " the sink can make its own");
  }

  static TableException tooWide(String table, int most) {
    return new TableException(
        "the records of table '%s' have more different members than a table has columns here (%d);"
                .formatted(table, most)
            + " leave some out (hide: in the connector file), or collect them into json-lines");
  }

  static TableException gone(String table, Track track) {
    return new TableException(
        "table '%s' is gone, or is not the one that this sink made; put it back, or delete its row"
                .formatted(table)
            + " in _sluice_table and let the stream begin anew: "
            + SinkErrors.beginAnew(track));
  }

  static TableException otherKey(String table, boolean keyed, Track track) {
    return new TableException(
        "table '%s' was made for a stream %s a key, but now the stream has %s; rename the table,"
                .formatted(table, keyed ? "without" : "with", keyed ? "one" : "none")
            + " delete its row in _sluice_table, and let the stream begin anew: "
            + SinkErrors.beginAnew(track));
  }
}
