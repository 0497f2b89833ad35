package dev.sluice.gate;

import dev.sluice.control.lane.LaneStatistics;
import java.util.List;

/**
 * What a gate and its lanes do now and did so far. Immutable; one consistent moment.
 *
 * @param totalConnections how many lanes there are
 * @param throttledConnections how many of them are held back now
 * @param totalThrottleEvents throttles so far, those of lanes since removed included
 * @param inFlight permits granted and not yet settled, those of lanes since removed included
 * @param waiting callers that wait for a permit
 * @param reason why they wait, in one sentence that names the lane which is ready first, such as
 *     "app1: waits 12 s, because 1,194 of 1,200 s of execution time were spent in the last 5 min";
 *     or that some wait for a time of their own, such as that of a retry; empty if a lane is ready
 *     within a second and nobody does
 * @param granted permits granted so far, abandoned ones and those of lanes since removed included
 * @param lanes each lane by itself, in the order in which they were added
 */
public record PoolStatistics(
    int totalConnections,
    int throttledConnections,
    long totalThrottleEvents,
    int inFlight,
    int waiting,
    String reason,
    long granted,
    List<LaneStatistics> lanes) {

  public PoolStatistics {
    lanes = List.copyOf(lanes);
  }
}
