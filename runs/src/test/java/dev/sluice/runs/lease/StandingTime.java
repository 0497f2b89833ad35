package dev.sluice.runs.lease;

import dev.sluice.gate.time.Time;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** The time of a process that stands still: it reads clocks, but its tasks never start. */
record StandingTime(Time world) implements Time {
  @Override
  public long nanos() {
    return world.nanos();
  }

  @Override
  public Instant instant() {
    return world.instant();
  }

  @Override
  public void sleepUntil(long deadline) throws InterruptedException {
    world.sleepUntil(deadline);
  }

  @Override
  public Bell bell() {
    return world.bell();
  }

  @Override
  public Task start(String name, Runnable body) {
    return world.start(name, () -> {});
  }

  @Override
  public RandomGenerator random() {
    return world.random();
  }
}
