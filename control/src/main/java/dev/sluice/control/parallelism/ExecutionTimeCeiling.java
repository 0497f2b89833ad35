package dev.sluice.control.parallelism;

import java.time.Duration;

/**
 * How high parallelism may go while batches are slow.
 *
 * <p>Services that budget execution time run out of it long before they run out of requests: {@code
 * n} requests in flight spend {@code n} seconds per second, however short or long each one is. So
 * the average duration (an exponential moving average, weight 0.3) caps what is in flight at {@code
 * floor(factor / average seconds)}. While it is below the threshold there is no cap.
 *
 * <p>Single-threaded. Times and durations are nanoseconds.
 */
final class ExecutionTimeCeiling {
  private static final double WEIGHT = 0.3;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long LONGEST_WAIT = Duration.ofMinutes(10).toNanos();
  private static final long REMEMBERED = Duration.ofMinutes(5).toNanos();
  private static final double SMALLEST_SHARE = 0.5;
  private static final double UNKNOWN = -1;
  private static final int NONE = Integer.MAX_VALUE;

  private final double factorNanos;
  private final double thresholdNanos;

  /** Negative, and so below any threshold, until the first duration is known. */
  private double average = UNKNOWN;

  private int throttle = NONE;
  private long throttleForgottenAt;

  ExecutionTimeCeiling(int factor, int thresholdMs) {
    factorNanos = factor * NANOS_PER_SECOND;
    thresholdNanos = thresholdMs * NANOS_PER_MILLI;
  }

  /** Takes the duration of a successful batch, from send to answer, into the average. */
  void record(long duration) {
    // The same as 0.3 × duration + 0.7 × average, but exact when nothing changes: rounding must not
    // carry an average of exactly the threshold below it.
    average = average < 0 ? duration : average + WEIGHT * (duration - average);
  }

  /**
   * The service pushed back at {@code level}: the longer it asked to stay away, the further below
   * that level to stay, down to half of it at 10 minutes' wait.
   */
  void throttled(int level, long retryAfter, long now) {
    double share = Math.clamp(1 - (double) retryAfter / LONGEST_WAIT, SMALLEST_SHARE, 1.0);
    throttle = Levels.roundDown(level * share);
    throttleForgottenAt = now + retryAfter + REMEMBERED;
  }

  /** The highest level allowed at {@code now}: between {@code least} and {@code hard}. */
  int effective(int least, int hard, long now) {
    if (average < thresholdNanos) {
      return hard;
    }
    int ceiling = Levels.roundDown(factorNanos / average);
    if (now - throttleForgottenAt < 0) {
      ceiling = Math.min(ceiling, throttle);
    }
    return Math.clamp(ceiling, least, hard);
  }

  /** Forgets the average and the throttle. */
  void clear() {
    average = UNKNOWN;
    throttle = NONE;
  }
}
