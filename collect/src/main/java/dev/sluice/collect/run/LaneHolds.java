package dev.sluice.collect.run;

import dev.sluice.collect.connector.Provider;
import dev.sluice.control.lane.HintlessHold;
import dev.sluice.control.policy.ProbeSchedule;
import dev.sluice.gate.Gate;
import dev.sluice.gate.HoldCause;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.pressure.LaneMemory;
import java.time.Duration;
import java.time.Instant;

/**
 * Who has to wait on one lane because the provider said so: everybody, the requests of a stream, or
 * a track's list. What other processes were told holds here, too. Thread-safe.
 */
final class LaneHolds {
  private final String lane;
  private final ProviderGates gates;
  private final LaneMemory memory;
  private final Gate gate;
  private final Time time;
  private final Duration bareWait;

  LaneHolds(Provider provider, ProviderGates gates, Gate gate) {
    this.lane = provider.lane();
    this.gates = gates;
    this.memory = gates.memory();
    this.gate = gate;
    this.time = gate.time();
    this.bareWait =
        provider
            .pacing()
            .options(lane, memory)
            .hintlessHold()
            .map(HintlessHold::floor)
            .orElse(ProbeSchedule.FIRST);
  }

  /** The first wait after a throttle that tells none. */
  Duration bareWait() {
    return bareWait;
  }

  /** What the gate and the store call the requests of a stream. */
  String route(String stream) {
    return lane + " route " + stream;
  }

  /** The provider wants none of a stream's requests for so long from now. */
  void hold(String stream, Duration length, HoldCause cause) {
    holdPart(route(stream), length, cause);
  }

  /** The provider wants nobody to ask for a track's list before then. */
  void putOff(Track track, Instant until) {
    holdPart(listOf(track), Duration.between(time.instant(), until), HoldCause.TOLD);
  }

  private void holdPart(String part, Duration length, HoldCause cause) {
    gate.holdRoute(part, length); // first: writing takes a while
    memory.holdPart(lane, part, length, cause);
  }

  /**
   * Sees whether a track's list may be asked for.
   *
   * @throws PutOffException if the provider wanted nobody to
   */
  void requireNotPutOff(Track track) {
    String list = listOf(track);
    Duration elsewhere = memory.heldElsewhere(lane, list).get(list);
    if (elsewhere != null) {
      gate.holdRoute(list, elsewhere);
    }
    Duration held = gate.routeHeld(list);
    if (held.isPositive()) {
      throw PutOffException.standing(track.stream(), time.instant().plus(held));
    }
  }

  private String listOf(Track track) {
    return lane + " list " + track.leaseName();
  }

  /** This machine is to stay away for so long from now, whomever it asks. */
  void holdAll(Duration length) {
    gates.holdAll(length);
  }

  /**
   * Looks for what another process was told, or another request of this one, since the gate let
   * this one through. The gate knows it, too, then.
   *
   * @return whether the lane is held by now, or the stream's requests on it
   */
  boolean heed(String stream) {
    String route = route(stream);
    memory.use(lane);
    memory
        .heldElsewhere(lane, route)
        .forEach(
            (name, length) -> {
              if (name.equals(lane)) {
                gate.hold(lane, length);
              } else {
                gate.holdRoute(route, length);
              }
            });
    // Asked last: looking into the store takes a while.
    return gate.routeHeld(route).isPositive() || gate.throttleTracker().isThrottled(lane);
  }
}
