package dev.sluice.control.parallelism;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Work;

/** A request of which only the time it was sent is known. */
record Request(long sentAt) implements Attempt {

  @Override
  public Work work() {
    return Work.UNKNOWN;
  }
}
