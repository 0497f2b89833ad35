package dev.sluice.control.signal;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One statement about one limit, taken from one response. Immutable; an invalid one cannot be
 * built.
 *
 * @param limit units per window, or a bucket's capacity; at least 1
 * @param remaining units left, at least 0 and never above {@code limit}
 * @param resetAfter from receipt until some quota returns; at least 0
 * @param windowSize the window's length, or capacity ÷ leak rate of a bucket; positive
 * @param retryAfter an explicit "not before"; positive
 * @param scope what the statement is about
 */
public record QuotaHint(
    OptionalLong limit,
    OptionalLong remaining,
    Optional<Duration> resetAfter,
    Optional<Duration> windowSize,
    Optional<Duration> retryAfter,
    Scope scope) {

  public QuotaHint {
    check(limit.isEmpty() || limit.getAsLong() >= 1, "limit", limit);
    check(remaining.isEmpty() || remaining.getAsLong() >= 0, "remaining", remaining);
    check(
        limit.isEmpty() || remaining.isEmpty() || remaining.getAsLong() <= limit.getAsLong(),
        "remaining",
        remaining);
    check(resetAfter.isEmpty() || !resetAfter.get().isNegative(), "resetAfter", resetAfter);
    check(windowSize.isEmpty() || windowSize.get().isPositive(), "windowSize", windowSize);
    check(retryAfter.isEmpty() || retryAfter.get().isPositive(), "retryAfter", retryAfter);
    requireNonNull(scope, "scope");
  }

  private static void check(boolean valid, String name, Object value) {
    if (!valid) {
      throw new IllegalArgumentException("a quota hint cannot have " + name + " " + value);
    }
  }

  /**
   * What must slow down.
   *
   * @param reach how far the limit reaches
   * @param key the policy's, bucket's or resource's name; empty if it has none
   * @param unit what is counted
   * @param source the header or path that it was read from, for evidence
   */
  public record Scope(Reach reach, String key, Unit unit, String source) {
    public Scope {
      requireNonNull(reach, "reach");
      requireNonNull(key, "key");
      requireNonNull(unit, "unit");
      requireNonNull(source, "source");
    }
  }

  /** How far a limit reaches. */
  public enum Reach {
    OBJECT,
    ROUTE,
    RESOURCE_POOL,
    CREDENTIAL,
    ACCOUNT,
    IP,
    PROVIDER
  }

  /** What a limit counts. */
  public enum Unit {
    REQUESTS,
    POINTS,
    BYTES,
    WORK_TIME,
    CONCURRENT
  }
}
