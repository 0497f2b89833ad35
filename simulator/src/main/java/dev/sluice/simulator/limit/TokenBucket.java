package dev.sluice.simulator.limit;

import java.math.BigInteger;

/**
 * A bucket that starts full, from which each request takes a token, and into which tokens flow at a
 * steady rate until it is full. Over any span it admits at most {@code capacity + span × refill /
 * period}.
 *
 * <p>The level is kept in the smallest unit that makes both a nanosecond's inflow and a token whole
 * numbers, so nothing is ever rounded. Scaling changes capacity and rate alike.
 */
public final class TokenBucket implements Limiter {
  private final long madeCapacity;
  private final long refill;
  private final long madePeriod;

  private long capacity;
  private long token; // units of one token
  private long inflow; // units per nanosecond
  private long full; // units of a full bucket
  private long level;
  private long at;

  /**
   * A full bucket.
   *
   * @param capacity tokens that it holds; 0 refuses everything
   * @param refill tokens that flow in per period; 0 for none
   * @param period nanoseconds, positive
   * @throws IllegalArgumentException also if the bucket is too large to be counted exactly
   */
  public TokenBucket(long capacity, long refill, long period, long now) {
    this.madeCapacity = Sizes.notNegative("capacity", capacity, "tokens that a bucket holds");
    this.refill = Sizes.notNegative("refill", refill, "tokens that flow in per period");
    this.madePeriod = Sizes.positive("period", period, "the time in which they flow in");
    measure(capacity, refill, period);
    this.level = full;
    this.at = now;
  }

  private void measure(long tokens, long inflowTokens, long span) {
    long divisor = greatestCommonDivisor(span, inflowTokens);
    long unitsOfToken = span / divisor;
    if (Math.multiplyHigh(tokens, unitsOfToken) != 0 || tokens * unitsOfToken < 0) {
      throw new IllegalArgumentException(
          "capacity is %d and refill %d per %d ns, which is too much to count exactly (capacity × period / their common divisor must stay below 2^63)"
              .formatted(tokens, inflowTokens, span));
    }
    capacity = tokens;
    token = unitsOfToken;
    inflow = inflowTokens / divisor;
    full = tokens * unitsOfToken;
  }

  private static long greatestCommonDivisor(long a, long b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }

  private void fill(long now) {
    long elapsed = now - at;
    if (elapsed > 0) {
      if (inflow > 0) {
        long missing = full - level;
        level = elapsed > missing / inflow ? full : level + elapsed * inflow;
      }
      at = now;
    }
  }

  @Override
  public long untilFree(long now) {
    fill(now);
    return level >= token ? 0 : full < token ? NEVER : untilFlownIn(token - level);
  }

  private long untilFlownIn(long units) {
    return units <= 0 ? 0 : inflow == 0 ? NEVER : (units - 1) / inflow + 1;
  }

  @Override
  public void spend(long now) {
    fill(now);
    level -= token;
  }

  @Override
  public void finish(long now) {
    // A token is gone for good.
  }

  @Override
  public void scale(double factor, long now) {
    fill(now);
    long before = token;
    long period = factor > 0 ? Math.max(1, Math.round(madePeriod / Sizes.factor(factor))) : 1;
    measure(Sizes.scaled(madeCapacity, Sizes.factor(factor)), factor > 0 ? refill : 0, period);
    BigInteger units = BigInteger.valueOf(level).multiply(BigInteger.valueOf(token));
    level = units.divide(BigInteger.valueOf(before)).min(BigInteger.valueOf(full)).longValueExact();
  }

  @Override
  public long limit() {
    return capacity;
  }

  @Override
  public long left(long now) {
    fill(now);
    return Math.max(0, level / token);
  }

  @Override
  public long untilReset(long now) {
    fill(now);
    return untilFlownIn(full - level);
  }

  @Override
  public long window() {
    return untilFlownIn(full);
  }
}
