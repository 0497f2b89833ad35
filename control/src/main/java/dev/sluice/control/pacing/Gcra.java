package dev.sluice.control.pacing;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Says when a request conforms to a steady rate with a bounded burst: the Generic Cell Rate
 * Algorithm (ITU-T I.371).
 *
 * <p>It keeps one number, the theoretical arrival time (TAT) of the next request. A request at
 * {@code t} conforms if {@code t >= TAT - tolerance}; then {@code TAT = max(TAT, t) + interval}.
 * Idle time therefore earns at most {@code tolerance}, however long it lasts, and no span of {@code
 * d} sees more than {@code floor((d + tolerance) / interval) + 1} requests.
 *
 * <p>Thread-safe and lock-free; nothing is allocated. Times are nanoseconds of one monotonic clock,
 * whose origin is arbitrary and may be negative: only differences are compared, so a clock that
 * wraps round is harmless. One that jumps back delays requests until it has caught up; the TAT
 * never follows it.
 *
 * <p>The arithmetic is also here as functions without state, for pacers whose interval changes.
 */
public final class Gcra {
  /** What {@link #reserve} answers if the next free place is too far away to count. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * The longest interval and the longest tolerance (73 years). Interval, tolerance and the furthest
   * reservation together stay below half of the range of {@code long}, where differences turn.
   */
  static final long LONGEST = Long.MAX_VALUE / 4;

  private static final double NANOS_PER_SECOND = 1e9;

  // In spin-wait hints: under contention fewer attempts get more done.
  private static final int SHORTEST_PAUSE = 16;
  private static final int LONGEST_PAUSE = 256;

  private final long interval;
  private final long tolerance;
  private final AtomicLong theoreticalArrival;

  private Gcra(long now, long interval, long tolerance) {
    this.interval = interval;
    this.tolerance = tolerance;
    this.theoreticalArrival = new AtomicLong(now);
  }

  /**
   * A pacer that has been idle until {@code now}: it admits a full burst at once.
   *
   * @param interval nanoseconds between requests, at least 1
   * @param tolerance how many nanoseconds early a request may come, at least 0
   * @throws IllegalArgumentException if either is out of range or longer than 73 years
   */
  public static Gcra idleSince(long now, long interval, long tolerance) {
    if (interval < 1 || interval > LONGEST) {
      throw new IllegalArgumentException(
          "interval is " + interval + " ns, but must lie between 1 and " + LONGEST);
    }
    if (tolerance < 0 || tolerance > LONGEST) {
      throw new IllegalArgumentException(
          "tolerance is " + tolerance + " ns, but must lie between 0 and " + LONGEST);
    }
    return new Gcra(now, interval, tolerance);
  }

  /**
   * A pacer that has been idle until {@code now}, and admits {@code burst} requests at once and
   * {@code permitsPerSecond} after that: {@code tolerance = (burst - 1) * interval}.
   *
   * @throws IllegalArgumentException if the rate or the burst is out of range
   */
  public static Gcra ofRate(long now, double permitsPerSecond, int burst) {
    long interval = interval(permitsPerSecond);
    return idleSince(now, interval, tolerance(interval, burst));
  }

  /** Takes a place if the request conforms now; otherwise changes nothing. */
  public boolean tryAcquire(long now) {
    for (int pause = SHORTEST_PAUSE; ; pause = lookAway(pause)) {
      long expected = theoreticalArrival.get();
      if (!conforms(expected, now, tolerance)) {
        return false;
      }
      if (theoreticalArrival.compareAndSet(expected, next(expected, now, interval))) {
        return true;
      }
    }
  }

  /** Whoever was overtaken leaves the others alone for a moment, each time for twice as long. */
  private static int lookAway(int pause) {
    for (int i = 0; i < pause; i++) {
      Thread.onSpinWait();
    }
    return Math.min(2 * pause, LONGEST_PAUSE);
  }

  /**
   * Takes the next free place and returns how many nanoseconds to wait for it; 0 if it is now.
   *
   * <p>If that place is more than 73 years away, takes nothing and returns {@link #NEVER}.
   */
  public long reserve(long now) {
    while (true) {
      long expected = theoreticalArrival.get();
      long wait = earliest(expected, now, tolerance) - now;
      if (wait > LONGEST) {
        return NEVER;
      }
      if (theoreticalArrival.compareAndSet(expected, next(expected, now, interval))) {
        return wait;
      }
    }
  }

  /** The earliest time at which a request would conform, {@code now} or later; takes nothing. */
  public long earliest(long now) {
    return earliest(theoreticalArrival.get(), now, tolerance);
  }

  /** Nanoseconds between requests. */
  public long interval() {
    return interval;
  }

  /** How many nanoseconds early a request may come. */
  public long tolerance() {
    return tolerance;
  }

  /** Whether a request at {@code now} conforms. */
  public static boolean conforms(long theoreticalArrival, long now, long tolerance) {
    return now - theoreticalArrival >= -tolerance;
  }

  /** The theoretical arrival time after a request at {@code now}. */
  public static long next(long theoreticalArrival, long now, long interval) {
    return (theoreticalArrival - now > 0 ? theoreticalArrival : now) + interval;
  }

  /** The earliest time at which a request conforms, {@code now} or later. */
  public static long earliest(long theoreticalArrival, long now, long tolerance) {
    return conforms(theoreticalArrival, now, tolerance) ? now : theoreticalArrival - tolerance;
  }

  /**
   * The interval of a rate in nanoseconds, rounded up so that the rate is never exceeded.
   *
   * @throws IllegalArgumentException if the rate is not positive and finite, or so low that its
   *     interval exceeds 73 years
   */
  public static long interval(double permitsPerSecond) {
    double interval = Math.ceil(NANOS_PER_SECOND / permitsPerSecond);
    if (!(permitsPerSecond > 0
        && permitsPerSecond < Double.POSITIVE_INFINITY
        && interval <= LONGEST)) {
      throw new IllegalArgumentException(
          "rate is "
              + permitsPerSecond
              + ", but must be positive and finite, and at least one permit in 73 years"
              + " (permits per second)");
    }
    return (long) interval;
  }

  /** The tolerance that lets {@code burst} requests through at once. */
  static long tolerance(long interval, int burst) {
    if (burst < 1 || burst - 1 > LONGEST / interval) {
      throw new IllegalArgumentException(
          "burst is "
              + burst
              + ", but must lie between 1 and "
              + (Math.min(Integer.MAX_VALUE - 1, LONGEST / interval) + 1)
              + " at this rate (requests admitted at once after idling)");
    }
    return (burst - 1) * interval;
  }
}
