package dev.sluice.control.parallelism;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.RemainingWork;

/** A request of which only the time it was sent is known. */
record Request(long sentAt) implements Attempt {

  @Override
  public RemainingWork work() {
    return RemainingWork.UNKNOWN;
  }
}
