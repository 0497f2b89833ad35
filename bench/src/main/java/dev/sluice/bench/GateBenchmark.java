package dev.sluice.bench;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RateLimitExceededException;
import dev.failsafe.RetryPolicy;
import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.pacing.FixedRatePolicy;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Ask;
import dev.sluice.gate.Call;
import dev.sluice.gate.CallOptions;
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
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * All that is asked before a call, and all that is told after it: pace, slot and circuit, and with
 * Sluice also hold, queue and the run's budget, which the peers do not have. Methods that end in
 * {@code Call} hand the call over, with its retries; the others ask and tell step by step.
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
  private Call<Boolean, RuntimeException> call;
  private CallOptions callOptions;

  private CircuitBreaker circuit;
  private RateLimiter rate;
  private Bulkhead bulkhead;
  private Supplier<Boolean> decorated;

  private dev.failsafe.CircuitBreaker<Object> failsafeCircuit;
  private dev.failsafe.RateLimiter<Object> failsafeRate;
  private dev.failsafe.Bulkhead<Object> failsafeBulkhead;
  private FailsafeExecutor<Object> failsafeExecutor;

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
    call = permit -> new Call.Reply<>(true, Signal.success());
    callOptions = CallOptions.DEFAULTS.withAsk(ask);
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
                .ignoreException(RequestNotPermitted.class::isInstance)
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
    decorated =
        CircuitBreaker.decorateSupplier(
            circuit,
            RateLimiter.decorateSupplier(rate, Bulkhead.decorateSupplier(bulkhead, () -> true)));
  }

  private void buildFailsafe(int permits, Duration period) {
    failsafeCircuit =
        dev.failsafe.CircuitBreaker.builder()
            .withFailureThreshold(RING * FAILURE_PERCENT / 100, RING)
            .withDelay(OPEN_FOR)
            .build();
    // Not its smooth one, which has no burst: that refuses when two clock readings fall into the
    // same 10 ns, as they may where the cores' clocks differ.
    failsafeRate = dev.failsafe.RateLimiter.burstyBuilder(permits, period).build();
    failsafeBulkhead = dev.failsafe.Bulkhead.of(SLOTS);
    RetryPolicy<Object> retries = RetryPolicy.builder().handle(IOException.class).build();
    failsafeExecutor = Failsafe.with(retries, failsafeRate, failsafeCircuit, failsafeBulkhead);
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

  /** Acquires, calls, settles, and would retry. */
  @Benchmark
  public boolean sluiceCall() throws InterruptedException {
    return outcome.confirmed(callThroughSluice());
  }

  private boolean callThroughSluice() throws InterruptedException {
    try {
      return gate.call(run, callOptions, call);
    } catch (RefusedException e) {
      return false;
    }
  }

  /** Its decorators; without retries, which are a module of their own. */
  @Benchmark
  public boolean resilience4jCall() {
    return outcome.confirmed(callThroughResilience4j());
  }

  private boolean callThroughResilience4j() {
    try {
      return decorated.get();
    } catch (RequestNotPermitted e) {
      return false;
    }
  }

  /** Its policies composed, with retries. */
  @Benchmark
  public boolean failsafeCall() {
    return outcome.confirmed(callThroughFailsafe());
  }

  private boolean callThroughFailsafe() {
    try {
      return failsafeExecutor.get(() -> true);
    } catch (RateLimitExceededException e) {
      return false;
    }
  }
}
