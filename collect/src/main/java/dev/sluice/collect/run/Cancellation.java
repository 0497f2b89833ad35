package dev.sluice.collect.run;

import dev.sluice.gate.time.Time;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ends a run from outside: whoever waits for a turn to send is woken and sends nothing, and what
 * was sent may be answered. Thread-safe.
 */
final class Cancellation {
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Seat> queued = new HashSet<>();
  private final Seat first = new Seat();
  private boolean cancelled;

  /** Who can be woken: a worker of the run. */
  static final class Seat {
    private volatile Time.@Nullable Task task;

    /** Says which task works here. */
    void takenBy(Time.Task worker) {
      task = worker;
    }

    private void wake() {
      Time.Task worker = task;
      if (worker != null) {
        worker.interrupt();
      }
    }
  }

  /** The seat of the worker that does all that is done one after the other. */
  Seat first() {
    return first;
  }

  /** Nothing more is sent. */
  void cancel() {
    lock.lock();
    try {
      cancelled = true;
      queued.forEach(Seat::wake);
    } finally {
      lock.unlock();
    }
  }

  /**
   * A worker is about to wait for its turn.
   *
   * @throws InterruptedException if the run is cancelled
   */
  void queue(Seat seat) throws InterruptedException {
    lock.lock();
    try {
      if (cancelled) {
        throw cancelled();
      }
      queued.add(seat);
    } finally {
      lock.unlock();
    }
  }

  /**
   * A worker has its turn: from here on it is not woken any more.
   *
   * @throws InterruptedException if the run was cancelled before; then it must not send
   */
  void turn(Seat seat) throws InterruptedException {
    lock.lock();
    try {
      if (queued.remove(seat) && cancelled) {
        throw cancelled();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A worker waits no longer, whether it had its turn or not. */
  void leave(Seat seat) {
    lock.lock();
    try {
      queued.remove(seat);
    } finally {
      lock.unlock();
    }
  }

  private static InterruptedException cancelled() {
    return new InterruptedException("the run was cancelled");
  }
}
