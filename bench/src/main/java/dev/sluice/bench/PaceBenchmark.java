package dev.sluice.bench;

import com.google.common.util.concurrent.RateLimiter;
import dev.sluice.control.pacing.Gcra;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * May this request be sent now? Each limiter is asked once, without waiting, and the time includes
 * one reading of its clock: ours is given {@link System#nanoTime}, the peers read their own.
 *
 * <p>Granted: a thousand million permits per second, which no thread here can use up. Refused: one
 * permit per hour, taken beforehand.
 */
public class PaceBenchmark extends PeerBenchmark {
  private static final int PER_SECOND = 1_000_000_000;
  private static final int BURST = 1_000_000_000;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private Gcra sluice;
  private io.github.resilience4j.ratelimiter.RateLimiter resilience4j;
  private Bucket bucket4j;
  private Bucket bucket4jNanos;
  private RateLimiter guava;
  private dev.failsafe.RateLimiter<Object> failsafeSmooth;
  private dev.failsafe.RateLimiter<Object> failsafeBursty;

  /** Builds the limiters, and spends them if they are to refuse. */
  @Setup
  public void build() {
    int permits = grants() ? PER_SECOND : 1;
    Duration period = grants() ? SECOND : HOUR;
    double perSecond = grants() ? PER_SECOND : 1.0 / HOUR.toSeconds();
    sluice = Gcra.ofRate(System.nanoTime(), perSecond, grants() ? BURST : 1);
    resilience4j =
        io.github.resilience4j.ratelimiter.RateLimiter.of(
            "peer",
            RateLimiterConfig.custom()
                .limitForPeriod(permits)
                .limitRefreshPeriod(period)
                .timeoutDuration(Duration.ZERO)
                .build());
    bucket4j = bucket(permits, period).build();
    bucket4jNanos = bucket(permits, period).withNanosecondPrecision().build();
    guava = RateLimiter.create(perSecond);
    failsafeSmooth = dev.failsafe.RateLimiter.smoothBuilder(permits, period).build();
    failsafeBursty = dev.failsafe.RateLimiter.burstyBuilder(permits, period).build();
    if (!grants()) {
      spend();
    }
  }

  private static LocalBucketBuilder bucket(int permits, Duration period) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(permits).refillGreedy(permits, period));
  }

  private void spend() {
    boolean all =
        sluice.tryAcquire(System.nanoTime())
            && resilience4j.acquirePermission()
            && bucket4j.tryConsume(1)
            && bucket4jNanos.tryConsume(1)
            && guava.tryAcquire()
            && failsafeSmooth.tryAcquirePermit()
            && failsafeBursty.tryAcquirePermit();
    Outcome.GRANTED.confirmed(all);
  }

  /** What all of them pay: the part of every figure that is the clock's. */
  @Benchmark
  public long clockAlone() {
    return System.nanoTime();
  }

  @Benchmark
  public boolean sluice() {
    return outcome.confirmed(sluice.tryAcquire(System.nanoTime()));
  }

  @Benchmark
  public boolean resilience4j() {
    return outcome.confirmed(resilience4j.acquirePermission());
  }

  /** As it comes: its clock counts milliseconds. */
  @Benchmark
  public boolean bucket4j() {
    return outcome.confirmed(bucket4j.tryConsume(1));
  }

  /** On the same clock as ours. */
  @Benchmark
  public boolean bucket4jNanos() {
    return outcome.confirmed(bucket4jNanos.tryConsume(1));
  }

  @Benchmark
  public boolean guava() {
    return outcome.confirmed(guava.tryAcquire());
  }

  /**
   * Spaces permits evenly and allows no burst, so a permit may be a few nanoseconds away if the
   * cores' clocks differ. Reserving it takes the same steps as {@code tryAcquirePermit}, and grants
   * that one too.
   */
  @Benchmark
  public boolean failsafeSmooth() {
    return outcome.confirmed(!failsafeSmooth.tryReservePermit(SECOND).isNegative());
  }

  /** Hands out a period's permits at once. */
  @Benchmark
  public boolean failsafeBursty() {
    return outcome.confirmed(failsafeBursty.tryAcquirePermit());
  }
}
