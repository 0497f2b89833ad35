package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.lane.Lane;
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
  private final Admission admission; // looked at under the gate's lock

  GateThrottles(Gate gate, Admission admission) {
    this.gate = gate;
    this.admission = admission;
  }

  @Override
  public void recordThrottle(String connection, Duration retryAfter) {
    gate.change(now -> admission.recordThrottle(connection, retryAfter, now));
  }

  @Override
  public boolean isThrottled(String connection) {
    return throttleState(connection).isPresent();
  }

  @Override
  public Optional<ThrottleState> throttleState(String connection) {
    requireNonNull(connection, "connection");
    return gate.look(
        now -> {
          Lane lane = admission.lanes().find(connection);
          return lane == null ? Optional.empty() : lane.throttleState(now, gate.time().instant());
        });
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
