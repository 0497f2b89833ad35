package dev.sluice.collect.run;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.sink.ForwardingWriter;
import dev.sluice.collect.sink.SliceWriter;
import java.io.IOException;
import java.util.Optional;

/** A writer whose trouble cannot be taken for the provider's. */
final class GuardedWriter extends ForwardingWriter {
  private final boolean anew;

  /**
   * The given writer.
   *
   * @param anew whether what is durable in it already is of an earlier time
   */
  GuardedWriter(boolean anew, SliceWriter writer) {
    super(writer);
    this.anew = anew;
  }

  @Override
  public Optional<SliceEnd> unacknowledged(Optional<String> cursor) {
    return anew ? Optional.empty() : super.unacknowledged(cursor);
  }

  @Override
  public void write(String stream, CollectedRecord record)
      throws SinkException, InterruptedException {
    try {
      super.write(stream, record);
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  @Override
  public String prepare(SliceEnd end) throws SinkException, InterruptedException {
    try {
      return super.prepare(end);
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  @Override
  public void acknowledge() throws SinkException {
    try {
      super.acknowledge();
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  @Override
  public void giveUp() throws SinkException {
    try {
      super.giveUp();
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }

  @Override
  public void close() throws SinkException {
    try {
      super.close();
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }
}
