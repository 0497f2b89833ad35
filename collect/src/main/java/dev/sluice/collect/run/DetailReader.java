package dev.sluice.collect.run;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.sink.SliceWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the details of records and hands them to a writer, of each record all or nothing: half of
 * them would look like all of them. Used by several workers side by side.
 */
final class DetailReader {
  private final RunContext context;
  private final SliceWriter writer;
  private final ReentrantLock writing = new ReentrantLock();
  private int parents;
  private long records;

  DetailReader(RunContext context, SliceWriter writer) {
    this.context = context;
    this.writer = writer;
  }

  /** Reads those of one record. */
  Fetched fetch(DetailStream stream, String split, ObjectNode parent, Asker asker)
      throws IOException, InterruptedException {
    asker.on(stream.shape().name());
    List<CollectedRecord> found = new ArrayList<>();
    Fetched fetched =
        Fetched.from(
            context,
            stream,
            asker,
            () -> {
              found.clear();
              stream.read(split, parent, asker, found::add);
            });
    if (fetched instanceof Fetched.Had) {
      write(stream.shape().name(), found);
    }
    return fetched;
  }

  private void write(String stream, List<CollectedRecord> found)
      throws IOException, InterruptedException {
    writing.lock();
    try {
      for (CollectedRecord record : found) {
        writer.write(stream, record);
      }
      parents++;
      records += found.size();
    } finally {
      writing.unlock();
    }
  }

  /** Of how many records they were had; once all workers have ended. */
  int parents() {
    return parents;
  }

  /** How many were written; once all workers have ended. */
  long records() {
    return records;
  }
}
