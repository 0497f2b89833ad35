package dev.sluice.simulator.limit;

import dev.sluice.simulator.limit.FixedWindow.Opening;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a limiter is made of: a value from which any number of them can be opened. */
public sealed interface LimitOptions {
  /** Nothing is limited. */
  LimitOptions UNLIMITED = new All(List.of());

  /**
   * A new, unused limiter.
   *
   * @param boundary a time at which windows on the clock begin, past or future
   */
  Limiter open(long boundary, long now);

  /** Requests per second that it allows for ever; infinite if it does not count by time. */
  double rate();

  /**
   * Reads limits as people write them: {@code 100/1m}, one or several, separated by commas.
   *
   * <p>{@code 100/1m} a fixed window on the clock, {@code first:100/1m} one that opens with its
   * first request, {@code sliding:100/1m} a sliding one, {@code bucket:20:100/1m} a bucket of 20
   * tokens into which 100 flow per minute (without the first number, the bucket holds as many as
   * flow in), {@code concurrent:8} eight at once, {@code none} no limit. Units are {@code ms},
   * {@code s}, {@code m}, {@code h} and {@code d}; without a number, one of it.
   *
   * @throws IllegalArgumentException if it cannot be read; the message says what was expected
   */
  static LimitOptions parse(String text) {
    return LimitSyntax.parse(text);
  }

  /** A token bucket, see {@link TokenBucket}. */
  record Bucket(long capacity, long refill, Duration period) implements LimitOptions {
    public Bucket {
      Limiter unused = new TokenBucket(capacity, refill, period.toNanos(), 0);
    }

    @Override
    public Limiter open(long boundary, long now) {
      return new TokenBucket(capacity, refill, period.toNanos(), now);
    }

    @Override
    public double rate() {
      return capacity == 0 ? 0 : refill * 1e9 / period.toNanos();
    }
  }

  /** Fixed windows, see {@link FixedWindow}. */
  record Fixed(long limit, Duration period, Opening opening) implements LimitOptions {
    public Fixed {
      Limiter unused = new FixedWindow(limit, period.toNanos(), opening, 0, 0);
    }

    @Override
    public Limiter open(long boundary, long now) {
      return new FixedWindow(limit, period.toNanos(), opening, boundary, now);
    }

    @Override
    public double rate() {
      return limit * 1e9 / period.toNanos();
    }
  }

  /** A sliding window, see {@link SlidingWindow}. */
  record Sliding(long limit, Duration period) implements LimitOptions {
    public Sliding {
      Limiter unused = new SlidingWindow(limit, period.toNanos());
    }

    @Override
    public Limiter open(long boundary, long now) {
      return new SlidingWindow(limit, period.toNanos());
    }

    @Override
    public double rate() {
      return limit * 1e9 / period.toNanos();
    }
  }

  /** So many at the same time, see {@link ConcurrencyCap}. */
  record Concurrent(long limit) implements LimitOptions {
    public Concurrent {
      Limiter unused = new ConcurrencyCap(limit);
    }

    @Override
    public Limiter open(long boundary, long now) {
      return new ConcurrencyCap(limit);
    }

    @Override
    public double rate() {
      return limit == 0 ? 0 : Double.POSITIVE_INFINITY;
    }
  }

  /** All of these at once, see {@link Several}. */
  record All(List<LimitOptions> parts) implements LimitOptions {
    public All {
      parts = List.copyOf(parts);
    }

    @Override
    public Limiter open(long boundary, long now) {
      List<Limiter> limiters = new ArrayList<>();
      parts.forEach(part -> limiters.add(part.open(boundary, now)));
      return new Several(limiters);
    }

    @Override
    public double rate() {
      return parts.stream().mapToDouble(LimitOptions::rate).min().orElse(Double.POSITIVE_INFINITY);
    }
  }
}
