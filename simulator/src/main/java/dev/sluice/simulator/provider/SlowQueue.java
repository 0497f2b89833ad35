package dev.sluice.simulator.provider;

import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.limit.Limiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps requests waiting instead of refusing them: each is served when the limit has room for it,
 * in the order in which they came. A cap on requests at once stretches all of them instead, as if
 * they shared so many processors. Single-threaded; monotonic nanoseconds that do not go back.
 */
final class SlowQueue {
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

  private final Limiter limiter;
  private final long madeCap;
  private double cap;
  private long ahead; // when the last one in the queue is served; the limiter's time

  SlowQueue(LimitOptions limit, long boundary, long now) {
    List<LimitOptions> rates = new ArrayList<>();
    this.madeCap = split(limit, rates);
    this.cap = madeCap;
    this.limiter = new LimitOptions.All(rates).open(boundary, now);
    this.ahead = now;
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

  /** Takes the next place: how long until it is served, {@link Limiter#NEVER} if it is not. */
  long join(long now) {
    long at = time(now);
    if (cap < 1) {
      return Limiter.NEVER;
    }
    for (long wait = limiter.untilFree(at); wait != 0; wait = limiter.untilFree(at)) {
      if (wait > LONGEST || at + wait - now > LONGEST) {
        return Limiter.NEVER;
      }
      at += wait;
      ahead = at;
    }
    limiter.spend(at);
    ahead = at;
    return at - now;
  }

  /** By how much a request is stretched if so many run, itself among them. */
  double stretch(int running) {
    return Math.max(1, running / cap);
  }

  void scale(double factor, long now) {
    limiter.scale(factor, time(now));
    cap = madeCap * factor;
  }

  /** The limit, without the cap on requests at once. */
  Limiter limiter() {
    return limiter;
  }

  /** The limiter's time, which may be ahead of the clock. */
  long time(long now) {
    return ahead - now > 0 ? ahead : now;
  }
}
