package dev.sluice.runs.journal;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A set of row numbers from 0 up, kept as ranges: a million rows in a row cost as much as one.
 *
 * <p>Immutable. Operations take time in proportion to the number of ranges of both sides.
 */
public final class RowSet {
  /** No rows. */
  public static final RowSet EMPTY = new RowSet(new long[0]);

  /** The highest row number: one less than the largest number, so that an end can follow it. */
  public static final long HIGHEST = Long.MAX_VALUE - 1;

  /** First row of a range, first row after it, and so on: strictly ascending. */
  private final long[] bounds;

  private RowSet(long[] bounds) {
    this.bounds = bounds;
  }

  /**
   * The rows from {@code first} to {@code last}, both included; none if {@code last} is one less.
   *
   * @throws IllegalArgumentException if a row is negative or too high, or the order is wrong
   */
  public static RowSet range(long first, long last) {
    if (first < 0 || last > HIGHEST || last < first - 1) {
      throw new IllegalArgumentException(
          "rows %d to %d are no range of rows (from 0 up, the first one first)"
              .formatted(first, last));
    }
    return last < first ? EMPTY : new RowSet(new long[] {first, last + 1});
  }

  /**
   * These rows, in any order, each as often as you like.
   *
   * @throws IllegalArgumentException if one is negative or too high
   */
  public static RowSet of(long... rows) {
    long[] sorted = rows.clone();
    Arrays.sort(sorted);
    if (sorted.length > 0 && (sorted[0] < 0 || sorted[sorted.length - 1] > HIGHEST)) {
      throw new IllegalArgumentException(
          "rows %d to %d are given, but rows are counted from 0 up"
              .formatted(sorted[0], sorted[sorted.length - 1]));
    }
    Bounds bounds = new Bounds(2 * sorted.length);
    for (long row : sorted) {
      bounds.add(row, row + 1);
    }
    return bounds.set();
  }

  /** How many rows. */
  public long size() {
    long size = 0;
    for (int i = 0; i < bounds.length; i += 2) {
      size += bounds[i + 1] - bounds[i];
    }
    return size;
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return bounds.length == 0;
  }

  /**
   * The lowest row.
   *
   * @throws NoSuchElementException if there is none
   */
  public long first() {
    if (isEmpty()) {
      throw new NoSuchElementException("no rows");
    }
    return bounds[0];
  }

  /**
   * The highest row.
   *
   * @throws NoSuchElementException if there is none
   */
  public long last() {
    if (isEmpty()) {
      throw new NoSuchElementException("no rows");
    }
    return bounds[bounds.length - 1] - 1;
  }

  /** Whether this row is one of them. */
  public boolean contains(long row) {
    int place = Arrays.binarySearch(bounds, row);
    // Found: at a first row if even. Not found: within a range if an odd number of bounds is lower.
    return place >= 0 ? place % 2 == 0 : -(place + 1) % 2 != 0;
  }

  /** Whether all rows of the other set are in this one. */
  public boolean containsAll(RowSet other) {
    return other.minus(this).isEmpty();
  }

  /** The rows that are in one or both. */
  public RowSet union(RowSet other) {
    return combine(other, (here, there) -> here || there);
  }

  /** The rows that are here and not there. */
  public RowSet minus(RowSet other) {
    return combine(other, (here, there) -> here && !there);
  }

  /** The rows that are in both. */
  public RowSet intersect(RowSet other) {
    return combine(other, (here, there) -> here && there);
  }

  /** The rows, ascending. */
  public LongStream rows() {
    return LongStream.range(0, bounds.length / 2)
        .flatMap(range -> LongStream.range(bounds[2 * (int) range], bounds[2 * (int) range + 1]));
  }

  /** A few bytes per range: the distances between bounds, seven bits to a byte, low ones first. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 + bounds.length);
    long before = 0;
    for (long bound : bounds) {
      long distance = bound - before;
      while (distance > 0x7f) {
        bytes.write((int) ((distance & 0x7f) | 0x80));
        distance >>>= 7;
      }
      bytes.write((int) distance);
      before = bound;
    }
    return bytes.toByteArray();
  }

  /**
   * The set that was encoded.
   *
   * @throws IllegalArgumentException if the bytes are not a set of rows
   */
  public static RowSet decode(byte[] bytes) {
    long[] bounds = new long[bytes.length];
    int count = 0;
    long before = 0;
    for (int i = 0; i < bytes.length; i++) {
      long distance = bytes[i] & 0x7f;
      for (int shift = 7; bytes[i] < 0; shift += 7) {
        if (++i == bytes.length || shift > 56) {
          throw new IllegalArgumentException("the bytes of a set of rows are cut off or damaged");
        }
        distance |= (long) (bytes[i] & 0x7f) << shift;
      }
      long bound = before + distance;
      if (bound < before || (distance == 0 && count > 0)) {
        throw new IllegalArgumentException("the bytes of a set of rows are out of order");
      }
      bounds[count++] = bound;
      before = bound;
    }
    if (count % 2 != 0) {
      throw new IllegalArgumentException("the bytes of a set of rows end within a range");
    }
    return count == 0 ? EMPTY : new RowSet(Arrays.copyOf(bounds, count));
  }

  @FunctionalInterface
  private interface Rule {
    boolean keeps(boolean here, boolean there);
  }

  /** Walks along the bounds of both; between two bounds nothing changes. */
  private RowSet combine(RowSet other, Rule rule) {
    Bounds result = new Bounds(bounds.length + other.bounds.length);
    int i = 0;
    int j = 0;
    long from = 0;
    while (i < bounds.length || j < other.bounds.length) {
      long here = i < bounds.length ? bounds[i] : Long.MAX_VALUE;
      long there = j < other.bounds.length ? other.bounds[j] : Long.MAX_VALUE;
      long to = Math.min(here, there);
      if (rule.keeps(i % 2 != 0, j % 2 != 0)) {
        result.add(from, to);
      }
      i += here == to && i < bounds.length ? 1 : 0;
      j += there == to && j < other.bounds.length ? 1 : 0;
      from = to;
    }
    return result.set();
  }

  /** Ranges in ascending order, joined where they touch or overlap. */
  private static final class Bounds {
    private final long[] bounds;
    private int count;

    Bounds(int most) {
      this.bounds = new long[most];
    }

    void add(long from, long to) {
      if (from == to) {
        return;
      }
      if (count > 0 && bounds[count - 1] >= from) {
        bounds[count - 1] = Math.max(bounds[count - 1], to);
      } else {
        bounds[count++] = from;
        bounds[count++] = to;
      }
    }

    RowSet set() {
      return count == 0 ? EMPTY : new RowSet(Arrays.copyOf(bounds, count));
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RowSet set && Arrays.equals(bounds, set.bounds);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bounds);
  }

  /** For people: {@code 0-99, 120}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bounds.length; i += 2) {
      text.append(i == 0 ? "" : ", ").append(bounds[i]);
      if (bounds[i + 1] - bounds[i] > 1) {
        text.append('-').append(bounds[i + 1] - 1);
      }
    }
    return text.isEmpty() ? "no rows" : text.toString();
  }
}
