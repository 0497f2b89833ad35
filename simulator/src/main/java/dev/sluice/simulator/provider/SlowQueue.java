package dev.sluice.simulator.provider;

import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.limit.Limiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps requests waiting instead of refusing them: each is served when the limit has room for it,
 * in the order in which they came. A cap on requests at once stretches all of them instead, as if
 * they shared so many processors.
 */
final class SlowQueue extends Door {
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

  private final long madeCap;
  private double cap;
  private long ahead; // when the last one in the queue is served: the limiter's time

  private SlowQueue(Limiter limiter, boolean roomiest, long cap, long now) {
    super(limiter, roomiest);
    this.madeCap = cap;
    this.cap = cap;
    this.ahead = now;
  }

  static SlowQueue open(LimitOptions limit, boolean roomiest, long boundary, long now) {
    List<LimitOptions> rates = new ArrayList<>();
    long cap = split(limit, rates);
    return new SlowQueue(new LimitOptions.All(rates).open(boundary, now), roomiest, cap, now);
  }

  /** Sorts out what counts by time; returns the least of what counts requests at once. */
  private static long split(LimitOptions limit, List<LimitOptions> rates) {
    return switch (limit) {
      case LimitOptions.Concurrent concurrent -> concurrent.limit();
      case LimitOptions.All all -> {
        long least = Long.MAX_VALUE;
        for (LimitOptions part : all.parts()) {
          least = Math.min(least, split(part, rates));
        }
        yield least;
      }
      default -> {
        rates.add(limit);
        yield Long.MAX_VALUE;
      }
    };
  }

  @Override
  long enter(long now) {
    long at = time(now);
    if (cap < 1) {
      return -Limiter.NEVER;
    }
    for (long wait = limiter().untilFree(at); wait != 0; wait = limiter().untilFree(at)) {
      if (wait > LONGEST || at + wait - now > LONGEST) {
        return wait == Limiter.NEVER ? -wait : now + LONGEST - at - wait;
      }
      at += wait;
      ahead = at;
    }
    limiter().spend(at);
    ahead = at;
    return at - now;
  }

  @Override
  double stretch(int running) {
    return Math.max(1, running / cap);
  }

  @Override
  void scale(double factor, long now) {
    super.scale(factor, now);
    cap = madeCap * factor;
  }

  @Override
  long time(long now) {
    return ahead - now > 0 ? ahead : now;
  }
}
