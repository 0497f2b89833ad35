package dev.sluice.gate;

import dev.sluice.gate.time.Time;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Time that stands still, for tests in which nobody waits. */
final class StillTime implements Time {

  @Override
  public long nanos() {
    return 0;
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH;
  }

  @Override
  public RandomGenerator random() {
    return new SplittableRandom(0);
  }

  @Override
  public void sleepUntil(long deadline) {
    throw new AssertionError("nobody waits");
  }

  @Override
  public Bell bell() {
    return new Bell() {
      @Override
      public boolean await(long deadline) {
        throw new AssertionError("nobody waits");
      }

      @Override
      public void ring() {
        throw new AssertionError("nobody waits");
      }
    };
  }

  @Override
  public Task start(String name, Runnable body) {
    throw new AssertionError("nobody starts a task");
  }
}
