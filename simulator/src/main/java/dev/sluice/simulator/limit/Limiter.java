package dev.sluice.simulator.limit;

/**
 * Counts requests and admits those that its definition allows.
 *
 * <p>Single-threaded and allocation-free once warm. Times are nanoseconds of one monotonic clock
 * from an arbitrary origin; given to one limiter, they do not go back.
 */
public interface Limiter {
  /** No passing of time alone helps. */
  long NEVER = Long.MAX_VALUE;

  /**
   * A request arrives.
   *
   * @return 0 if it is admitted, and spent; otherwise nothing has changed, and this is how many
   *     nanoseconds later it would be admitted if nothing else came, or {@link #NEVER}
   */
  default long admit(long now) {
    long wait = untilFree(now);
    if (wait == 0) {
      spend(now);
    }
    return wait;
  }

  /** What {@link #admit} would return; nothing is spent. */
  long untilFree(long now);

  /** Counts a request for which {@link #untilFree} was 0 at this very time. */
  void spend(long now);

  /** An admitted request has ended. */
  void finish(long now);

  /**
   * Changes its size to {@code factor} times what it was made with, rounded, but to 0 only by a
   * factor of 0. What was spent stays spent; what a bucket held beyond its new size is lost.
   *
   * @throws IllegalArgumentException if the factor is negative, not finite, or too large to count
   */
  void scale(double factor, long now);

  /** How many requests it allows at most: in its window, in its bucket, or at once. */
  long limit();

  /** How many requests it would admit right now, one after the other. */
  long left(long now);

  /** How long until it is as if unused, if nothing else comes; {@link #NEVER} if time won't do. */
  long untilReset(long now);

  /** The nanoseconds over which it counts, or in which its bucket fills; 0 if it has none. */
  long window();
}
