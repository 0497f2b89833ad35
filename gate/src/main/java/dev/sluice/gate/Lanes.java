package dev.sluice.gate;

import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.lane.Lane;
import dev.sluice.control.routing.Candidates;
import dev.sluice.control.routing.SelectionStrategy;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lanes behind one gate, as a selection strategy sees them and as the gate plans with them.
 * Lanes may come and go. Guarded by the gate's lock.
 */
final class Lanes implements Candidates {
  private final List<Lane> lanes = new ArrayList<>();
  private long now;

  int select(SelectionStrategy strategy, long time) {
    now = time;
    return strategy.select(this, time);
  }

  /** Adds a lane; a name that is taken is refused. */
  void add(Lane lane) {
    if (find(lane.name()) != null) {
      throw new IllegalArgumentException("a lane named " + lane.name() + " is there already");
    }
    lanes.add(lane);
    sayWhichIsOnlyLane();
  }

  /** Takes a lane out; what is in flight on it still settles on it. */
  void remove(Lane lane) {
    lanes.remove(lane);
    sayWhichIsOnlyLane();
  }

  private void sayWhichIsOnlyLane() {
    lanes.forEach(each -> each.onlyLane(lanes.size() == 1));
  }

  Lane get(int index) {
    return lanes.get(index);
  }

  @Nullable Lane find(String name) {
    for (Lane lane : lanes) {
      if (lane.name().equals(name)) {
        return lane;
      }
    }
    return null;
  }

  /** The lane with that name, or an error that lists the names there are. */
  Lane require(String name) {
    Lane lane = find(name);
    if (lane == null) {
      throw new IllegalArgumentException(
          "there is no lane named " + name + "; there are: " + names());
    }
    return lane;
  }

  List<String> names() {
    return lanes.stream().map(Lane::name).toList();
  }

  List<Lane> all() {
    return lanes;
  }

  /** Whether some lane outside {@code tried} is neither held nor shut. */
  boolean hasFree(Predicate<String> tried, long time) {
    for (Lane lane : lanes) {
      if (!tried.test(lane.name()) && !lane.isShut(time) && lane.heldUntil() <= time) {
        return true;
      }
    }
    return false;
  }

  /** Whether this caller's call failed on a lane that is half-open now. */
  boolean isPoorProbe(Ask ask, long time) {
    if (ask.call() != null) {
      for (Lane lane : lanes) {
        if (lane.isPoorProbe(ask.call(), time)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The usable lane whose hold ends first; null if every lane is shut. */
  @Nullable Lane firstFree(long time) {
    Lane first = null;
    for (Lane lane : lanes) {
      if (!lane.isShut(time) && (first == null || lane.heldUntil() < first.heldUntil())) {
        first = lane;
      }
    }
    return first;
  }

  /**
   * When neither a hold nor an open circuit keeps every lane back any more; {@code time} if now.
   */
  long freeAt(long time) {
    long first = Time.NEVER;
    for (Lane lane : lanes) {
      if (lane.stopped() == null) {
        first = Math.min(first, Math.max(lane.heldUntil(), lane.triedAgainAt(time)));
      }
    }
    return first == Time.NEVER ? time : Math.max(first, time);
  }

  /** The usable lane that hold and pace let send first; null if every lane is shut. */
  @Nullable Lane firstReady(long time) {
    Lane first = null;
    for (Lane lane : lanes) {
      if (!lane.isShut(time) && (first == null || lane.readyAt(time) < first.readyAt(time))) {
        first = lane;
      }
    }
    return first;
  }

  /** Why nothing can be sent through any lane, whoever asks; null if that is not so. */
  @Nullable Refusal shut(long time) {
    Lane first = null;
    for (Lane lane : lanes) {
      if (!lane.isShut(time)) {
        return null;
      }
      if (first == null || triedAgainAt(lane, time) < triedAgainAt(first, time)) {
        first = lane;
      }
    }
    if (first == null) {
      return null;
    }
    return first.stopped() == null
        ? new Refusal.CircuitOpen(
            first.name(),
            Duration.ofNanos(first.triedAgainAt(time) - time),
            first.circuitReason().orElse(CircuitTransition.Reason.TRANSIENT_FAILURES))
        : new Refusal.Stopped(first.name(), first.stopped());
  }

  private static long triedAgainAt(Lane lane, long time) {
    return lane.stopped() == null ? lane.triedAgainAt(time) : Time.NEVER;
  }

  /** When time alone will let some lane send. */
  long wakeAt(long time) {
    long first = Time.NEVER;
    for (Lane lane : lanes) {
      first = Math.min(first, lane.wakeAt(time));
    }
    return first;
  }

  /** Whether it rests, and another that does not could send now. */
  private boolean isLeftAlone(Lane lane) {
    if (lane.rests(now)) {
      for (Lane other : lanes) {
        if (!other.rests(now) && other.admits(now)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public int size() {
    return lanes.size();
  }

  @Override
  public String name(int index) {
    return lanes.get(index).name();
  }

  @Override
  public boolean ready(int index) {
    Lane lane = lanes.get(index);
    return lane.admits(now) && !isLeftAlone(lane);
  }

  @Override
  public int inFlight(int index) {
    return lanes.get(index).inFlight();
  }

  @Override
  public int level(int index) {
    return lanes.get(index).level(now);
  }

  @Override
  public long lastUsed(int index) {
    return lanes.get(index).lastUsed();
  }

  @Override
  public double headroom(int index) {
    return lanes.get(index).headroom(now);
  }
}
