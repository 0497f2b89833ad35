package dev.sluice.control.policy;

import dev.sluice.control.signal.Signal;

/**
 * Another policy, for those who add to some of what it does: whatever they leave alone, it decides.
 *
 * <p>Single-threaded, as every policy.
 */
public abstract class DelegatingPolicy implements Policy {
  private final Policy policy;

  /** The given policy, which nobody else may use. */
  protected DelegatingPolicy(Policy policy) {
    this.policy = policy;
  }

  @Override
  public int level(long now) {
    return policy.level(now);
  }

  @Override
  public long notBefore(long now) {
    return policy.notBefore(now);
  }

  @Override
  public void started(Attempt attempt, long now) {
    policy.started(attempt, now);
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    policy.settled(attempt, signal, now);
  }

  @Override
  public void abandoned(Attempt attempt, long now) {
    policy.abandoned(attempt, now);
  }

  @Override
  public void held(long until) {
    policy.held(until);
  }

  @Override
  public boolean probes() {
    return policy.probes();
  }

  @Override
  public SlowedBy slowedBy(long now) {
    return policy.slowedBy(now);
  }

  @Override
  public String reason(long now) {
    return policy.reason(now);
  }

  @Override
  public LevelSearch search(long now) {
    return policy.search(now);
  }

  @Override
  public void reset(long now) {
    policy.reset(now);
  }

  @Override
  public double rate() {
    return policy.rate();
  }
}
