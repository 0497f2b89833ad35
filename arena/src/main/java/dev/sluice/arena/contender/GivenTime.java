package dev.sluice.arena.contender;

import dev.sluice.gate.time.Time;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Time that a bout sets. Nobody waits in it: whoever would have to is asked again later. */
final class GivenTime implements Time {
  private final SplittableRandom random;
  private long now;

  GivenTime(long seed) {
    this.random = new SplittableRandom(seed);
  }

  void set(long time) {
    now = time;
  }

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH.plusNanos(now);
  }

  @Override
  public RandomGenerator random() {
    return random.split();
  }

  @Override
  public Bell bell() {
    return new Bell() {
      @Override
      public boolean await(long deadline) {
        throw nobodyWaits();
      }

      @Override
      public void ring() {
        throw nobodyWaits();
      }
    };
  }

  @Override
  public void sleepUntil(long deadline) {
    throw nobodyWaits();
  }

  @Override
  public Task start(String name, Runnable body) {
    throw nobodyWaits();
  }

  private static IllegalStateException nobodyWaits() {
    return new IllegalStateException("nobody waits in a bout");
  }
}
