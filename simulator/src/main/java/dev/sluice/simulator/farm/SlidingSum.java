package dev.sluice.simulator.farm;

import java.util.Arrays;

/**
 * The sum of what was added within the last {@code span} nanoseconds, exact to the nanosecond: an
 * amount added at {@code t} counts before {@code t + span}. Single-threaded; times do not go back.
 */
final class SlidingSum {
  private long[] times = new long[64];
  private long[] amounts = new long[64];
  private int first;
  private int size;
  private long sum;
  private long span;

  SlidingSum(long span) {
    this.span = span;
  }

  void span(long nanos) {
    span = nanos;
  }

  void add(long amount, long now) {
    expire(now);
    if (size == times.length) {
      grow();
    }
    int last = (first + size) & (times.length - 1);
    times[last] = now;
    amounts[last] = amount;
    size++;
    sum += amount;
  }

  long at(long now) {
    expire(now);
    return sum;
  }

  /** When the sum will be below {@code limit} if nothing is added; {@code now} if it is. */
  long belowAt(long limit, long now) {
    expire(now);
    long left = sum;
    for (int i = 0; i < size && left >= limit; i++) {
      int index = (first + i) & (times.length - 1);
      left -= amounts[index];
      if (left < limit) {
        return times[index] + span;
      }
    }
    return left < limit ? now : Long.MAX_VALUE;
  }

  private void expire(long now) {
    while (size > 0 && now - times[first] >= span) {
      sum -= amounts[first];
      first = (first + 1) & (times.length - 1);
      size--;
    }
  }

  private void grow() {
    times = grown(times);
    amounts = grown(amounts);
    first = 0;
  }

  private long[] grown(long[] ring) {
    long[] straight = Arrays.copyOf(Arrays.copyOfRange(ring, first, ring.length), ring.length * 2);
    System.arraycopy(ring, 0, straight, ring.length - first, first);
    return straight;
  }
}
