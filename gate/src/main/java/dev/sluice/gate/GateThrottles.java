package dev.sluice.gate;

import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.routing.ThrottleState;
import dev.sluice.control.routing.ThrottleTracker;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A gate's lanes seen as a throttle tracker: their holds are the only truth. Every question looks
 * through the gate's lanes; names come in their order. Thread-safe.
 */
final class GateThrottles implements ThrottleTracker {
  private final Gate gate;

  GateThrottles(Gate gate) {
    this.gate = gate;
  }

  @Override
  public void recordThrottle(String connection, Duration retryAfter) {
    gate.recordThrottle(connection, retryAfter);
  }

  @Override
  public boolean isThrottled(String connection) {
    return throttleState(connection).isPresent();
  }

  @Override
  public Optional<ThrottleState> throttleState(String connection) {
    return gate.throttleState(connection);
  }

  @Override
  public Set<String> throttledConnections() {
    return throttled().stream()
        .map(LaneStatistics::name)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  @Override
  public int throttledConnectionCount() {
    return throttled().size();
  }

  @Override
  public Duration shortestExpiry() {
    return throttled().stream()
        .map(LaneStatistics::held)
        .min(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  @Override
  public long totalThrottleEvents() {
    return gate.statistics().totalThrottleEvents();
  }

  private List<LaneStatistics> throttled() {
    return gate.statistics().lanes().stream().filter(LaneStatistics::isThrottled).toList();
  }
}
