package dev.sluice.gate.time;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What happened in a simulation, in order: equal seeds give equal traces.
 *
 * <p>The hash and the number of steps are always kept and cost nanoseconds; the events themselves
 * only if the simulation was asked to with {@link Simulation#traced(boolean)}. Read it from a task,
 * or after the run; it is not thread-safe.
 */
public final class Trace {

  /** What a task did, or what happened to it. */
  public enum Kind {
    /** It was started; its first turn is still to come. */
    STARTED,
    /** It was chosen, and runs until its next wait. */
    TURN,
    /** It sleeps. */
    SLEEPS,
    /** It waits for a bell. */
    AWAITS,
    /** It waits for another task to end. */
    JOINS,
    /** It rang a bell. */
    RINGS,
    /** It was interrupted. */
    INTERRUPTED,
    /** It ended. */
    ENDED,
    /** It ended with an exception. */
    FAILED
  }

  /**
   * One event.
   *
   * @param sinceStart nanoseconds of simulated time since the start of the run, whatever its origin
   * @param task the name of the task
   * @param kind what it did
   */
  public record Event(long sinceStart, String task, Kind kind) {
    @Override
    public String toString() {
      return "%d ns %s %s".formatted(sinceStart, task, kind);
    }
  }

  private final boolean keepsEvents;
  private final List<Event> events = new ArrayList<>();
  private long hash;
  private long steps;

  Trace(boolean keepsEvents) {
    this.keepsEvents = keepsEvents;
  }

  /** A hash over all events so far: two runs with the same hash went the same way. */
  public long hash() {
    return hash;
  }

  /** How many turns have been given to tasks so far. */
  public long steps() {
    return steps;
  }

  /** The events so far, oldest first, as a view; empty if the simulation is not traced. */
  public List<Event> events() {
    return Collections.unmodifiableList(events);
  }

  void add(long sinceStart, SimulatedTask task, Kind kind) {
    if (kind == Kind.TURN) {
      steps++;
    }
    // Names count once, when the task starts; from then on its number stands for it.
    int who = kind == Kind.STARTED ? task.name().hashCode() : task.number;
    long what = ((long) who << 32) ^ kind.name().hashCode();
    hash = SplitMix.mix(31 * hash + SplitMix.mix(sinceStart) + what);
    if (keepsEvents) {
      events.add(new Event(sinceStart, task.name(), kind));
    }
  }

  @Override
  public String toString() {
    return "%d steps, hash %016x".formatted(steps, hash);
  }
}
