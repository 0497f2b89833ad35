package dev.sluice.control.pacing;

import dev.sluice.control.policy.Figures;
import java.util.Arrays;

/**
 * Notices that a provider slows down without saying so: the median latency of the last answers lies
 * above a multiple of the usual one, and by more than chance would make of short latencies.
 *
 * <p>The usual latency is the average of the medians of the last minutes, weighted by time, so that
 * noise does not lower it, and a lasting latency is the usual one within {@code memory}. Late
 * answers to requests that were in flight together are one event, and count once: a process that
 * stood still, or one late answer, is no slow-down. Single-threaded; recording allocates nothing.
 */
final class LatencyWatch {
  /** Less than this above the usual latency says nothing: networks and schedulers vary as much. */
  private static final long LEAST = 20_000_000;

  private final double ratio;
  private final double timeConstant;

  private final long[] recent; // in the order of arrival, as a ring
  private final long[] sorted; // the same values, for the median
  private int oldest;
  private int filled;

  private long median;
  private double usual; // of no meaning until the window is full
  private double lateAbove = Double.MAX_VALUE;
  private long at;
  private boolean anyLate;
  private long lateAt;
  private int sinceSlowDown;

  LatencyWatch(int window, double ratio, long memory, long now) {
    this.ratio = ratio;
    this.timeConstant = memory / 2.0;
    this.recent = new long[window];
    this.sorted = new long[window];
    this.at = now;
    // A window that was never slowed down may be: nothing is owed from before the start.
    this.sinceSlowDown = window;
  }

  /** An answer to a request sent at {@code sentAt} took {@code latency} and came at {@code now}. */
  void record(long latency, long sentAt, long now) {
    if (latency > lateAbove) {
      if (anyLate && sentAt - lateAt <= 0) {
        return;
      }
      anyLate = true;
      lateAt = now;
    }
    if (isFull()) {
      remove(recent[oldest]);
    }
    insert(latency);
    recent[oldest] = latency;
    oldest = (oldest + 1) % recent.length;
    sinceSlowDown = Math.min(sinceSlowDown + 1, recent.length);
    if (isFull()) {
      follow(now);
    }
  }

  private void follow(long now) {
    int middle = filled / 2;
    boolean first = median == 0;
    long elapsed = Math.max(0, now - at);
    median =
        Math.max(
            1,
            filled % 2 == 1
                ? sorted[middle]
                : sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2);
    usual += (first ? 1 : elapsed / (elapsed + timeConstant)) * (median - usual);
    lateAbove = Math.max(ratio * usual, usual + LEAST);
    at = now;
  }

  /** Whether the last full window was slow; {@code false} until there is one. */
  boolean isSlow() {
    return isFull() && median > lateAbove;
  }

  /** How slow, for people. */
  String reason() {
    return "answers take %s instead of %s"
        .formatted(Figures.time(median), Figures.time((long) usual));
  }

  /** Whether it is slow, and a whole window has been seen since the last slow-down. */
  boolean isSlowDownDue() {
    return sinceSlowDown == recent.length && isSlow();
  }

  /** A slow-down was acted upon. */
  void slowedDown() {
    sinceSlowDown = 0;
  }

  private boolean isFull() {
    return filled == recent.length;
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
