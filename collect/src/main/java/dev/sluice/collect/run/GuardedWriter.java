package dev.sluice.collect.run;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.util.Optional;

/** A writer whose trouble cannot be taken for the provider's. */
final class GuardedWriter implements SliceWriter {
  private final boolean anew;
  private final SliceWriter writer;

  /**
   * The given writer.
   *
   * @param anew whether what is durable in it already is of an earlier time
   */
  GuardedWriter(boolean anew, SliceWriter writer) {
    this.anew = anew;
    this.writer = writer;
  }

  @Override
  public Optional<SliceEnd> unacknowledged(Optional<String> cursor) {
    return anew ? Optional.empty() : writer.unacknowledged(cursor);
  }

  @Override
  public String noted() {
    return writer.noted();
  }

  @Override
  public void note(String facts) {
    writer.note(facts);
  }

  @Override
  public void write(String stream, CollectedRecord record)
      throws SinkException, InterruptedException {
    try {
      writer.write(stream, record);
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  @Override
  public String prepare(SliceEnd end) throws SinkException, InterruptedException {
    try {
      return writer.prepare(end);
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  @Override
  public void commit(Transaction transaction) {
    writer.commit(transaction);
  }

  @Override
  public void acknowledge() throws SinkException {
    try {
      writer.acknowledge();
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  @Override
  public void giveUp() throws SinkException {
    try {
      writer.giveUp();
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  @Override
  public void close() throws SinkException {
    try {
      writer.close();
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }
}
