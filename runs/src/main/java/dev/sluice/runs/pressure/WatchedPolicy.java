package dev.sluice.runs.pressure;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.DelegatingPolicy;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.Signal;
import java.util.function.LongConsumer;

/**
 * Another policy, and somebody who is told after every success, and until when nothing may start: a
 * policy belongs to its lane's lock, so what it has learned is best read where the lane calls it.
 */
final class WatchedPolicy extends DelegatingPolicy {
  private final LongConsumer succeeded;
  private final LongConsumer rests;

  /**
   * The given policy.
   *
   * @param succeeded is given the time of a success, in monotonic nanoseconds
   * @param rests is given the time before which nothing may start
   */
  WatchedPolicy(Policy policy, LongConsumer succeeded, LongConsumer rests) {
    super(policy);
    this.succeeded = succeeded;
    this.rests = rests;
  }

  @Override
  public long notBefore(long now) {
    long notBefore = super.notBefore(now);
    rests.accept(notBefore);
    return notBefore;
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    super.settled(attempt, signal, now);
    if (signal instanceof Signal.Success) {
      succeeded.accept(now);
    }
  }
}
