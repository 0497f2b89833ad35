package dev.sluice.gate.time;

import java.time.Duration;
import java.util.List;

/** Tasks wait, but nobody is left to wake them and no time that they wait for will come. */
public final class SimulatedDeadlockException extends SimulationFailedException {
  private static final long serialVersionUID = 1L;

  private final transient List<WaitingTask> waiting;

  SimulatedDeadlockException(
      Simulation options, Trace trace, Duration elapsed, List<WaitingTask> waiting) {
    super(
        options,
        trace,
        "deadlock after " + elapsed + " of simulated time" + WaitingTask.lines(waiting));
    this.waiting = waiting;
  }

  /** Everybody who waits, in the order in which they were started. */
  public List<WaitingTask> waiting() {
    return waiting;
  }
}
