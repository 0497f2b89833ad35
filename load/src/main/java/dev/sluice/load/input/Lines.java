package dev.sluice.load.input;

import java.io.IOException;
import java.util.Arrays;

/**
 * The lines of a text, each where it stands in a buffer. A line beyond the limit is read over: only
 * its beginning is kept.
 */
final class Lines implements AutoCloseable {
  private final DecodedText text;
  private final int limit;
  private char[] buffer = new char[1 << 16];
  private int filled;
  private int offset;
  private int length;

  /** Where the next line starts. */
  private int rest;

  private long number;
  private long total;

  Lines(DecodedText text, int limit) {
    this.text = text;
    this.limit = limit;
  }

  /** Goes to the next line; false at the end. */
  boolean next() throws IOException {
    number++;
    total = 0;
    offset = rest;
    int searched = rest;
    while (true) {
      int end = lineEnd(searched);
      if (end >= 0) {
        rest = end + 1;
        return found(end);
      }
      searched = makeRoom();
      int count = text.read(buffer, filled, buffer.length - filled);
      if (count < 0) {
        rest = filled;
        return filled > offset && found(filled);
      }
      filled += count;
    }
  }

  private boolean found(int end) {
    boolean returned = end > offset && buffer[end - 1] == '\r';
    length = end - offset - (returned ? 1 : 0);
    total += length;
    return true;
  }

  private int lineEnd(int from) {
    for (int i = from; i < filled; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Makes room after the line's beginning; returns where the search goes on. */
  private int makeRoom() {
    int kept = filled - offset;
    if (kept > limit) {
      total += kept - limit;
      kept = limit; // the rest of it cannot be used, but its length is counted
    }
    System.arraycopy(buffer, offset, buffer, 0, kept);
    offset = 0;
    filled = kept;
    if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(2L * filled, limit + (1L << 16)));
    }
    return filled;
  }

  /** How many there are in what was read so far. */
  long read() {
    return text.lines();
  }

  char[] buffer() {
    return buffer;
  }

  int offset() {
    return offset;
  }

  /** How many characters of it are there. */
  int length() {
    return Math.min(length, limit);
  }

  /** How many characters it has. */
  long total() {
    return total;
  }

  boolean tooLong() {
    return total > limit;
  }

  boolean blank() {
    for (int i = offset; i < offset + length; i++) {
      if (buffer[i] > ' ') {
        return false;
      }
    }
    return true;
  }

  /** From 1. */
  long number() {
    return number;
  }

  @Override
  public void close() throws IOException {
    text.close();
  }
}
