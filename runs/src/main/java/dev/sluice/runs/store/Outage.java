package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A server that cannot be reached, perhaps because it restarts. All who need it wait at the same
 * time, until it answers or until the deadline of the outage, which is one for all. Whoever cannot
 * reach it while others can gives up just as late. Thread-safe.
 */
final class Outage {
  static final Duration BETWEEN_CONNECTS = Duration.ofMillis(250);

  private final Time time;
  private final Duration longest;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean everAnswered;
  private @Nullable SQLException failure; // the last one since the server answered
  private long failedAt;
  private long deadline;

  /**
   * None so far.
   *
   * @param longest for how long a server is waited for that was there before
   */
  Outage(Time time, Duration longest) {
    this.time = time;
    this.longest = longest;
  }

  /** The server has answered. */
  void end() {
    lock.lock();
    try {
      everAnswered = true;
      failure = null;
    } finally {
      lock.unlock();
    }
  }

  /** It could not be reached. */
  void failed(SQLException e) {
    lock.lock();
    try {
      failedAt = time.nanos();
      deadline = failure == null ? time.deadline(longest) : deadline;
      failure = e;
    } finally {
      lock.unlock();
    }
  }

  /** Why somebody else could not reach it after that time; then nobody has to try again at once. */
  Optional<SQLException> failureSince(long nanos) {
    lock.lock();
    try {
      return failedAt - nanos > 0 ? Optional.ofNullable(failure) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** When a caller gives up that could not reach it just now, even if others can. */
  long giveUpAt() {
    return time.deadline(longest);
  }

  private boolean isWaitedFor() {
    lock.lock();
    try { // one that never answered has a wrong address
      return everAnswered && (failure == null || time.nanos() - deadline < 0);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits a moment; whether to try again.
   *
   * @param giveUpAt as {@link #giveUpAt} said when the caller first could not reach it
   */
  boolean pause(long giveUpAt) {
    if (!isWaitedFor() || time.nanos() - giveUpAt >= 0) {
      return false;
    }
    try {
      time.sleep(BETWEEN_CONNECTS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
