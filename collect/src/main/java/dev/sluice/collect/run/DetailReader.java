package dev.sluice.collect.run;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.DetailKeys;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.runs.gap.Miss;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the details of records and hands them to a writer, of each record all or nothing: half of
 * them would look like all of them. Used by several workers side by side.
 */
final class DetailReader {
  private final RunContext context;
  private final TrackWriter writer;
  private final DetailKeys keys = new DetailKeys();
  private final ReentrantLock writing = new ReentrantLock();
  private int parents;

  DetailReader(RunContext context, TrackWriter writer) {
    this.context = context;
    this.writer = writer;
  }

  /**
   * Reads those of one record.
   *
   * @param knownToFail whether it failed alone before
   */
  Fetched fetch(
      DetailStream stream, String split, ObjectNode parent, Asker asker, boolean knownToFail)
      throws IOException, InterruptedException {
    asker.on(stream.shape().name());
    DetailRequests requests = new DetailRequests(asker, context.lane().traffic(), knownToFail);
    List<CollectedRecord> found = new ArrayList<>();
    Fetched fetched =
        Fetched.from(
            context,
            stream,
            asker,
            () -> {
              found.clear();
              stream.read(split, parent, requests, found::add);
            });
    return fetched instanceof Fetched.Had ? written(stream.shape(), parent, found) : fetched;
  }

  private Fetched written(StreamShape stream, ObjectNode parent, List<CollectedRecord> found)
      throws IOException, InterruptedException {
    writing.lock();
    try {
      keys.take(stream, parent, found);
      for (CollectedRecord record : found) {
        writer.write(stream.name(), record);
      }
      parents++;
      return new Fetched.Had();
    } catch (ProviderException e) { // not this record's trouble: recovery would write it over
      return new Fetched.Missed(
          new Miss.Refused(e.reason(), Optional.empty()), Optional.of(Stop.of(e)));
    } finally {
      writing.unlock();
    }
  }

  /** Of how many records they were had; once all workers have ended. */
  int parents() {
    return parents;
  }
}
