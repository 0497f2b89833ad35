package dev.sluice.control.routing;

import dev.sluice.control.Ticker;
import java.time.Duration;
import java.time.Instant;

/** Time that a test moves; the two clocks move together unless told otherwise. */
final class SettableTicker implements Ticker {
  static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  // The origin of monotonic time is arbitrary: here it wraps within the first second.
  private long nanos = Long.MAX_VALUE - 500_000_000L;
  private Instant instant = NOON;

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public Instant instant() {
    return instant;
  }

  void pass(Duration duration) {
    nanos += duration.toNanos();
    jumpWallClock(duration);
  }

  void jumpWallClock(Duration duration) {
    instant = instant.plus(duration);
  }
}
