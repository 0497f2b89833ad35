package dev.sluice.control.parallelism;

import dev.sluice.control.Ticker;
import java.time.Duration;
import java.time.Instant;

/** Time that passes only when told to; its origin is negative, as a monotonic clock's may be. */
final class SettableTicker implements Ticker {
  static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final long ORIGIN = Duration.ofMinutes(-3).toNanos();

  private volatile Duration elapsed = Duration.ZERO;

  void pass(Duration duration) {
    elapsed = elapsed.plus(duration);
  }

  void passSeconds(long seconds) {
    pass(Duration.ofSeconds(seconds));
  }

  /** Goes to a time since the start, forwards or back. */
  void at(Duration sinceStart) {
    elapsed = sinceStart;
  }

  @Override
  public long nanos() {
    return ORIGIN + elapsed.toNanos();
  }

  @Override
  public Instant instant() {
    return START.plus(elapsed);
  }
}
