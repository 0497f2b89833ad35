package dev.sluice.collect.connector;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.runs.pressure.LaneMemory;

/** How fast a provider is asked. */
@FunctionalInterface
public interface Pacing {

  /**
   * The lane's options for a process that begins.
   *
   * @param memory what earlier processes learned; {@link LaneMemory#learning} and {@link
   *     LaneMemory#paced} start with it
   */
  LaneOptions options(String lane, LaneMemory memory);

  /** Whatever was learned before. */
  static Pacing always(LaneOptions options) {
    return (lane, memory) -> options;
  }

  /** Nothing is known but what is learned: careful at first, and from then on as was proven. */
  static Pacing learned() {
    return (lane, memory) -> memory.learning(lane);
  }
}
