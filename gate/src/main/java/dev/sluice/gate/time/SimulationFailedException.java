package dev.sluice.gate.time;

/**
 * A run in simulated time failed. The message names the seed and the code that repeats the run; the
 * cause is what was thrown. What other tasks threw meanwhile, and nobody joined, is suppressed in
 * it.
 */
public class SimulationFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long seed;
  private final transient Trace trace;

  SimulationFailedException(Simulation options, Trace trace, String what, Throwable cause) {
    super(message(options, what), cause);
    this.seed = options.seed();
    this.trace = trace;
  }

  SimulationFailedException(Simulation options, Trace trace, String what) {
    super(message(options, what));
    this.seed = options.seed();
    this.trace = trace;
  }

  private static String message(Simulation options, String what) {
    return "failed with seed " + options.seed() + "; repeat with " + options + ": " + what;
  }

  /** The seed that repeats the run. */
  public long seed() {
    return seed;
  }

  /** What had happened until then. Lost if the exception is serialised. */
  public Trace trace() {
    return trace;
  }
}
