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
 * @param reason why some of them are not sent though a lane may be free: they wait for a time of
 *     their own, such as that of a retry; one sentence, empty if there are none
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
