package dev.sluice.gate.http;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How far a service's clock is ahead of ours (H.N4 in docs/traceability.md): the median of its last
 * 15 samples, so that one proxy with a clock of its own does not decide.
 *
 * <p>Thread-safe; reading is one volatile read.
 */
final class ClockSkew {
  /** Beyond this a skew is worth telling. */
  static final Duration REMARKABLE = Duration.ofSeconds(30);

  private static final int SAMPLES = 15;
  private static final long LONGEST_ROUND_TRIP = Duration.ofSeconds(10).toNanos();
  private static final long LARGEST = Duration.ofHours(24).toNanos();
  // A Date header counts whole seconds, and was written before it was sent.
  private static final long SMALLEST = Duration.ofSeconds(2).toNanos();

  private final ReentrantLock lock = new ReentrantLock();
  private final long[] samples = new long[SAMPLES];
  private final long[] sorted = new long[SAMPLES];
  private long seen;
  private volatile long median;

  /**
   * Takes a sample, unless the round trip was too long to say when the service looked at its clock.
   *
   * @param ahead the service's time less ours at the middle of the round trip, in nanoseconds
   */
  void observe(long ahead, long roundTripNanos) {
    if (roundTripNanos >= LONGEST_ROUND_TRIP || !believable(ahead)) {
      return;
    }
    lock.lock();
    try {
      samples[(int) (seen++ % SAMPLES)] = ahead;
      int count = (int) Math.min(seen, SAMPLES);
      System.arraycopy(samples, 0, sorted, 0, count);
      Arrays.sort(sorted, 0, count);
      // Of an even number the lower middle: no invented values.
      median = sorted[(count - 1) / 2];
    } finally {
      lock.unlock();
    }
  }

  /** How far the service's clock is ahead, in nanoseconds; 0 if unknown or too little to tell. */
  long nanos() {
    return tellable(median);
  }

  static boolean believable(long ahead) {
    return ahead > -LARGEST && ahead < LARGEST;
  }

  static long tellable(long ahead) {
    return Math.abs(ahead) < SMALLEST ? 0 : ahead;
  }
}
