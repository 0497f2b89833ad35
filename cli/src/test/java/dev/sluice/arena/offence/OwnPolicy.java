package dev.sluice.arena.offence;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.Signal;

final class OwnPolicy implements Policy {
  @Override
  public int level(long now) {
    return 1;
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
