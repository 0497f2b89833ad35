package dev.sluice.runs.pressure;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.DelegatingPolicy;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.Policy;
import java.util.function.IntSupplier;

/**
 * Another policy for a lane that several processes use: each starts its requests as many intervals
 * of that policy apart as there are processes, so that together they keep its rate. What the policy
 * knows is what all of them may do. Without a rate there is nothing to divide.
 */
final class SharedPolicy extends DelegatingPolicy {
  private static final double SECOND = 1e9;

  private final IntSupplier processes;
  private long lastStart;

  /**
   * The given policy.
   *
   * @param processes how many use the lane, this one included
   * @param now when it begins, as if something had just started
   */
  SharedPolicy(Policy policy, IntSupplier processes, long now) {
    super(policy);
    this.processes = processes;
    this.lastStart = now;
  }

  @Override
  public long notBefore(long now) {
    long notBefore = super.notBefore(now);
    double rate = rate();
    if (processes.getAsInt() < 2 || !(rate > 0) || Double.isInfinite(rate)) {
      return notBefore;
    }
    long turn = lastStart + (long) Math.min(SECOND / rate, Long.MAX_VALUE / 4.0);
    return turn - notBefore > 0 ? turn : notBefore;
  }

  @Override
  public void started(Attempt attempt, long now) {
    lastStart = now;
    super.started(attempt, now);
  }

  @Override
  public String reason(long now) {
    int all = processes.getAsInt();
    String reason = super.reason(now);
    if (all < 2 || Double.isInfinite(rate())) {
      return reason;
    }
    String shared =
        "%d processes use the lane, and this one may send %s".formatted(all, Figures.rate(rate()));
    return reason.isEmpty() ? shared : reason + "; " + shared;
  }

  /** This process's part. */
  @Override
  public double rate() {
    return super.rate() / Math.max(1, processes.getAsInt());
  }
}
