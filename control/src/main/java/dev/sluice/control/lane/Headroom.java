package dev.sluice.control.lane;

import dev.sluice.control.signal.QuotaHint;
import java.time.Duration;

/**
 * The share of its quota that a lane has left, by the scarcest limit it was last told of; full
 * again once that limit's reset has passed. Single-threaded; nanoseconds.
 */
final class Headroom {
  /** Believed for as long as this where a hint does not say when the quota returns. */
  private static final Duration UNSAID_RESET = Duration.ofMinutes(1);

  private double share = 1;
  private long until;

  void told(QuotaHint hint, long now) {
    if (hint.limit().isEmpty() || hint.remaining().isEmpty()) {
      return;
    }
    double left = (double) hint.remaining().getAsLong() / hint.limit().getAsLong();
    if (left <= at(now) || hint.resetAfter().isPresent()) {
      share = left;
      until = Lane.after(now, hint.resetAfter().orElse(UNSAID_RESET));
    }
  }

  double at(long now) {
    return until - now > 0 ? share : 1;
  }
}
