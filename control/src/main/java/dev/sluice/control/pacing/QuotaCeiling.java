package dev.sluice.control.pacing;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Unit;
import dev.sluice.control.signal.Signal;
import java.time.Duration;

/**
 * What a provider says about its quota, as a ceiling for the pace and a time before which nothing
 * is sent. It may lower a pace, never raise one.
 *
 * <p>The ceiling is the lowest of {@code (remaining - reserve) / reset} and {@code limit / window}
 * over the hints of an answer. A success replaces it; any other answer may only lower it, and none
 * cancels a not-before. A ceiling that is not repeated stands until its reset and then doubles
 * every window (60 s if that is unknown), so that it fades instead of vanishing.
 *
 * <p>Hints about a single object or about requests in flight do not concern the pace; those that
 * count anything but requests matter only once they are spent. Single-threaded.
 */
final class QuotaCeiling {
  /** The share of a limit that is left to others who use the same account; at least 1 request. */
  private static final int RESERVED_SHARE = 20;

  private static final long DEFAULT_WINDOW = Duration.ofMinutes(1).toNanos();
  private static final long LONGEST = Duration.ofDays(365).toNanos();

  private double ceiling = Double.POSITIVE_INFINITY;
  private long standsUntil;
  private long doublingTime = DEFAULT_WINDOW;

  QuotaCeiling(long now) {
    this.standsUntil = now;
  }

  /** Takes the hints of an answer. */
  void heard(Signal signal, long now) {
    if (signal.quota().isEmpty()) {
      return;
    }
    boolean healthy = signal instanceof Signal.Success;
    double lowest = Double.POSITIVE_INFINITY;
    long stands = 0;
    long window = DEFAULT_WINDOW;
    for (QuotaHint hint : signal.quota()) {
      if (hint.scope().reach() == Reach.OBJECT || hint.scope().unit() != Unit.REQUESTS) {
        continue;
      }
      double told = rateOf(hint);
      if (told < lowest) {
        lowest = told;
        window = hint.windowSize().map(QuotaCeiling::nanos).orElse(DEFAULT_WINDOW);
        stands = hint.resetAfter().map(QuotaCeiling::nanos).orElse(window);
      }
    }
    if (healthy ? lowest < Double.POSITIVE_INFINITY : lowest < at(now)) {
      ceiling = lowest;
      standsUntil = now + stands;
      doublingTime = window;
    }
  }

  /** The highest rate that it leaves at {@code now}, in permits per second; infinite if any. */
  double at(long now) {
    long past = now - standsUntil;
    return past <= 0 || ceiling == Double.POSITIVE_INFINITY
        ? ceiling
        : ceiling * StrictMath.pow(2, (double) past / doublingTime);
  }

  /** The rate at which what is left lasts until the reset, and no more than the limit allows. */
  private static double rateOf(QuotaHint hint) {
    double rate = Double.POSITIVE_INFINITY;
    if (hint.limit().isPresent() && hint.windowSize().isPresent()) {
      rate = perSecond(hint.limit().getAsLong(), hint.windowSize().get());
    }
    if (hint.remaining().isPresent() && hint.resetAfter().isPresent()) {
      if (hint.resetAfter().get().isPositive()) {
        rate = Math.min(rate, perSecond(spendable(hint), hint.resetAfter().get()));
      }
    }
    return rate;
  }

  private static long spendable(QuotaHint hint) {
    long reserve = Math.max(1, hint.limit().orElse(0) / RESERVED_SHARE);
    return Math.max(1, hint.remaining().orElse(0) - reserve);
  }

  private static double perSecond(long count, Duration span) {
    return count * 1e9 / nanos(span);
  }

  private static long nanos(Duration span) {
    return span.compareTo(Duration.ofNanos(LONGEST)) >= 0 ? LONGEST : span.toNanos();
  }
}
