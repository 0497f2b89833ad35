package dev.sluice.runs.pressure;

import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** The time of a machine whose wall clock is wrong. */
record SkewedTime(Time world, Duration by) implements Time {
  @Override
  public long nanos() {
    return world.nanos();
  }

  @Override
  public Instant instant() {
    return world.instant().plus(by);
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
  public Task start(String name, Runnable work) {
    return world.start(name, work);
  }

  @Override
  public RandomGenerator random() {
    return world.random();
  }
}
