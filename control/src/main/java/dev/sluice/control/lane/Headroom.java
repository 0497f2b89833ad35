package dev.sluice.control.lane;

import dev.sluice.control.signal.QuotaHint;
import java.time.Duration;
import java.util.List;

/**
 * The share of its quota that a lane has left, by the scarcest limit of the last answer that spoke
 * of one; full again once that limit's reset has passed. Single-threaded; nanoseconds.
 */
final class Headroom {
  /** Believed for as long as this where a hint does not say when the quota returns. */
  private static final Duration UNSAID_RESET = Duration.ofMinutes(1);

  private double share = 1;
  private long until;

  /** One object's limit, or a concurrency limit, says nothing about the lane. */
  static boolean concernsLane(QuotaHint hint) {
    return hint.scope().reach() != QuotaHint.Reach.OBJECT
        && hint.scope().unit() != QuotaHint.Unit.CONCURRENT;
  }

  void told(List<QuotaHint> hints, long now) {
    double scarcest = Double.POSITIVE_INFINITY;
    for (QuotaHint hint : hints) {
      if (!concernsLane(hint) || hint.limit().isEmpty() || hint.remaining().isEmpty()) {
        continue;
      }
      double left = (double) hint.remaining().getAsLong() / hint.limit().getAsLong();
      if (left < scarcest) {
        scarcest = left;
        until = LaneHold.after(now, hint.resetAfter().orElse(UNSAID_RESET));
      }
    }
    if (scarcest <= 1) {
      share = scarcest;
    }
  }

  double at(long now) {
    return until - now > 0 ? share : 1;
  }
}
