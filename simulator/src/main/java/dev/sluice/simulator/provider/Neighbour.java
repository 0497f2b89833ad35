package dev.sluice.simulator.provider;

import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.limit.TimeRing;
import java.util.SplittableRandom;

/**
 * Somebody else on the same credential: asks at random, at a mean rate that is a share of what the
 * limit sustains, spends what it is admitted to, and never asks twice for what it was refused.
 * Single-threaded; monotonic nanoseconds that do not go back.
 */
final class Neighbour {
  /** Catching up with more would be noticed by whoever waits for it. */
  private static final double MOST_CAUGHT_UP = 1e6;

  private final SplittableRandom random;
  private final double interval; // mean nanoseconds between two requests; infinite for none
  private final long duration;
  private final TimeRing ends = new TimeRing();
  private long next;

  Neighbour(ServiceOptions options, long seed, long now) {
    double rate = options.neighbour() * sustained(options.limit(), options.latency().toNanos());
    this.random = new SplittableRandom(seed);
    this.interval = rate > 0 && rate < Double.POSITIVE_INFINITY ? 1e9 / rate : 0;
    this.duration = options.latency().toNanos();
    this.next = now + pause();
  }

  /** Requests per second that a limit sustains if each takes so long; infinite if any number. */
  private static double sustained(LimitOptions limit, long latency) {
    return switch (limit) {
      case LimitOptions.Concurrent cap -> cap.limit() * 1e9 / latency;
      case LimitOptions.All all ->
          all.parts().stream()
              .mapToDouble(part -> sustained(part, latency))
              .min()
              .orElse(Double.POSITIVE_INFINITY);
      default -> limit.rate();
    };
  }

  private long pause() {
    return interval == 0 ? 0 : Math.round(-StrictMath.log(1 - random.nextDouble()) * interval);
  }

  boolean exists() {
    return interval > 0;
  }

  /** When something happens here next. */
  long nextAt() {
    return endsNext() ? ends.first() : next;
  }

  /** Whether what happens next is that one of its requests ends; otherwise it sends one. */
  boolean endsNext() {
    return !ends.isEmpty() && ends.first() - next <= 0;
  }

  /** One of its requests has ended. */
  void end() {
    long unused = ends.removeFirst();
  }

  /** It has sent a request, which was admitted or not. */
  void sent(boolean admitted) {
    if (admitted) {
      ends.add(next + duration);
    }
    next += pause();
  }

  /** Forgets requests before {@code time}, which no limit remembers, if they are very many. */
  void skipTo(long time) {
    if (time - next > MOST_CAUGHT_UP * interval) {
      next = time;
    }
  }
}
