package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Sending;

/**
 * A transcription of the AWS SDK for Java's adaptive retry mode (version 2.57.0): a token bucket
 * whose rate follows CUBIC, switched on by the first throttle. The library's bucket is internal to
 * it; a test plays both on one clock and compares rates and waits.
 *
 * <p>The rate of answers is measured in buckets of half a second and smoothed by 0.8. A throttle
 * sets {@code peak = min(measured, rate)} and {@code rate = 0.7 peak}; an answer {@code t} seconds
 * after it sets {@code rate = 0.4 (t - k)^3 + peak} with {@code k = cbrt(0.3 peak / 0.4)}. The rate
 * is at most twice the measured one and at least 0.5 per second; the bucket holds a second's worth,
 * at least one. Somebody who finds it empty looks again after whole milliseconds.
 *
 * <p>At most as many are in flight as the SDK's HTTP clients open connections: 50.
 */
final class CubicBucket implements Limiter {
  static final int CONNECTIONS = 50;
  private static final double BETA = 0.7;
  private static final double SCALE = 0.4;
  private static final double SMOOTHING = 0.8;
  private static final double LEAST_RATE = 0.5;
  private static final double LEAST_CAPACITY = 1;
  private static final long MILLISECOND = 1_000_000;

  private boolean enabled;
  private double rate;
  private double capacity;
  private double tokens;
  private double filledAt;
  private boolean filled;
  private long lookAgainAt;

  private double measured;
  private double measuredUntil;
  private long answers;

  private double peak;
  private double throttledAt;

  @Override
  public int workers() {
    return CONNECTIONS;
  }

  @Override
  public int slots(long now) {
    return CONNECTIONS;
  }

  @Override
  public long notBefore(long now) {
    if (!enabled || now < lookAgainAt) {
      return enabled ? lookAgainAt : now;
    }
    fill(seconds(now));
    if (tokens < 1) {
      long millis = (long) Math.ceil((1 - tokens) / rate * 1000);
      lookAgainAt = now + millis * MILLISECOND;
      return lookAgainAt;
    }
    return now;
  }

  @Override
  public int sent(int inFlight, long now) {
    if (enabled) {
      tokens--;
    }
    return inFlight;
  }

  @Override
  public long answered(Sending sending, int number, long notBefore, long now) {
    update(sending.looksThrottled(), now);
    return notBefore;
  }

  /** An answer came. */
  void update(boolean throttled, long now) {
    double time = seconds(now);
    measure(time);
    double wanted;
    if (throttled) {
      peak = enabled ? Math.min(measured, rate) : measured;
      throttledAt = time;
      enabled = true;
      wanted = peak * BETA;
    } else {
      double window = StrictMath.pow(peak * (1 - BETA) / SCALE, 1.0 / 3);
      wanted = SCALE * StrictMath.pow(time - throttledAt - window, 3) + peak;
    }
    wanted = Math.min(wanted, 2 * measured);
    fill(time);
    rate = Math.max(wanted, LEAST_RATE);
    capacity = Math.max(wanted, LEAST_CAPACITY);
    tokens = Math.min(tokens, capacity);
  }

  private void measure(double time) {
    answers++;
    double bucket = Math.floor(time * 2) / 2;
    if (bucket > measuredUntil) {
      double current = answers / (bucket - measuredUntil);
      measured = current * SMOOTHING + measured * (1 - SMOOTHING);
      answers = 0;
      measuredUntil = bucket;
    }
  }

  private void fill(double time) {
    if (filled) {
      tokens = Math.min(capacity, tokens + (time - filledAt) * rate);
    }
    filledAt = time;
    filled = true;
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }

  /** What was measured, in requests per second. */
  double measured() {
    return measured;
  }

  /** The rate of the bucket, whether it is switched on or not. */
  double fillRate() {
    return rate;
  }

  @Override
  public double rate() {
    return enabled ? rate : Double.POSITIVE_INFINITY;
  }
}
