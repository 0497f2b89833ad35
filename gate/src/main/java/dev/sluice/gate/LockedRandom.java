package dev.sluice.gate;

import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/** Any generator, made safe for many threads. */
final class LockedRandom implements RandomGenerator {
  private final ReentrantLock lock = new ReentrantLock();
  private final RandomGenerator source;

  LockedRandom(RandomGenerator source) {
    this.source = source;
  }

  @Override
  public long nextLong() {
    lock.lock();
    try {
      return source.nextLong();
    } finally {
      lock.unlock();
    }
  }
}
