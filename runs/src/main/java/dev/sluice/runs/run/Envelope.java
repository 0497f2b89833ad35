package dev.sluice.runs.run;

import dev.sluice.control.budget.RunBudget;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one run may spend; what is missing is not limited. Immutable.
 *
 * @param requestCap attempts in total, at least 1
 * @param wallClock time from the first attempt on, positive
 */
public record Envelope(OptionalLong requestCap, Optional<Duration> wallClock) {
  /** No limits. */
  public static final Envelope UNBOUNDED = new Envelope(OptionalLong.empty(), Optional.empty());

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public Envelope {
    RunBudget unused = RunBudget.of(requestCap, wallClock);
  }

  /** The same with a cap on attempts. */
  public Envelope withRequestCap(long attempts) {
    return new Envelope(OptionalLong.of(attempts), wallClock);
  }

  /** The same with a clock. */
  public Envelope withWallClock(Duration duration) {
    return new Envelope(requestCap, Optional.of(duration));
  }

  /** A budget of this size with nothing spent. */
  public RunBudget budget() {
    return RunBudget.of(requestCap, wallClock);
  }
}
