package dev.sluice.control.learning;

/**
 * Answers' times, smoothed, against the shortest that they were lately. Single-threaded;
 * nanoseconds.
 */
final class Latency {
  private static final double WEIGHT = 0.1;
  private static final double SLOW = 2;
  private static final long FORGET = 3_600_000_000_000L;

  private double smoothed;
  private double shortest = Double.POSITIVE_INFINITY;
  private double nextShortest = Double.POSITIVE_INFINITY;
  private long forgetAt;
  private int answers;

  void answered(long took, long now) {
    smoothed = answers == 0 ? (double) took : smoothed + WEIGHT * (took - smoothed);
    answers++;
    if (answers < 10) {
      return;
    }
    if (now - forgetAt > 0) { // of two spans of memory, the older is forgotten
      shortest = nextShortest;
      nextShortest = Double.POSITIVE_INFINITY;
      forgetAt = now + FORGET;
    }
    nextShortest = Math.min(nextShortest, smoothed);
    shortest = Math.min(shortest, nextShortest);
  }

  double smoothed() {
    return smoothed;
  }

  /** Smoothed, but no more than is reasonable to wait for. */
  double reasonable() {
    return answers < 10 ? smoothed : Math.min(smoothed, SLOW * shortest);
  }

  /** Whether answers take much longer than they could. */
  boolean isSlow() {
    return answers >= 10 && smoothed > SLOW * shortest;
  }
}
