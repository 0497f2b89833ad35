package dev.sluice.arena.contender;

import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;

/**
 * Resilience4j's {@link AtomicRateLimiter} itself, on simulated time: so many permits at the start
 * of every second, none carried over. Beside it stands a bulkhead, as a rate limiter alone would
 * let any number of slow requests pile up.
 */
final class CyclePermits implements Limiter {
  private final int slots;
  private final int permits;
  private final AtomicRateLimiter limiter;
  private long now;

  /**
   * A limiter at rest at time 0.
   *
   * @param permits how many per second
   * @param slots how many in flight
   */
  CyclePermits(int permits, int slots) {
    this.slots = slots;
    this.permits = permits;
    RateLimiterConfig config =
        RateLimiterConfig.custom()
            .limitForPeriod(permits)
            .limitRefreshPeriod(Duration.ofSeconds(1))
            .timeoutDuration(Duration.ZERO) // the bout waits, not the library
            .build();
    this.limiter = new AtomicRateLimiter("", config, this::now);
  }

  private Long now() {
    return now;
  }

  @Override
  public int workers() {
    return slots;
  }

  @Override
  public int slots(long now) {
    return slots;
  }

  @Override
  public long notBefore(long now) {
    this.now = now;
    return now + limiter.getDetailedMetrics().getNanosToWait();
  }

  @Override
  public int sent(int inFlight, long now) {
    this.now = now;
    if (!limiter.acquirePermission(1)) {
      throw new IllegalStateException("no permit at " + now + " ns, which was asked for before");
    }
    return inFlight;
  }

  @Override
  public double rate() {
    return permits;
  }
}
