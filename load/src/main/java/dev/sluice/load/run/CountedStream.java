package dev.sluice.load.run;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes that were read, for whoever wants to know how far it is, and notices if they are
 * not those that were expected.
 */
final class CountedStream extends FilterInputStream {
  private static final int REST = 1 << 16;

  private final AtomicLong count = new AtomicLong();
  private final @Nullable Fingerprint expected;
  private final MessageDigest digest = Fingerprint.digest();
  private boolean compared;
  private @Nullable String difference;

  CountedStream(InputStream in) {
    this(in, null);
  }

  /**
   * Counts and compares.
   *
   * @param expected what is to be read; null if nobody knows that
   */
  CountedStream(InputStream in, @Nullable Fingerprint expected) {
    super(in);
    this.expected = expected;
  }

  long count() {
    return count.get();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * No more than was expected. The end is told only if all was as expected: a record that was cut
   * off there must not be taken for a whole one.
   */
  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (expected == null) {
      int read = super.read(buffer, offset, length);
      count.addAndGet(Math.max(0, read));
      return read;
    }
    long left = expected.size() - count.get();
    int read =
        left == 0 && length > 0 ? -1 : super.read(buffer, offset, (int) Math.min(left, length));
    if (read > 0) {
      count.addAndGet(read);
      digest.update(buffer, offset, read);
    } else if (read < 0) {
      compare(expected);
    }
    return read;
  }

  /**
   * Reads to the end, and compares what was read.
   *
   * @throws ChangedInputException if it is not what was expected
   */
  void verify() throws IOException {
    if (expected == null) {
      return;
    }
    byte[] rest = new byte[REST];
    while (read(rest, 0, REST) >= 0) {
      // a packed file may have more than what is unpacked
    }
  }

  private void compare(Fingerprint expected) throws IOException {
    if (!compared) {
      compared = true;
      difference = difference(expected);
    }
    if (difference != null) {
      throw new ChangedInputException(
          "the file has changed while it was loaded: %s; rows of either content may be in"
              .formatted(difference));
    }
  }

  private @Nullable String difference(Fingerprint expected) throws IOException {
    if (count.get() < expected.size()) {
      return "it was %,d bytes long, but only %,d could be read"
          .formatted(expected.size(), count.get());
    }
    if (super.read(new byte[1], 0, 1) > 0) {
      return "it was %,d bytes long and has grown".formatted(expected.size());
    }
    return HexFormat.of().formatHex(digest.digest()).equals(expected.hash())
        ? null
        : "it has as many bytes as before, but others";
  }
}
