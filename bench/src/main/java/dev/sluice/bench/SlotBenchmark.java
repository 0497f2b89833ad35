package dev.sluice.bench;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import dev.sluice.control.circuit.CircuitOptions;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.AimdPolicy;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Run;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * How many at once? A slot is taken without waiting, and given back. Sluice's gate has one lane,
 * with no pace, no budget, and a circuit that never opens.
 *
 * <p>Granted: more slots than threads. Refused: one slot, taken beforehand.
 */
public class SlotBenchmark extends PeerBenchmark {
  private static final int SLOTS = 64;

  private Gate fixed;
  private Gate adaptive;
  private Bulkhead resilience4j;
  private dev.failsafe.Bulkhead<Object> failsafe;
  private SimpleLimiter<Object> concurrencyLimits;
  private Semaphore semaphore;

  /** Builds the limiters, and takes their only slot if they are to refuse. */
  @Setup
  public void build() {
    int slots = grants() ? SLOTS : 1;
    fixed = gate(LaneOptions.fixed(slots));
    adaptive =
        gate(LaneOptions.of(now -> new AimdPolicy(AdaptiveRateOptions.DEFAULTS, slots, now)));
    resilience4j =
        Bulkhead.of(
            "peer",
            BulkheadConfig.custom()
                .maxConcurrentCalls(slots)
                .maxWaitDuration(Duration.ZERO)
                .build());
    failsafe = dev.failsafe.Bulkhead.of(slots);
    concurrencyLimits =
        SimpleLimiter.newBuilder()
            .limit(AIMDLimit.newBuilder().minLimit(1).initialLimit(slots).maxLimit(SLOTS).build())
            .build();
    semaphore = new Semaphore(slots);
    if (!grants()) {
      take();
    }
  }

  private static Gate gate(LaneOptions lane) {
    return Gate.over("lane", lane.withCircuit(CircuitOptions.off()));
  }

  private void take() {
    boolean all =
        fixed.tryAcquire(Run.unbounded()) != null
            && adaptive.tryAcquire(Run.unbounded()) != null
            && resilience4j.tryAcquirePermission()
            && failsafe.tryAcquirePermit()
            && concurrencyLimits.acquire("").isPresent()
            && semaphore.tryAcquire();
    Outcome.GRANTED.confirmed(all);
  }

  /** A number of slots that does not change. */
  @Benchmark
  public boolean sluice() {
    return outcome.confirmed(through(fixed));
  }

  /** A number of slots that is searched for: the counterpart of {@link #concurrencyLimits}. */
  @Benchmark
  public boolean sluiceAimd() {
    return outcome.confirmed(through(adaptive));
  }

  private static boolean through(Gate gate) {
    Permit permit = gate.tryAcquire(Run.unbounded());
    if (permit == null) {
      return false;
    }
    permit.settle(Signal.success());
    return true;
  }

  @Benchmark
  public boolean resilience4j() {
    boolean granted = resilience4j.tryAcquirePermission();
    if (granted) {
      resilience4j.onComplete();
    }
    return outcome.confirmed(granted);
  }

  @Benchmark
  public boolean failsafe() {
    boolean granted = failsafe.tryAcquirePermit();
    if (granted) {
      failsafe.releasePermit();
    }
    return outcome.confirmed(granted);
  }

  @Benchmark
  public boolean concurrencyLimits() {
    Optional<Limiter.Listener> granted = concurrencyLimits.acquire("");
    granted.ifPresent(Limiter.Listener::onSuccess);
    return outcome.confirmed(granted.isPresent());
  }

  /** The least that a slot can cost: it learns nothing, measures nothing and says nothing. */
  @Benchmark
  public boolean semaphoreAlone() {
    boolean granted = semaphore.tryAcquire();
    if (granted) {
      semaphore.release();
    }
    return outcome.confirmed(granted);
  }
}
