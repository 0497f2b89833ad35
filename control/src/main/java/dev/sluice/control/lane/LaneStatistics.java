package dev.sluice.control.lane;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.Optional;

/**
 * What one lane does now and did so far.
 *
 * @param name the lane's name
 * @param parallelism how many requests may be in flight
 * @param inFlight how many are
 * @param rate permits per second that it paces at; infinite if it does not pace
 * @param measuredRate requests per second that were really sent in the last 10 to 20 s
 * @param held how long it still sends nothing; zero if it may
 * @param circuit its circuit's state
 * @param stopped why it is closed until a person acts; empty if it is not
 * @param granted permits granted so far, abandoned ones included
 * @param throttleEvents throttles so far
 * @param slowedBy what makes it slower than it could be
 * @param reason the same in one sentence, with figures; also if all its slots are taken, which
 *     comes and goes with every request and is no {@code slowedBy}; empty if nothing does
 * @param readyIn how long a hold, a pace or a used-up budget still keeps it from sending; zero if
 *     none does. Slots do not count
 */
public record LaneStatistics(
    String name,
    int parallelism,
    int inFlight,
    double rate,
    double measuredRate,
    Duration held,
    CircuitState circuit,
    Optional<Signal.Stopped.Reason> stopped,
    long granted,
    long throttleEvents,
    SlowedBy slowedBy,
    String reason,
    Duration readyIn) {

  /** Whether the lane is held back by a throttle. */
  public boolean isThrottled() {
    return held.isPositive();
  }
}
