package dev.sluice.simulator.farm;

import java.util.Arrays;

/**
 * The integral of a level over the last {@code span} nanoseconds: with the number of running
 * requests as the level, the execution time that accrued. Single-threaded; times do not go back.
 */
final class SlidingIntegral {
  // Segments of constant level, the oldest first; each ends where the next starts, the last at
  // `since`. The level in force from `since` on is not among them.
  private long[] starts = new long[64];
  private long[] ends = new long[64];
  private int[] levels = new int[64];
  private int first;
  private int size;
  private long settled; // the integral over all segments kept
  private int level;
  private long since;
  private long span;

  SlidingIntegral(long span, long now) {
    this.span = span;
    this.since = now;
  }

  void span(long nanos) {
    span = nanos;
  }

  void add(int difference, long now) {
    if (now - since > 0) {
      if (level > 0) {
        append(since, now, level);
      }
      since = now;
    }
    level += difference;
  }

  long at(long now) {
    long edge = now - span;
    expire(edge);
    long running = level * (now - Math.max(since, edge));
    if (size > 0 && starts[first] < edge) {
      return settled - levels[first] * (edge - starts[first]) + running;
    }
    return settled + running;
  }

  /** When the integral will be below {@code limit} if all that runs ended now. */
  long belowAt(long limit, long now) {
    long left = at(now);
    if (left < limit) {
      return now;
    }
    if (limit <= 0) {
      return Long.MAX_VALUE;
    }
    long edge = now - span;
    for (int i = 0; i <= size; i++) {
      int index = (first + i) & (starts.length - 1);
      long start = Math.max(edge, i < size ? starts[index] : since);
      long end = i < size ? ends[index] : now;
      int height = i < size ? levels[index] : level;
      long area = height * (end - start);
      if (left - area < limit) {
        // Within this segment: `height` leaves per nanosecond.
        return start + (left - limit) / height + 1 + span;
      }
      left -= area;
    }
    return now + span;
  }

  private void append(long start, long end, int height) {
    expire(end - span);
    if (size == starts.length) {
      grow();
    }
    int last = (first + size) & (starts.length - 1);
    starts[last] = start;
    ends[last] = end;
    levels[last] = height;
    size++;
    settled += height * (end - start);
  }

  private void expire(long edge) {
    while (size > 0 && ends[first] - edge <= 0) {
      settled -= levels[first] * (ends[first] - starts[first]);
      first = (first + 1) & (starts.length - 1);
      size--;
    }
  }

  private void grow() {
    int length = starts.length;
    starts = unrolled(starts, length);
    ends = unrolled(ends, length);
    int[] heights = Arrays.copyOf(Arrays.copyOfRange(levels, first, length), length * 2);
    System.arraycopy(levels, 0, heights, length - first, first);
    levels = heights;
    first = 0;
  }

  private long[] unrolled(long[] ring, int length) {
    long[] straight = Arrays.copyOf(Arrays.copyOfRange(ring, first, length), length * 2);
    System.arraycopy(ring, 0, straight, length - first, first);
    return straight;
  }
}
