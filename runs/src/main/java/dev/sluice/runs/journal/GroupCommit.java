package dev.sluice.runs.journal;

import dev.sluice.gate.time.Time;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Many changes, one commit. Whoever needs a commit while none is under way leads one; whoever comes
 * meanwhile waits, and when it is over the first of them leads the next, for all of them.
 *
 * <p>The lock guards the changes, too, and is never held while a commit is made: the leader has its
 * role, not the lock. After a commit has failed, nothing can be committed any more.
 */
final class GroupCommit {
  /** Makes changes durable; called by the leader, without the lock. */
  interface Commit {
    void run();
  }

  private enum Call {
    WAITING,
    SETTLED,
    LEAD
  }

  /** Somebody who waits for a commit. */
  private static final class Waiter {
    final long ticket;
    final Time.Bell bell;
    Call call = Call.WAITING;

    Waiter(long ticket, Time.Bell bell) {
      this.ticket = ticket;
      this.bell = bell;
    }
  }

  private final Time time;
  private final Supplier<Commit> take;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiter> waiters = new ArrayDeque<>(); // by ticket, lowest first
  private long changes;
  private long durable;
  private boolean leading;
  private @Nullable RuntimeException failure;

  /**
   * A group.
   *
   * @param take takes the changes made so far, under the lock, and says how they become durable
   */
  GroupCommit(Time time, Supplier<Commit> take) {
    this.time = time;
    this.take = take;
  }

  /**
   * Makes a change to what the lock guards, and counts it.
   *
   * @return its ticket
   */
  long change(Runnable change) {
    lock.lock();
    try {
      refuseAfterFailure();
      change.run();
      return ++changes;
    } finally {
      lock.unlock();
    }
  }

  /** Reads what the lock guards. */
  <T> T look(Supplier<T> question) {
    lock.lock();
    try {
      return question.get();
    } finally {
      lock.unlock();
    }
  }

  /** The ticket of the last change. */
  long last() {
    return look(() -> changes);
  }

  /** Whether a commit has failed. */
  boolean hasFailed() {
    return look(() -> failure != null);
  }

  /** Leads a commit, unless one is under way; never waits for another. */
  void nudge() {
    lock.lock();
    try {
      refuseAfterFailure();
      if (leading) {
        return;
      }
      leading = true;
    } finally {
      lock.unlock();
    }
    lead();
  }

  /**
   * Returns when the change with this ticket is durable.
   *
   * @throws InterruptedException if interrupted meanwhile; the change may become durable or not
   */
  void await(long ticket) throws InterruptedException {
    Waiter self = join(ticket);
    if (self == null) {
      return;
    }
    Call call = self.call;
    if (call == Call.WAITING) {
      call = answer(self);
    }
    if (call == Call.LEAD) {
      lead();
    } else {
      look(
          () -> {
            refuseIfNotDurable(ticket);
            return ticket;
          });
    }
  }

  /** A place in the line, perhaps with the lead; null if there is nothing to wait for. */
  private @Nullable Waiter join(long ticket) {
    lock.lock();
    try {
      if (durable >= ticket) {
        return null;
      }
      refuseAfterFailure();
      Waiter self = new Waiter(ticket, time.bell());
      if (leading) {
        waiters.add(self);
      } else {
        leading = true;
        self.call = Call.LEAD;
      }
      return self;
    } finally {
      lock.unlock();
    }
  }

  private Call answer(Waiter self) throws InterruptedException {
    try {
      boolean unused = self.bell.await(Time.NEVER);
    } catch (InterruptedException e) {
      lock.lock();
      try {
        if (self.call == Call.WAITING) {
          boolean unused = waiters.remove(self);
          throw e;
        }
      } finally {
        lock.unlock();
      }
      // Called in the same moment: the others rely on it. The interrupt stays for the next wait.
      Thread.currentThread().interrupt();
    }
    return look(() -> self.call);
  }

  /** Commits once, as the leader; tells everybody, and passes the lead on. */
  private void lead() {
    long upTo;
    Commit commit;
    lock.lock();
    try {
      commit = take.get();
      upTo = changes;
    } finally {
      lock.unlock();
    }
    // An interrupt is the leader's own business; files that are closed by one are everybody's.
    boolean interrupted = Thread.interrupted();
    RuntimeException thrown = null;
    try {
      commit.run();
    } catch (RuntimeException e) {
      thrown = e;
    } catch (Error e) {
      thrown = new IllegalStateException("a commit ended with an error", e);
      throw e;
    } finally {
      settle(upTo, thrown);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  private void settle(long upTo, @Nullable RuntimeException thrown) {
    List<Waiter> called = new ArrayList<>();
    lock.lock();
    try {
      if (thrown == null) {
        durable = upTo;
      } else {
        failure = thrown;
      }
      for (Iterator<Waiter> line = waiters.iterator(); line.hasNext(); ) {
        Waiter waiter = line.next();
        if (waiter.ticket > upTo && thrown == null) {
          break;
        }
        waiter.call = Call.SETTLED;
        called.add(waiter);
        line.remove();
      }
      Waiter next = waiters.poll();
      if (next == null) {
        leading = false;
      } else {
        next.call = Call.LEAD;
        called.add(next);
      }
    } finally {
      lock.unlock();
    }
    for (Waiter waiter : called) {
      waiter.bell.ring();
    }
  }

  private void refuseIfNotDurable(long ticket) {
    if (durable < ticket) {
      refuseAfterFailure();
    }
  }

  private void refuseAfterFailure() {
    if (failure != null) {
      throw Failures.again(failure);
    }
  }
}
