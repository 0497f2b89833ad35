package dev.sluice.control.parallelism;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.Signal;
import java.util.function.IntSupplier;

/**
 * The policy {@code fixed}: as many at once as it was told, usually what the service recommends;
 * whatever comes back, it stays. It does not pace. Single-threaded, like every policy.
 */
public final class FixedPolicy implements Policy {
  private IntSupplier max;

  /**
   * Starts at a level.
   *
   * @throws IllegalArgumentException if {@code max} is less than 1
   */
  public FixedPolicy(int max) {
    this(Levels.fixed(max));
  }

  /** Follows a number that changes; what is less than 1 counts as 1. */
  public FixedPolicy(IntSupplier max) {
    this.max = max;
  }

  /**
   * Changes the level.
   *
   * @throws IllegalArgumentException if {@code max} is less than 1
   */
  public void max(int max) {
    this.max = Levels.fixed(max);
  }

  @Override
  public int level(long now) {
    return Math.max(1, max.getAsInt());
  }

  @Override
  public long notBefore(long now) {
    return now;
  }

  @Override
  public void started(Attempt attempt, long now) {}

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {}

  @Override
  public void abandoned(Attempt attempt, long now) {}
}
