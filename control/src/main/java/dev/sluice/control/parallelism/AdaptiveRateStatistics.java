package dev.sluice.control.parallelism;

import java.time.Instant;
import java.util.Optional;

/**
 * Where one connection's search for its parallelism stands; for monitoring and logs. Immutable.
 * Policies that do not search have sensible values, too: the number that is in force for all of the
 * three levels, successes since the last throttle or reset, and no increase.
 *
 * @param connectionName whose it is
 * @param currentParallelism the level in force: what may be in flight, ceilings applied
 * @param maxParallelism the ceiling last given by the caller
 * @param lastKnownGoodParallelism the level up to which recovery is fast
 * @param isLastKnownGoodStale whether that level is too old to be believed; the next success
 *     replaces it
 * @param successesSinceThrottle successes counted towards the next increase: since the last
 *     throttle, increase or reset, whichever came last
 * @param totalThrottleEvents every throttle ever recorded; no reset clears it
 * @param lastThrottleTime when the last throttle was recorded; empty if never
 * @param lastIncreaseTime when the level last rose; empty if never
 * @param lastActivityTime when it was last asked for or told anything
 */
public record AdaptiveRateStatistics(
    String connectionName,
    int currentParallelism,
    int maxParallelism,
    int lastKnownGoodParallelism,
    boolean isLastKnownGoodStale,
    long successesSinceThrottle,
    long totalThrottleEvents,
    Optional<Instant> lastThrottleTime,
    Optional<Instant> lastIncreaseTime,
    Instant lastActivityTime) {

  /** One line for a debug log, without the connection's name. */
  public String logLine() {
    return "Adaptive rate: "
        + currentParallelism
        + "/"
        + maxParallelism
        + " parallelism, "
        + successesSinceThrottle
        + " since throttle, "
        + totalThrottleEvents
        + " total throttles";
  }
}
