package dev.sluice.load.input;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Characters of an input. Unlike the readers of the JDK it knows on which line a byte stands that
 * is no character, and lets one look at the beginning.
 */
final class DecodedText extends Reader {
  private static final int BUFFER = 1 << 16;

  private final String name;
  private final InputStream in;
  private final Charset encoding;
  private final CharsetDecoder decoder;
  private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER).flip();
  private final char[] chars = new char[BUFFER];
  private int start;
  private int end;
  private long lineEnds;
  private boolean afterReturn;
  private boolean ended;
  private @Nullable BadInputException failure;

  DecodedText(String name, InputStream in, Charset encoding) {
    this.name = name;
    this.in = in;
    this.encoding = encoding;
    this.decoder =
        encoding
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
  }

  /** The beginning, before anything was read: two lines at least, as far as they are there. */
  CharSequence head() throws IOException {
    while (lineEnds < 2 && end < BUFFER && !ended && failure == null) {
      fill();
    }
    return CharBuffer.wrap(chars, start, end - start);
  }

  /** How many lines have ended in what was read so far. */
  long lines() {
    return lineEnds;
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    while (start == end) {
      if (failure != null) {
        throw failure;
      }
      if (ended) {
        return -1;
      }
      start = 0;
      end = 0;
      fill();
    }
    int count = Math.min(length, end - start);
    System.arraycopy(chars, start, target, offset, count);
    start += count;
    return count;
  }

  /** Reads once, and decodes what came. */
  private void fill() throws IOException {
    bytes.compact();
    int count = read(bytes.array(), bytes.position(), bytes.remaining());
    boolean last = count < 0;
    bytes.position(bytes.position() + Math.max(count, 0)).flip();
    CharBuffer target = CharBuffer.wrap(chars, end, BUFFER - end);
    CoderResult result = decoder.decode(bytes, target, last);
    if (result.isUnderflow() && last) {
      result = decoder.flush(target);
      ended = result.isUnderflow();
    }
    countLines(end, target.position());
    end = target.position();
    if (result.isError()) {
      failure = malformed(bytes.get(bytes.position()));
    }
  }

  private int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0; // as many bytes as fit are there, and more characters than fit are in them
    }
    try {
      return in.read(target, offset, length);
    } catch (EOFException | ZipException e) {
      throw new BadInputException(
          name,
          lineEnds + 1,
          "the gzip file is damaged or was cut off (%s); copy it again".formatted(e.getMessage()),
          e);
    }
  }

  private void countLines(int from, int to) {
    boolean returned = afterReturn;
    int count = 0;
    for (int i = from; i < to; i++) {
      char c = chars[i];
      if (c <= '\r') {
        if (c == '\r' || (c == '\n' && !returned)) {
          count++;
        }
        returned = c == '\r';
      } else {
        returned = false;
      }
    }
    afterReturn = returned;
    lineEnds += count;
  }

  private BadInputException malformed(byte offender) {
    String instead = encoding.equals(StandardCharsets.UTF_8) ? "windows-1252" : "UTF-8";
    return new BadInputException(
        name,
        lineEnds + 1,
        ("the byte 0x%02X is no %s text; if the file was written in another encoding,"
                + " say which, for example --encoding %s")
            .formatted(offender, encoding.name(), instead),
        null);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
