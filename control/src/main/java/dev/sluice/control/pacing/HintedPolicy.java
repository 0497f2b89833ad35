package dev.sluice.control.pacing;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.DelegatingPolicy;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.Signal;

/**
 * Another policy, never faster than answers say that the quota lasts. Hints lower its pace while
 * they stand; what it has learned they leave alone, its {@link #rate} included.
 *
 * <p>Single-threaded, as every policy.
 */
public final class HintedPolicy extends DelegatingPolicy {
  private final QuotaCeiling quota;
  private boolean any;
  private long lastStart;
  private long startBefore;

  /** The given policy, which nobody else may use, under what answers say from now on. */
  public HintedPolicy(Policy policy, long now) {
    super(policy);
    this.quota = new QuotaCeiling(now);
    this.lastStart = now;
    this.startBefore = now;
  }

  @Override
  public long notBefore(long now) {
    long own = super.notBefore(now);
    double ceiling = quota.at(now);
    return any && ceiling < Double.POSITIVE_INFINITY
        ? Math.max(own, lastStart + Gcra.interval(ceiling))
        : own;
  }

  @Override
  public void started(Attempt attempt, long now) {
    super.started(attempt, now);
    any = true;
    startBefore = lastStart;
    lastStart = now;
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    super.settled(attempt, signal, now);
    quota.heard(signal, now);
  }

  @Override
  public void abandoned(Attempt attempt, long now) {
    super.abandoned(attempt, now);
    if (attempt.sentAt() == lastStart) { // otherwise its place has passed
      lastStart = startBefore;
    }
  }
}
