package dev.sluice.gate;

import dev.sluice.control.lane.Lane;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.List;

/**
 * What a settlement changed at its lane, as events: looks before and after. Used only while
 * somebody listens. Guarded by the gate's lock.
 */
final class LaneWatch {
  private final Lane lane;
  private final int level;
  private final double rate;
  private final long heldUntil;

  LaneWatch(Lane lane, long now) {
    this.lane = lane;
    this.level = lane.level(now);
    this.rate = lane.rate();
    this.heldUntil = lane.heldUntil();
  }

  void report(Signal signal, long now, List<GateEvent> events) {
    String name = lane.name();
    if (signal instanceof Signal.Throttled throttled) {
      events.add(
          new GateEvent.Throttled(
              name, throttled.facet(), throttled.code(), throttled.retryAfter()));
    } else if (signal instanceof Signal.Stopped stopped) {
      events.add(new GateEvent.LaneStopped(name, stopped.reason()));
    }
    if (lane.heldUntil() != heldUntil && lane.heldUntil() > now) {
      Duration remaining = Duration.ofNanos(lane.heldUntil() - now);
      events.add(new GateEvent.Held(name, remaining, HoldCause.of(signal)));
    }
    if (lane.level(now) != level) {
      events.add(new GateEvent.ParallelismChanged(name, level, lane.level(now)));
    }
    if (step(lane.rate()) != step(rate)) {
      events.add(new GateEvent.Paced(name, rate, lane.rate()));
    }
    reportReason(lane, now, events);
  }

  /** What makes a lane slower than it could be, if that has changed since the last time. */
  static void reportReason(Lane lane, long now, List<GateEvent> events) {
    SlowedBy cause = lane.takeSlowedBy(now);
    if (cause != null) {
      events.add(new GateEvent.Slowed(lane.name(), cause, lane.reason(now)));
    }
  }

  /** Which tenth-wide step a rate is on: the pace changes with every answer, notably or not. */
  private static double step(double rate) {
    return Math.floor(Math.log(rate) / Math.log(1.1));
  }
}
