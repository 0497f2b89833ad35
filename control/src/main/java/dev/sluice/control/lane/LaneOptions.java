package dev.sluice.control.lane;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.circuit.CircuitOptions;
import dev.sluice.control.learning.LearnedPolicy;
import dev.sluice.control.learning.Profile;
import dev.sluice.control.pacing.HintedPolicy;
import dev.sluice.control.pacing.PacedPolicy;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.AimdPolicy;
import dev.sluice.control.parallelism.FixedPolicy;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.ProbeSchedule;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaPolicy;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ResilienceOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a lane behaves. Immutable; usable for any number of lanes.
 *
 * @param policy makes the lane's own policy
 * @param circuit when to stop calling a failing service
 * @param hintlessHold how long to hold after a throttle that gave no usable wait; empty to let
 *     single requests find out when it is over ({@link ProbeSchedule})
 * @param skewBuffer added once to every wait that a throttle tells, against disagreeing clocks; 0 s
 *     to 7 days
 * @param holdWhenThrottled whether a throttle holds the whole lane; if not, throttles are detected
 *     and counted, but only the throttled call waits
 */
public record LaneOptions(
    PolicyFactory policy,
    CircuitOptions circuit,
    Optional<HintlessHold> hintlessHold,
    Duration skewBuffer,
    boolean holdWhenThrottled) {

  public LaneOptions {
    requireNonNull(policy, "policy");
    requireNonNull(circuit, "circuit");
    requireNonNull(hintlessHold, "hintlessHold");
    if (skewBuffer.isNegative() || skewBuffer.compareTo(LONGEST_BUFFER) > 0) {
      throw new IllegalArgumentException(
          "skewBuffer is "
              + skewBuffer
              + ", but must lie between 0 and "
              + LONGEST_BUFFER
              + " (added to every told wait)");
    }
  }

  /** The most requests that one Dataverse user may have in flight, whatever is recommended. */
  private static final int DATAVERSE_CEILING = 52;

  private static final Duration LONGEST_BUFFER = Duration.ofDays(7);

  /** Makes a policy for one lane that has done nothing until {@code now}. */
  @FunctionalInterface
  public interface PolicyFactory {
    /**
     * A policy of the lane's own: one that no other lane shares.
     *
     * @param now in monotonic nanoseconds; the policy counts as idle until then
     */
    Policy create(long now);
  }

  /**
   * A provider of which nothing is known: starts carefully, learns its rate from what is granted,
   * and never goes faster than answers say that the quota lasts.
   */
  public static LaneOptions learning() {
    return learning(null);
  }

  /**
   * The same, starting with what an earlier run has learned.
   *
   * @param profile null for nothing
   */
  public static LaneOptions learning(@Nullable Profile profile) {
    return of(now -> new HintedPolicy(new LearnedPolicy(profile, now)));
  }

  /** A provider whose rate is learned within these bounds. */
  public static LaneOptions paced(PacerOptions options) {
    return of(now -> new PacedPolicy(options, now));
  }

  /** A fixed number at once, unpaced. */
  public static LaneOptions fixed(int parallelism) {
    FixedPolicy refusedIfInvalid = new FixedPolicy(parallelism);
    return of(now -> new FixedPolicy(refusedIfInvalid.level(now)));
  }

  /** Any policy, with the defaults of a provider. */
  public static LaneOptions of(PolicyFactory policy) {
    return new LaneOptions(policy, CircuitOptions.DEFAULTS, Optional.empty(), Duration.ZERO, true);
  }

  /**
   * A Dataverse application user: the policy that {@code rate} asks for, or else the documented
   * limits spent exactly; after a throttle what {@code resilience} says, with the pool's buffer on
   * every told wait.
   *
   * @param recommended the service's recommended degree of parallelism, where the policy goes by
   *     it; brought between 1 and 52
   */
  public static LaneOptions dataverse(
      AdaptiveRateOptions rate,
      ResilienceOptions resilience,
      ConnectionPoolOptions pool,
      int recommended) {
    return dataverse(
        rate, resilience, pool, Observed.recommending(recommended), QuotaOptions.DATAVERSE);
  }

  /**
   * The same for an environment whose limits may not be the documented ones.
   *
   * @param observed what its answers show, which changes
   */
  public static LaneOptions dataverse(
      AdaptiveRateOptions rate,
      ResilienceOptions resilience,
      ConnectionPoolOptions pool,
      Observed observed,
      QuotaOptions limits) {
    IntSupplier max = () -> Math.clamp(observed.degree(), 1, DATAVERSE_CEILING);
    return new LaneOptions(
        now ->
            switch (rate.policy().orElse(PolicyName.QUOTA)) {
              case FIXED -> new FixedPolicy(max);
              case AIMD -> new AimdPolicy(rate, max, now);
              case QUOTA -> new QuotaPolicy(limits, observed, now);
            },
        CircuitOptions.DEFAULTS,
        Optional.of(HintlessHold.fixed(resilience.fallbackRetryAfter())),
        pool.throttleBuffer(),
        resilience.enableThrottleTracking());
  }

  /** The same with another policy. */
  public LaneOptions withPolicy(PolicyFactory other) {
    return new LaneOptions(other, circuit, hintlessHold, skewBuffer, holdWhenThrottled);
  }

  /** The same with another circuit. */
  public LaneOptions withCircuit(CircuitOptions other) {
    return new LaneOptions(policy, other, hintlessHold, skewBuffer, holdWhenThrottled);
  }

  /** The same with another hold after a bare throttle. */
  public LaneOptions withHintlessHold(HintlessHold other) {
    return new LaneOptions(policy, circuit, Optional.of(other), skewBuffer, holdWhenThrottled);
  }

  /** The same with another buffer on told waits. */
  public LaneOptions withSkewBuffer(Duration other) {
    return new LaneOptions(policy, circuit, hintlessHold, other, holdWhenThrottled);
  }
}
