package dev.sluice.control.learning;

import dev.sluice.control.policy.Figures;
import java.util.Arrays;

/**
 * How long answers take: the median of every {@value #WINDOW} answers, against the lowest median of
 * the last minutes. A window counts only requests that were sent since the one before was complete,
 * and two slow windows in a row make a slow-down: neither a few late answers nor a process that
 * stood still is one. A lasting latency is the normal one once the lowest is forgotten.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class Latency {
  private static final int WINDOW = 20;
  private static final double SLOW = 1.6;

  /** So much slower, requests do nothing but wait for each other. */
  private static final double CROWDED = 4;

  /** The lowest median is remembered for one to two of these. */
  private static final long MEMORY = 60_000_000_000L;

  /** The weight of an answer in the average that is used until a window is complete. */
  private static final double WEIGHT = 0.1;

  /** The weight of an answer in the average time that a request has its slot. */
  private static final double HELD_WEIGHT = 0.02;

  private final long[] window = new long[WINDOW];
  private int filled;
  private boolean any;
  private long windowFrom;
  private long forgetAt;
  private double average;
  private double held;
  private double lost; // by requests that failed since the last answer
  private double median;
  private double medianBefore;
  private double lowest = Double.POSITIVE_INFINITY;
  private double nextLowest = Double.POSITIVE_INFINITY;

  /**
   * An answer came.
   *
   * @return whether it completes a window
   */
  boolean answered(long sentAt, long took, long now) {
    average =
        average == 0
            ? (double) took
            : average + WEIGHT * (Math.min((double) took, 3 * average) - average);
    held += HELD_WEIGHT * (took + lost - held);
    lost = 0;
    if (any && sentAt - windowFrom < 0) {
      return false;
    }
    window[filled++] = took;
    if (filled < WINDOW) {
      return false;
    }
    Arrays.sort(window);
    long middle = window[WINDOW / 2];
    medianBefore = any ? median : middle;
    median = middle;
    remember(now);
    filled = 0;
    any = true;
    windowFrom = now;
    return true;
  }

  /** A request failed after it had its slot for so long. It counts with the next answer. */
  void failed(long took) {
    lost += took;
  }

  /** How long a request has its slot: time-outs and late answers count in full. */
  double held() {
    return Math.max(held, usual());
  }

  /** Of two spans of memory, the older is forgotten. */
  private void remember(long now) {
    if (!any || now - forgetAt > 0) { // times may be negative
      lowest = nextLowest;
      nextLowest = Double.POSITIVE_INFINITY;
      forgetAt = now + MEMORY;
    }
    nextLowest = Math.min(nextLowest, Math.max(median, medianBefore));
    lowest = Math.min(lowest, nextLowest);
  }

  /** What an answer usually takes; 0 if none was seen. */
  double usual() {
    return any ? Math.max(median, Math.min(average, 2 * median)) : average;
  }

  /** Whether answers take notably longer than lately. */
  boolean isSlow() {
    return Math.min(median, medianBefore) > SLOW * lowest;
  }

  /** Whether answers take so much longer that more requests at once only wait. */
  boolean isCrowded() {
    return Math.min(median, medianBefore) > CROWDED * lowest;
  }

  /** How slow, for people. */
  String reason() {
    return "answers take %s instead of %s"
        .formatted(Figures.time((long) median), Figures.time((long) lowest));
  }
}
