package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.control.Ticker;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Tables in another database: rows and their slice's marker are one transaction there. */
record DatabaseSink(Database database, Ticker clock) implements Sink {

  @Override
  public SliceWriter open(Track track, List<StreamShape> streams, long fence, Optional<String> mark)
      throws IOException {
    long acknowledged = mark.isPresent() ? DatabaseWriter.number(mark.get()) : 0;
    SliceMarker marker =
        database.write(
            statements -> {
              TableNames names = new TableNames(statements, database.dialect(), false);
              names.lock();
              names.prepare();
              SliceMarker.prepare(statements);
              return SliceMarker.claim(statements, track, fence);
            });
    if (marker.number() < acknowledged) {
      throw SqlTrouble.lost(database.name(), track);
    }
    return new DatabaseWriter(
        database,
        track,
        fence,
        new SliceRows(track, streams, clock),
        marker,
        marker.number() == acknowledged + 1);
  }

  @Override
  public String description() {
    return "tables in " + database.name();
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
