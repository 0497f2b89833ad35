package dev.sluice.collect.sink;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.util.Optional;

/**
 * Another writer, for those who add something to some of its steps: all the others go there as they
 * are. What a slice is noted with must reach the writer that keeps it, or a crash loses it.
 */
public abstract class ForwardingWriter implements SliceWriter {
  private final SliceWriter writer;

  /** The writer that all of it goes to. */
  protected ForwardingWriter(SliceWriter writer) {
    this.writer = requireNonNull(writer, "writer");
  }

  @Override
  public Optional<SliceEnd> unacknowledged(Optional<String> cursor) {
    return writer.unacknowledged(cursor);
  }

  @Override
  public String noted() {
    return writer.noted();
  }

  @Override
  public void write(String stream, CollectedRecord record)
      throws IOException, InterruptedException {
    writer.write(stream, record);
  }

  @Override
  public void note(String facts) {
    writer.note(facts);
  }

  @Override
  public String prepare(SliceEnd end) throws IOException, InterruptedException {
    return writer.prepare(end);
  }

  @Override
  public void commit(Transaction transaction) {
    writer.commit(transaction);
  }

  @Override
  public void acknowledge() throws IOException {
    writer.acknowledge();
  }

  @Override
  public void giveUp() throws IOException {
    writer.giveUp();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
