package dev.sluice.load.run;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes that were read, for whoever wants to know how far it is. */
final class CountedStream extends FilterInputStream {
  private final AtomicLong count = new AtomicLong();

  CountedStream(InputStream in) {
    super(in);
  }

  long count() {
    return count.get();
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    count.addAndGet(read < 0 ? 0 : 1);
    return read;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = super.read(buffer, offset, length);
    count.addAndGet(Math.max(0, read));
    return read;
  }
}
