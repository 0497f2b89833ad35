package dev.sluice.control.lane;

import dev.sluice.control.parallelism.AdaptiveRateStatistics;
import dev.sluice.control.policy.LevelSearch;
import java.time.Instant;
import java.util.Optional;

/** What a lane counts for its statistics, whatever its policy. Single-threaded; nanoseconds. */
final class Activity {
  private long throttles;
  private long throttledAt;
  private long successes; // since the last throttle or reset
  private long latest;

  /** Nothing happened until {@code now}. */
  Activity(long now) {
    latest = now;
  }

  void happened(long now) {
    latest = now;
  }

  void succeeded() {
    successes++;
  }

  void throttled(long now) {
    throttles++;
    throttledAt = now;
    successes = 0;
  }

  void reset() {
    successes = 0;
  }

  long throttles() {
    return throttles;
  }

  /** With what the policy knows; {@code wall} is what the wall clock says at {@code now}. */
  AdaptiveRateStatistics statistics(
      String lane, int level, LevelSearch search, long now, Instant wall) {
    return new AdaptiveRateStatistics(
        lane,
        level,
        search.max(),
        search.lastKnownGood(),
        search.isLastKnownGoodStale(),
        search.successes().orElse(successes),
        throttles,
        throttles > 0 ? Optional.of(wall.minusNanos(now - throttledAt)) : Optional.empty(),
        search.lastIncrease().isPresent()
            ? Optional.of(wall.minusNanos(now - search.lastIncrease().getAsLong()))
            : Optional.empty(),
        wall.minusNanos(now - latest));
  }
}
