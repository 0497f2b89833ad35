package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SinkErrors;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.control.Ticker;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Tables in the state database: rows and bookmark are one transaction. */
record StoreSink(Dialect dialect, Ticker clock) implements Sink {
  /** Rows and bookmark stand or fall together: there is nothing to remember. */
  private static final String MARK = "rows in the store";

  @Override
  public SliceWriter open(Track track, List<StreamShape> streams, long fence, Optional<String> mark)
      throws IOException {
    if (mark.isPresent() && !mark.get().equals(MARK)) {
      throw SinkErrors.notOurMark(SqlSink.KIND, mark.get());
    }
    return new SqlWriter(dialect, true, track, streams, clock) {
      @Override
      public String prepare(SliceEnd end) {
        prepared();
        return MARK;
      }

      @Override
      public void commit(Transaction transaction) {
        writeRows(transaction);
      }
    };
  }

  @Override
  public String description() {
    return "tables in the state database";
  }

  @Override
  public void close() {}
}
