package dev.sluice.gate.time;

import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Real time: the machine's clocks, and a virtual thread for each task. */
final class RealTime implements Time {
  static final Time INSTANCE = new RealTime();

  private static final Logger log = LoggerFactory.getLogger(Time.class);

  // Counting from the start of the process keeps times small and positive.
  private final long origin = System.nanoTime();

  private RealTime() {}

  @Override
  public long nanos() {
    return System.nanoTime() - origin;
  }

  @Override
  public Instant instant() {
    return Instant.now();
  }

  @Override
  public void sleepUntil(long deadline) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    for (long left = deadline - nanos(); left > 0; left = deadline - nanos()) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }

  @Override
  public RandomGenerator random() {
    return new SplittableRandom();
  }

  @Override
  public Bell bell() {
    return new ParkingBell();
  }

  @Override
  public Task start(String name, Runnable body) {
    ThreadTask task = new ThreadTask(name, body);
    task.thread.start();
    return task;
  }

  /** Null: silent. RUNG: rung, not taken. A thread: it waits. */
  @SuppressWarnings("ReferenceEquality") // the state is one marker or one thread: identity is meant
  private final class ParkingBell implements Bell {
    private static final Object RUNG = new Object();
    private final AtomicReference<@Nullable Object> state = new AtomicReference<>();

    @Override
    public boolean await(long deadline) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Thread self = Thread.currentThread();
      if (!state.compareAndSet(null, self) && !state.compareAndSet(RUNG, null)) {
        throw new IllegalStateException("another task waits for this bell already");
      }
      while (state.get() == self) {
        long left = deadline == NEVER ? NEVER : deadline - nanos();
        if (left <= 0 || Thread.interrupted()) {
          return withdraw(self, left <= 0);
        }
        if (deadline == NEVER) {
          LockSupport.park(this); // cheaper: a timed park has to enter a timer and cancel it
        } else {
          LockSupport.parkNanos(this, left);
        }
      }
      return true;
    }

    /** Stops waiting, unless a ring has come meanwhile: that one counts. */
    private boolean withdraw(Thread self, boolean late) throws InterruptedException {
      if (!state.compareAndSet(self, null)) {
        if (!late) {
          Thread.currentThread().interrupt();
        }
        return true;
      }
      if (!late) {
        throw new InterruptedException();
      }
      return false;
    }

    @Override
    public void ring() {
      while (true) {
        Object before = state.get();
        if (before == RUNG) {
          return;
        }
        if (state.compareAndSet(before, before == null ? RUNG : null)) {
          LockSupport.unpark((Thread) before);
          return;
        }
      }
    }
  }

  private final class ThreadTask implements Task {
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;

    ThreadTask(String name, Runnable body) {
      this.thread = Thread.ofVirtual().name(name).unstarted(() -> run(body));
    }

    private void run(Runnable body) {
      try {
        body.run();
      } catch (Throwable e) { // handed to whoever joins, and logged because perhaps nobody does
        failure = e;
        log.warn("task {} failed", name(), e);
      } finally {
        ended.countDown();
      }
    }

    @Override
    public String name() {
      return thread.getName();
    }

    @Override
    public boolean join(long deadline) throws InterruptedException {
      if (deadline == NEVER) {
        ended.await();
      } else if (!ended.await(deadline - nanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
      Throwable thrown = failure;
      if (thrown != null) {
        throw new CompletionException("task " + name() + " failed", thrown);
      }
      return true;
    }

    @Override
    public void interrupt() {
      thread.interrupt();
    }
  }
}
