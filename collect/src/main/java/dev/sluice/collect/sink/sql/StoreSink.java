package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.control.Ticker;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.StoreException.Problem;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.sql.SQLException;
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
      throw SqlTrouble.notOurMark(mark.get());
    }
    return new Writer(dialect, new SliceRows(track, streams, clock));
  }

  @Override
  public String description() {
    return "tables in the state database";
  }

  @Override
  public void close() {}

  private record Writer(Dialect dialect, SliceRows rows) implements SliceWriter {
    @Override
    public void write(String stream, CollectedRecord record) throws IOException {
      rows.add(stream, record);
    }

    @Override
    public String prepare(SliceEnd end) {
      rows.prepared();
      return MARK;
    }

    @Override
    public void commit(Transaction transaction) {
      try {
        rows.write(new StoreStatements(transaction), dialect, true);
      } catch (SQLException | IOException e) {
        throw new StoreException(Problem.OTHER, String.valueOf(e.getMessage()), e);
      }
    }

    @Override
    public void acknowledge() throws IOException {
      rows.acknowledged();
    }

    @Override
    public void giveUp() throws IOException {
      rows.giveUp();
    }

    @Override
    public void close() throws IOException {
      rows.close();
    }
  }
}
