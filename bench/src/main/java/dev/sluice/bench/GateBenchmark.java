package dev.sluice.bench;

import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.pacing.FixedRatePolicy;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Ask;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Permit;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.Run;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * All that is asked before a call, and all that is told after it: pace, slot and circuit, and with
 * Sluice also hold, queue and the run's budget, which the peers do not have.
 *
 * <p>Granted: a rate and slots that are never used up; the call is empty and succeeds. Refused: one
 * permit per hour, taken beforehand, so that it is the pace that refuses.
 */
public class GateBenchmark extends PeerBenchmark {
  private static final int SLOTS = 64;
  private static final int PER_SECOND = 100_000_000;
  private static final Duration HOUR = Duration.ofHours(1);

  // The circuits are alike: half of the last ten, at least five of them seen, opens for a minute.
  private static final int RING = 20;
  private static final int MINIMUM = 20;
  private static final int FAILURE_PERCENT = 50;
  private static final Duration OPEN_FOR = Duration.ofMinutes(1);

  private Gate gate;
  private Run run;
  private Ask ask;

  private CircuitBreaker circuit;
  private RateLimiter rate;
  private Bulkhead bulkhead;

  private dev.failsafe.CircuitBreaker<Object> failsafeCircuit;
  private dev.failsafe.RateLimiter<Object> failsafeRate;
  private dev.failsafe.Bulkhead<Object> failsafeBulkhead;

  /** Builds all three sides, and spends their pace if they are to refuse. */
  @Setup
  public void build() {
    int permits = grants() ? PER_SECOND : 1;
    Duration period = grants() ? Duration.ofSeconds(1) : HOUR;
    buildSluice();
    buildResilience4j(permits, period);
    buildFailsafe(permits, period);
    if (!grants()) {
      Outcome.GRANTED.confirmed(throughSluice() && throughResilience4j() && throughFailsafe());
    }
  }

  private void buildSluice() {
    double perSecond = grants() ? PER_SECOND : 1.0 / HOUR.toSeconds();
    int burst = grants() ? PER_SECOND : 1;
    gate =
        Gate.over("lane", LaneOptions.of(now -> new FixedRatePolicy(perSecond, burst, SLOTS, now)));
    run =
        Run.within(
            "run",
            RunBudget.of(OptionalLong.of(Long.MAX_VALUE / 2), Optional.of(Duration.ofDays(365))));
    ask = grants() ? Ask.plain() : Ask.plain().within(Duration.ZERO);
  }

  private void buildResilience4j(int permits, Duration period) {
    circuit =
        CircuitBreaker.of(
            "peer",
            CircuitBreakerConfig.custom()
                .slidingWindow(RING, MINIMUM, SlidingWindowType.COUNT_BASED)
                .failureRateThreshold(FAILURE_PERCENT)
                .waitDurationInOpenState(OPEN_FOR)
                .permittedNumberOfCallsInHalfOpenState(1)
                .build());
    rate =
        RateLimiter.of(
            "peer",
            RateLimiterConfig.custom()
                .limitForPeriod(permits)
                .limitRefreshPeriod(period)
                .timeoutDuration(Duration.ZERO)
                .build());
    bulkhead =
        Bulkhead.of(
            "peer",
            BulkheadConfig.custom()
                .maxConcurrentCalls(SLOTS)
                .maxWaitDuration(Duration.ZERO)
                .build());
  }

  private void buildFailsafe(int permits, Duration period) {
    failsafeCircuit =
        dev.failsafe.CircuitBreaker.builder()
            .withFailureThreshold(RING * FAILURE_PERCENT / 100, RING)
            .withDelay(OPEN_FOR)
            .build();
    failsafeRate = dev.failsafe.RateLimiter.smoothBuilder(permits, period).build();
    failsafeBulkhead = dev.failsafe.Bulkhead.of(SLOTS);
  }

  /** A permit is asked for once, and settled. */
  @Benchmark
  public boolean sluice() {
    return outcome.confirmed(throughSluice());
  }

  private boolean throughSluice() {
    Permit permit = gate.tryAcquire(run);
    if (permit == null) {
      return false;
    }
    permit.settle(Signal.success());
    return true;
  }

  /** The form that would wait; where waiting makes no sense, a refusal is an exception. */
  @Benchmark
  public boolean sluiceAcquire() throws InterruptedException {
    return outcome.confirmed(acquireThroughSluice());
  }

  private boolean acquireThroughSluice() throws InterruptedException {
    try {
      gate.acquire(run, ask).settle(Signal.success());
      return true;
    } catch (RefusedException e) {
      return false;
    }
  }

  /** In the order, and with the clock readings, of its own decorators. */
  @Benchmark
  public boolean resilience4j() {
    return outcome.confirmed(throughResilience4j());
  }

  private boolean throughResilience4j() {
    if (!circuit.tryAcquirePermission()) {
      return false;
    }
    if (!rate.acquirePermission() || !bulkhead.tryAcquirePermission()) {
      circuit.releasePermission();
      return false;
    }
    long start = circuit.getCurrentTimestamp();
    bulkhead.onComplete();
    circuit.onSuccess(circuit.getCurrentTimestamp() - start, circuit.getTimestampUnit());
    return true;
  }

  /** Its circuit has no way to hand a permit back; while it is closed none is kept. */
  @Benchmark
  public boolean failsafe() {
    return outcome.confirmed(throughFailsafe());
  }

  private boolean throughFailsafe() {
    if (!failsafeCircuit.tryAcquirePermit()
        || !failsafeRate.tryAcquirePermit()
        || !failsafeBulkhead.tryAcquirePermit()) {
      return false;
    }
    failsafeBulkhead.releasePermit();
    failsafeCircuit.recordSuccess();
    return true;
  }
}
