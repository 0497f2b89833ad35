package dev.sluice.control.pacing;

import java.util.Arrays;

/**
 * Notices that a provider slows down without saying so: the median latency of the last answers lies
 * above a multiple of the lowest such median in recent memory.
 *
 * <p>The lowest median is kept per slot of a twentieth of the memory, so memory is bounded and a
 * low median is forgotten up to one slot late. Single-threaded; recording allocates nothing.
 */
final class LatencyWatch {
  private static final int SLOTS = 20;
  private static final long NOTHING = Long.MAX_VALUE;

  private final double ratio;
  private final long slotLength;

  private final long[] recent; // in the order of arrival, as a ring
  private final long[] sorted; // the same values, for the median
  private int oldest;
  private int filled;

  // One slot more than the memory has, because the slot that is being filled is not a whole one.
  private final long[] lowest = new long[SLOTS + 1];
  private final long origin;
  private long slot;

  private long median;
  private int sinceSlowDown;

  LatencyWatch(int window, double ratio, long memory, long now) {
    this.ratio = ratio;
    this.slotLength = Math.max(1, memory / SLOTS);
    this.recent = new long[window];
    this.sorted = new long[window];
    this.origin = now;
    // A window that was never slowed down may be: nothing is owed from before the start.
    this.sinceSlowDown = window;
    Arrays.fill(lowest, NOTHING);
  }

  /** An answer took {@code latency} nanoseconds and came at {@code now}. */
  void record(long latency, long now) {
    moveTo(now);
    if (filled == recent.length) {
      remove(recent[oldest]);
    }
    insert(latency);
    recent[oldest] = latency;
    oldest = (oldest + 1) % recent.length;
    sinceSlowDown = Math.min(sinceSlowDown + 1, recent.length);
    if (filled == recent.length) {
      int middle = filled / 2;
      median =
          filled % 2 == 1
              ? sorted[middle]
              : sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
      int current = place(slot);
      lowest[current] = Math.min(lowest[current], median);
    }
  }

  /** Whether the last full window was slow; {@code false} until there is one. */
  boolean isSlow() {
    return filled == recent.length && median > ratio * lowestMedian();
  }

  /** Whether it is slow, and a whole window has been seen since the last slow-down. */
  boolean isSlowDownDue() {
    return sinceSlowDown == recent.length && isSlow();
  }

  /** A slow-down was acted upon. */
  void slowedDown() {
    sinceSlowDown = 0;
  }

  private long lowestMedian() {
    long least = NOTHING;
    for (long value : lowest) {
      least = Math.min(least, value);
    }
    return least;
  }

  /** Forgets the slots that fell out of memory; a clock that jumps back stays where it was. */
  private void moveTo(long now) {
    long target = (now - origin) / slotLength;
    if (target - slot > lowest.length) {
      Arrays.fill(lowest, NOTHING);
      slot = target;
    }
    while (slot < target) {
      slot++;
      lowest[place(slot)] = NOTHING;
    }
  }

  private int place(long number) {
    return (int) (number % lowest.length);
  }

  private void remove(long value) {
    int at = Arrays.binarySearch(sorted, 0, filled, value);
    System.arraycopy(sorted, at + 1, sorted, at, filled - at - 1);
    filled--;
  }

  private void insert(long value) {
    int found = Arrays.binarySearch(sorted, 0, filled, value);
    int at = found < 0 ? -found - 1 : found;
    System.arraycopy(sorted, at, sorted, at + 1, filled - at);
    sorted[at] = value;
    filled++;
  }
}
