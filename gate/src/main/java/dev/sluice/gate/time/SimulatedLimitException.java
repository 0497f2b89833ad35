package dev.sluice.gate.time;

import java.util.List;

/**
 * A simulation exceeded its limit of simulated time or of steps: probably something goes on for
 * ever.
 */
public final class SimulatedLimitException extends SimulationFailedException {
  private static final long serialVersionUID = 1L;

  private final transient List<WaitingTask> waiting;

  SimulatedLimitException(Simulation options, Trace trace, String what, List<WaitingTask> waiting) {
    super(options, trace, what + WaitingTask.lines(waiting));
    this.waiting = waiting;
  }

  /** Everybody who had not ended, in the order in which they were started. */
  public List<WaitingTask> waiting() {
    return waiting;
  }
}
