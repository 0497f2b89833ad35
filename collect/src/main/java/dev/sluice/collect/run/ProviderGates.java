package dev.sluice.collect.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.Provider;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateListener;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.pressure.LaneMemory;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gates of a process, one per lane: collections that ask the same provider with the same
 * credential share its pace and its holds, and no others. What a lane had been told before the
 * process began still holds. Thread-safe.
 */
public final class ProviderGates implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProviderGates.class);

  private final Store store;
  private final Time time;
  private final LaneMemory memory;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Gate> gates = new HashMap<>();
  private final Map<String, List<GateListener>> witnesses = new ConcurrentHashMap<>();
  private long allHeldUntil; // monotonic nanoseconds

  /** No gates yet. */
  public ProviderGates(Store store, Time time) {
    this.store = requireNonNull(store, "store");
    this.time = requireNonNull(time, "time");
    this.memory = new LaneMemory(store, time);
    this.allHeldUntil = time.nanos();
  }

  /** The gate before a provider's lane; made the first time that somebody asks. */
  public Gate gate(Provider provider) {
    lock.lock();
    try {
      Gate gate = gates.get(provider.lane());
      if (gate == null) {
        gate = open(provider);
        gates.put(provider.lane(), gate);
      }
      return gate;
    } finally {
      lock.unlock();
    }
  }

  private Gate open(Provider provider) {
    String lane = provider.lane();
    Gate gate =
        Gate.builder()
            .lane(lane, provider.pacing().options(lane, memory))
            .time(time)
            .listener(memory)
            .listener(event -> witnesses(lane).forEach(witness -> witness.onEvent(event)))
            .build();
    LaneRecord unused = memory.begin(gate, lane);
    gate.hold(lane, Duration.ofNanos(allHeldUntil - time.nanos()));
    return gate;
  }

  /**
   * Sends nothing to any provider for so long from now, and lets no process do so on a lane that
   * the store knows: what a provider says of an address concerns whoever comes from there. A hold
   * that lasts longer stays.
   */
  void holdAll(Duration length) {
    Map<String, Gate> open;
    lock.lock();
    try {
      long until = time.deadline(length);
      allHeldUntil = until - allHeldUntil > 0 ? until : allHeldUntil;
      open = Map.copyOf(gates);
    } finally {
      lock.unlock();
    }
    open.forEach((lane, gate) -> gate.hold(lane, length));
    memory.holdAll(length);
  }

  private List<GateListener> witnesses(String lane) {
    return witnesses.computeIfAbsent(lane, name -> new CopyOnWriteArrayList<>());
  }

  /** Tells somebody what happens on a lane, until it is closed. */
  Witness witness(String lane, GateListener listener) {
    witnesses(lane).add(listener);
    return () -> witnesses(lane).remove(listener);
  }

  /** Somebody who is told, until this is closed. */
  @FunctionalInterface
  interface Witness extends AutoCloseable {
    @Override
    void close();
  }

  /** What is remembered of their lanes. */
  LaneMemory memory() {
    return memory;
  }

  /** Closes them all, and keeps what was learned. */
  @Override
  public void close() {
    lock.lock();
    try {
      gates.values().forEach(Gate::close);
      store.write(
          transaction -> {
            gates.keySet().forEach(lane -> memory.end(transaction, lane));
            return null;
          });
    } catch (StoreException e) {
      log.warn("what was learned of the providers' pace is lost: {}", e.getMessage());
    } finally {
      lock.unlock();
    }
  }
}
