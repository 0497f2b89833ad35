package dev.sluice.control.learning;

/**
 * How many requests were in flight when each of the latest was sent. Allocates nothing once built.
 * Single-threaded; nanoseconds that do not go back.
 */
final class Starts {
  private static final int KEPT = 1024;

  private final long[] times = new long[KEPT];
  private final int[] inFlight = new int[KEPT];
  private long count;

  void add(long now, int withIt) {
    int slot = (int) (count++ % KEPT);
    times[slot] = now;
    inFlight[slot] = withIt;
  }

  /** With how many in flight, itself included, the request of that time was sent; 0 if unknown. */
  int inFlightAt(long sentAt) {
    long low = Math.max(0, count - KEPT);
    long high = count - 1;
    while (low <= high) {
      long middle = (low + high) >>> 1;
      int slot = (int) (middle % KEPT);
      long difference = times[slot] - sentAt;
      if (difference == 0) {
        return inFlight[slot];
      } else if (difference < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return 0;
  }
}
