package dev.sluice.runs.pressure;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.DelegatingPolicy;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.Signal;
import java.util.function.LongConsumer;

/**
 * Another policy, and somebody who is told after every success: a policy belongs to its lane's
 * lock, so what it has learned is best read where the lane calls it.
 */
final class WatchedPolicy extends DelegatingPolicy {
  private final LongConsumer succeeded;

  /**
   * The given policy.
   *
   * @param succeeded is given the time of a success, in monotonic nanoseconds
   */
  WatchedPolicy(Policy policy, LongConsumer succeeded) {
    super(policy);
    this.succeeded = succeeded;
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    super.settled(attempt, signal, now);
    if (signal instanceof Signal.Success) {
      succeeded.accept(now);
    }
  }
}
