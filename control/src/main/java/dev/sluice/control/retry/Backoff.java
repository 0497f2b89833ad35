package dev.sluice.control.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before trying again when the provider does not say: full jitter, {@code
 * random(0, min(cap, base * 2^attempt))}, so that those who failed together do not return together.
 *
 * <p>With a floor the draw is from {@code [floor, max(floor, …)]} instead: it stays spread out,
 * where raising every short draw to the floor would bunch them up there.
 *
 * <p>Where recent calls are known, the base is 200 ms while most of them succeed: then the failure
 * is probably this request's own, and a long wait would help nobody.
 *
 * <p>As thread-safe as its source of randomness.
 */
public final class Backoff {
  /** The default base. */
  public static final Duration DEFAULT_BASE = Duration.ofSeconds(1);

  /** The base while most recent calls succeed. */
  static final Duration QUICK_BASE = Duration.ofMillis(200);

  /** The default cap. */
  public static final Duration DEFAULT_CAP = Duration.ofSeconds(60);

  private static final Duration LONGEST = Duration.ofDays(7);

  private final long base;
  private final long cap;
  private final long floor;
  private final RandomGenerator random;
  private final @Nullable RecentCalls recent;

  /** From 1 s, doubling, up to 60 s, without a floor. */
  public Backoff(RandomGenerator random) {
    this(DEFAULT_BASE, DEFAULT_CAP, Duration.ZERO, random);
  }

  /**
   * A back-off.
   *
   * @param base the longest wait before the first retry; above 0, at most 7 days
   * @param cap the longest wait of all; above 0, at most 7 days
   * @param floor the shortest wait of all; 0 to {@code cap}
   * @throws IllegalArgumentException if one is out of range
   */
  public Backoff(Duration base, Duration cap, Duration floor, RandomGenerator random) {
    this(base, cap, floor, random, null);
  }

  /** From 1 s, or from 200 ms while most recent calls succeed, doubling, up to 60 s. */
  public Backoff(RandomGenerator random, RecentCalls recent) {
    this(DEFAULT_BASE, DEFAULT_CAP, Duration.ZERO, random, recent);
  }

  private Backoff(
      Duration base,
      Duration cap,
      Duration floor,
      RandomGenerator random,
      @Nullable RecentCalls recent) {
    check(
        base.isPositive() && base.compareTo(LONGEST) <= 0,
        "base",
        base,
        "be above 0 and at most " + LONGEST,
        "the longest wait before the first retry");
    check(
        cap.isPositive() && cap.compareTo(LONGEST) <= 0,
        "cap",
        cap,
        "be above 0 and at most " + LONGEST,
        "the longest wait of all");
    check(
        !floor.isNegative() && floor.compareTo(cap) <= 0,
        "floor",
        floor,
        "lie between 0 and the cap, which is " + cap,
        "the shortest wait of all");
    this.base = base.toNanos();
    this.cap = cap.toNanos();
    this.floor = floor.toNanos();
    this.random = random;
    this.recent = recent;
  }

  /**
   * A wait in nanoseconds, drawn anew at each call.
   *
   * @param attempt how many retries there were before this one: 0 for the first; any number is
   *     safe, a negative one counts as 0
   */
  public long nanos(int attempt) {
    return random.nextLong(floor, Math.max(floor, ceiling(attempt)) + 1);
  }

  /** {@code min(cap, base * 2^attempt)}: the comparison comes before the shift can overflow. */
  private long ceiling(int attempt) {
    long first = recent != null && recent.mostSucceed() ? QUICK_BASE.toNanos() : base;
    int doublings = Math.max(0, attempt);
    return doublings >= Long.SIZE - 1 || first > cap >> doublings ? cap : first << doublings;
  }

  private static void check(
      boolean valid, String option, Object value, String range, String meaning) {
    if (!valid) {
      throw new IllegalArgumentException(
          "backoff." + option + " is " + value + ", but must " + range + " (" + meaning + ")");
    }
  }
}
