package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.SelectionStrategy;
import dev.sluice.gate.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Builds a {@link Gate}. Not thread-safe; usable once or many times. */
public final class GateBuilder {
  Time time = Time.real();
  @Nullable RandomGenerator random;
  private @Nullable Supplier<? extends SelectionStrategy> ownStrategy;
  ConnectionPoolOptions options = ConnectionPoolOptions.DEFAULTS;
  final Map<String, LaneOptions> lanes = new LinkedHashMap<>();
  final List<GateListener> listeners = new ArrayList<>();

  GateBuilder() {}

  /** Adds a lane. A name that was given before is refused. */
  public GateBuilder lane(String name, LaneOptions laneOptions) {
    requireNonNull(name, "name");
    if (lanes.putIfAbsent(name, requireNonNull(laneOptions, "options")) != null) {
      throw new IllegalArgumentException("a lane named " + name + " was given already");
    }
    return this;
  }

  /** How lanes are chosen and how long callers wait. */
  public GateBuilder options(ConnectionPoolOptions poolOptions) {
    this.options = requireNonNull(poolOptions, "options");
    return this;
  }

  /** A way of one's own to choose among lanes, instead of the one that the options name. */
  public GateBuilder strategy(Supplier<? extends SelectionStrategy> own) {
    this.ownStrategy = requireNonNull(own, "strategy");
    return this;
  }

  SelectionStrategy strategy() {
    return ownStrategy == null ? options.strategy().strategy() : ownStrategy.get();
  }

  /** The time to run on; real time if not set. */
  public GateBuilder time(Time other) {
    this.time = requireNonNull(other, "time");
    return this;
  }

  /** Where jitter comes from, the time's own source if not set; the gate makes it thread-safe. */
  public GateBuilder random(RandomGenerator source) {
    this.random = new LockedRandom(requireNonNull(source, "random"));
    return this;
  }

  /** Somebody to be told what happens. */
  public GateBuilder listener(GateListener listener) {
    listeners.add(requireNonNull(listener, "listener"));
    return this;
  }

  /** A new gate before the lanes given so far. What is set later changes no gate that was built. */
  public Gate build() {
    return new Gate(this);
  }
}
