package dev.sluice.control.pacing;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.DelegatingPolicy;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.Signal;

/**
 * Another policy, never faster than answers say that the quota lasts. Hints lower its pace while
 * they stand; what it has learned they leave alone, its {@link #rate} included.
 *
 * <p>Single-threaded, as every policy.
 */
public final class HintedPolicy extends DelegatingPolicy {
  private final QuotaCeiling quota = new QuotaCeiling();

  /** The given policy, which nobody else may use, under what answers say from now on. */
  public HintedPolicy(Policy policy) {
    super(policy);
  }

  @Override
  public long notBefore(long now) {
    return Math.max(super.notBefore(now), quota.notBefore(now));
  }

  @Override
  public SlowedBy slowedBy(long now) {
    return isQuotaLower() ? SlowedBy.TOLD_LIMIT : super.slowedBy(now);
  }

  @Override
  public String reason(long now) {
    return isQuotaLower() ? quota.reason() : super.reason(now);
  }

  /** Whether the quota, and not the policy, decides how fast it goes. */
  private boolean isQuotaLower() {
    return quota.rate() < rate();
  }

  @Override
  public void started(Attempt attempt, long now) {
    super.started(attempt, now);
    quota.started(now);
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    super.settled(attempt, signal, now);
    quota.settled(attempt.sentAt(), signal, now);
  }

  @Override
  public void abandoned(Attempt attempt, long now) {
    super.abandoned(attempt, now);
    quota.abandoned(attempt.sentAt());
  }
}
