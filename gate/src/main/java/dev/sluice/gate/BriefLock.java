package dev.sluice.gate;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is only ever held for moments. Whoever finds it taken looks away, each time for twice
 * as long, before it is put to sleep: to sleep and to be woken takes longer than what is waited
 * for, and to look all the time takes the lock's memory away from its holder.
 */
final class BriefLock {
  // In spin-wait hints; together some ten times as long as the lock is held.
  private static final int SHORTEST = 8;
  private static final int LONGEST = 512;

  private final ReentrantLock lock = new ReentrantLock();

  void lock() {
    for (int pause = SHORTEST; pause <= LONGEST; pause <<= 1) {
      if (lock.tryLock()) {
        return;
      }
      for (int i = 0; i < pause; i++) {
        Thread.onSpinWait();
      }
    }
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }
}
