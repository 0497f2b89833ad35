package dev.sluice.collect.run;

import dev.sluice.gate.HoldCause;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.pressure.LaneMemory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The routes of a process's lanes that a provider wants nobody to take for a while: each the
 * requests of one stream, whoever makes them. The store knows a route's hold as that of a part of
 * its lane, so that other processes keep it, and later ones. Nothing ends a hold but time.
 * Thread-safe.
 */
final class Routes {
  private final LaneMemory memory;
  private final Time time;

  /** Until when each is held, in monotonic nanoseconds: setting a clock shortens no hold. */
  private final Map<String, Long> until = new ConcurrentHashMap<>();

  Routes(LaneMemory memory, Time time) {
    this.memory = memory;
    this.time = time;
  }

  /** What the store calls a route. */
  static String name(String lane, String stream) {
    return lane + " route " + stream;
  }

  /** Nobody takes a lane's route for so long from now; a hold that lasts longer stays. */
  void hold(String lane, String route, Duration length, HoldCause cause) {
    extend(route, length); // first: writing takes a while
    memory.holdPart(lane, route, length, cause);
  }

  /** How long a route is held, as far as this process knows; zero if it is free. */
  Duration held(String route) {
    Long end = until.get(route);
    return end == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, end - time.nanos()));
  }

  /** The same as another process has it in the store already. */
  void extend(String route, Duration length) {
    Long unused =
        until.merge(route, time.deadline(length), (one, other) -> other - one > 0 ? other : one);
  }
}
