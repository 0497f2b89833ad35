package dev.sluice.control.routing;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The tracker: one map under one short lock.
 *
 * <p>A concurrent map would be linearizable for one connection, but neither for the sets, whose
 * iteration may see a later throttle and miss an earlier one, nor for the total beside them. The
 * clock is read inside the lock, so that holds are compared with the time of their turn.
 */
final class LockedThrottleTracker implements ThrottleTracker {
  private final Ticker ticker;
  private final Duration buffer;
  private final ReentrantLock lock = new ReentrantLock();
  // In the order in which the holds began, which makes every listing reproducible.
  private final Map<String, Hold> holds = new LinkedHashMap<>();
  private long events;

  LockedThrottleTracker(Ticker ticker, Duration buffer) {
    this.ticker = requireNonNull(ticker, "ticker");
    this.buffer = ConnectionPoolOptions.checkedBuffer(buffer);
  }

  @Override
  public void recordThrottle(String connection, Duration retryAfter) {
    requireNonNull(connection, "connection");
    requireNonNull(retryAfter, "retryAfter");
    lock.lock();
    try {
      events++;
      long now = ticker.nanos();
      dropExpired(now);
      if (retryAfter.isPositive()) {
        hold(connection, retryAfter, now);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isThrottled(String connection) {
    requireNonNull(connection, "connection");
    lock.lock();
    try {
      return inForce(connection) != null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<ThrottleState> throttleState(String connection) {
    requireNonNull(connection, "connection");
    lock.lock();
    try {
      Hold hold = inForce(connection);
      return hold == null ? Optional.empty() : Optional.of(hold.state());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Set<String> throttledConnections() {
    lock.lock();
    try {
      dropExpired(ticker.nanos());
      return Collections.unmodifiableSet(new LinkedHashSet<>(holds.keySet()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int throttledConnectionCount() {
    lock.lock();
    try {
      dropExpired(ticker.nanos());
      return holds.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Duration shortestExpiry() {
    lock.lock();
    try {
      long now = ticker.nanos();
      dropExpired(now);
      long shortest = Long.MAX_VALUE;
      for (Hold hold : holds.values()) {
        shortest = Math.min(shortest, hold.until() - now);
      }
      return holds.isEmpty() ? Duration.ZERO : Duration.ofNanos(shortest);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long totalThrottleEvents() {
    lock.lock();
    try {
      return events;
    } finally {
      lock.unlock();
    }
  }

  /** How many holds are kept, expired ones included: what bounds the memory. */
  int kept() {
    lock.lock();
    try {
      return holds.size();
    } finally {
      lock.unlock();
    }
  }

  private void hold(String connection, Duration retryAfter, long now) {
    Duration wait =
        (retryAfter.compareTo(LONGEST_HOLD) < 0 ? retryAfter : LONGEST_HOLD).plus(buffer);
    long until = now + wait.toNanos();
    Hold standing = holds.get(connection);
    if (standing == null || until - standing.until() > 0) {
      Instant at = ticker.instant();
      holds.put(
          connection,
          new Hold(until, new ThrottleState(connection, at, at.plus(wait), retryAfter)));
    }
  }

  private @Nullable Hold inForce(String connection) {
    Hold hold = holds.get(connection);
    return hold != null && hold.until() - ticker.nanos() > 0 ? hold : null;
  }

  private void dropExpired(long now) {
    holds.values().removeIf(hold -> hold.until() - now <= 0);
  }

  /** A hold until a time of the monotonic clock, and how it is shown. */
  private record Hold(long until, ThrottleState state) {}
}
