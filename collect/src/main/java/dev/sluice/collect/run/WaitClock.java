package dev.sluice.collect.run;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateEvent;
import dev.sluice.gate.GateListener;
import dev.sluice.gate.HoldCause;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the time in which some request of a run was ready and could not be sent, and for what: the
 * time of all workers together, not of each. Thread-safe.
 */
final class WaitClock implements GateListener {
  private final Gate gate;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock; monotonic nanoseconds.
  private final Map<Wait, Long> waited = new EnumMap<>(Wait.class);
  private int waiting;
  private long last;
  private long heldUntil;
  private Wait held = Wait.TOLD;
  private boolean open;
  private long pausedUntil;
  private long backOffUntil;

  /** For a gate with a single lane. */
  WaitClock(Gate gate) {
    this.gate = gate;
    this.time = gate.time();
    this.last = time.nanos();
    this.pausedUntil = last;
    this.backOffUntil = last;
    LaneStatistics lane = gate.statistics().lanes().getFirst();
    this.heldUntil = last + lane.held().toNanos();
    this.open = lane.circuit() == CircuitState.OPEN;
  }

  /** A request is ready to be sent. */
  void begin() {
    locked(now -> waiting++);
  }

  /** It is sent, or not wanted any more. */
  void end() {
    locked(now -> waiting--);
  }

  /** A list is not asked for before so long from now. */
  void pause(Duration length) {
    locked(now -> pausedUntil = now + length.toNanos());
  }

  /** The provider wants no request of the lane, or none of one stream, for so long from now. */
  void hold(Duration length, HoldCause cause) {
    locked(
        now -> {
          heldUntil = Math.max(heldUntil, Time.after(now, length));
          held = Wait.of(cause);
        });
  }

  /** What is waited for now and how long still, in a sentence; empty if it is the pace. */
  Optional<String> reason() {
    lock.lock();
    try {
      long now = time.nanos();
      if (heldUntil > now) {
        return Optional.of(
            "waits another %s %s".formatted(Figures.time(heldUntil - now), held.words()));
      }
      return pausedUntil > now
          ? Optional.of(
              "asks for a list again in %s, because it kept failing"
                  .formatted(Figures.time(pausedUntil - now)))
          : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onEvent(GateEvent event) {
    switch (event) {
      case GateEvent.Held hold -> hold(hold.remaining(), hold.cause());
      case GateEvent.Slowed slowed -> {
        if (slowed.cause() == SlowedBy.HOLD) { // perhaps by what another process was told
          Duration length = gate.statistics().lanes().getFirst().held();
          locked(now -> heldUntil = Math.max(heldUntil, Time.after(now, length)));
        }
      }
      case GateEvent.CircuitMoved move ->
          locked(now -> open = move.transition().state() == CircuitState.OPEN);
      case GateEvent.Retried retried ->
          locked(now -> backOffUntil = now + retried.backoff().toNanos());
      default -> {}
    }
  }

  /** For how long so far, without what took no time. */
  Map<Wait, Duration> waited() {
    Map<Wait, Duration> all = new EnumMap<>(Wait.class);
    locked(
        now ->
            waited.forEach(
                (wait, nanos) -> {
                  if (nanos > 0) {
                    all.put(wait, Duration.ofNanos(nanos));
                  }
                }));
    return all;
  }

  /** Something that changes, or looks, once all time up to now is counted. */
  private interface Step {
    void at(long now);
  }

  private void locked(Step step) {
    lock.lock();
    try {
      long now = time.nanos();
      count(now);
      step.at(now);
    } finally {
      lock.unlock();
    }
  }

  private void count(long now) {
    if (waiting > 0) {
      last = add(held, heldUntil, now);
      if (open) {
        last = add(Wait.CIRCUIT, now, now);
      }
      if (waiting == 1) { // otherwise another waits for something else
        last = add(Wait.PAUSE, pausedUntil, now);
        last = add(Wait.BACK_OFF, backOffUntil, now);
      }
      last = add(Wait.PACE, now, now);
    }
    last = now;
  }

  /** Counts the time from the last on, up to a time, and at most up to now; where it ended. */
  private long add(Wait wait, long until, long now) {
    long end = Math.max(last, Math.min(until, now));
    long unused = waited.merge(wait, end - last, Long::sum);
    return end;
  }
}
