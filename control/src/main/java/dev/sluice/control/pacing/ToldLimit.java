package dev.sluice.control.pacing;

import dev.sluice.control.policy.Figures;
import dev.sluice.control.signal.QuotaHint;
import java.time.Duration;

/**
 * One limit that a provider tells, and how it is spent: evenly, so that what is left lasts until
 * the quota returns, with requests in flight counted as spent.
 *
 * <p>What is left is the lowest that answers of the present window told, less what is in flight:
 * whatever the order in which answers come, that is never too much. A window ends when it was told
 * to, or its length after the first answer in it; the earliest counts, because most providers round
 * up to whole seconds. It also ends with an answer that tells of far more left than before. Then
 * the whole limit is taken to be there again; if no answer tells of the limit for a whole window,
 * it is forgotten. Where the length of windows is not told it is learned from two that were seen to
 * begin.
 *
 * <p>Single-threaded; monotonic nanoseconds.
 */
final class ToldLimit {
  /** What was not spent in time is caught up with at this many times the even rate at most. */
  private static final double CATCH_UP = 1.25;

  private static final long SECOND = 1_000_000_000;
  private static final long UNKNOWN_WINDOW = 60 * SECOND;

  /** A reset told later than the window's length by more than this tells of longer windows. */
  private static final long ROUGHLY = 2 * SECOND;

  /** Providers count in milliseconds. */
  private static final long SLACK = 2_000_000;

  private static final long LONGEST = Duration.ofDays(365).toNanos();
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final QuotaHint.Scope scope;
  private final long toldWindow; // 0 if it was not told

  private long limit;
  private long window; // told, or the shortest that was seen; 0 if there is none
  private long lowest = UNKNOWN;
  private long since;
  private boolean seenToBegin;
  private long endsAt;
  private boolean heard; // of the present window, with a success
  private boolean mentioned; // in the present window, by any answer
  private int windows;
  private boolean assumed; // the present window was taken to begin, not told to
  private long pad;

  /** A limit of which nothing is known yet. */
  ToldLimit(QuotaHint hint, long sentAt) {
    this.scope = hint.scope();
    this.toldWindow = hint.windowSize().map(ToldLimit::nanos).orElse(0L);
    this.window = toldWindow;
    this.since = sentAt;
  }

  /** Whether a hint says anything that can be spent. */
  static boolean tells(QuotaHint hint) {
    return hint.windowSize().isPresent()
        ? hint.limit().isPresent() || hint.remaining().isPresent()
        : hint.remaining().isPresent() && isPositive(hint);
  }

  private static boolean isPositive(QuotaHint hint) {
    return hint.resetAfter().isPresent() && hint.resetAfter().get().isPositive();
  }

  boolean isOf(QuotaHint hint) {
    return scope.equals(hint.scope())
        && toldWindow == hint.windowSize().map(ToldLimit::nanos).orElse(0L);
  }

  /** A success told of it, or it is told of for the first time. */
  void heard(QuotaHint hint, long sentAt, long now) {
    mentioned = true;
    if (sentAt - since < 0) {
      return; // of the window before
    }
    long told = hint.remaining().orElse(UNKNOWN);
    long returns = isPositive(hint) ? nanos(hint.resetAfter().get()) + pad : 0;
    if (told == UNKNOWN || told <= lowest || !isOfTheNext(now + returns)) {
      lowest = Math.min(lowest, told);
    } else {
      begin(sentAt);
      lowest = told;
    }
    if (!heard) {
      long seenAt = sentAt + 5 * (now - sentAt) / 8 + SLACK; // half of the way, or a little more
      first(seenAt, returns);
      heard = true;
    }
    if (returns > 0) {
      endsAt = earlier(endsAt, now + returns);
    }
    limit = hint.limit().orElse(Math.max(limit, told == UNKNOWN ? 1 : told + 1));
  }

  /** An answer that is no success told of it: that may only lower what is left. */
  void lowered(QuotaHint hint, long sentAt) {
    mentioned = true;
    if (sentAt - since >= 0) {
      lowest = Math.min(lowest, hint.remaining().orElse(UNKNOWN));
      limit = Math.min(limit, hint.limit().orElse(limit));
    }
  }

  /** Whether an answer that tells this end speaks of a window after the present one. */
  private boolean isOfTheNext(long end) {
    return heard && window > ROUGHLY && end - endsAt > window / 2;
  }

  /** A window was seen to begin, with the request of {@code sentAt}. */
  private void begin(long sentAt) {
    // Windows last whole seconds, and were seen to begin a little late, the first one more or less.
    long length = Math.round((sentAt - since) / (double) SECOND + 0.3) * SECOND;
    if (toldWindow == 0 && seenToBegin && length > 0 && length < window) {
      window = length;
    }
    since = sentAt;
    seenToBegin = true;
    assumed = false;
    heard = false;
  }

  /** The first answer of a window: it began when the provider saw that request. */
  private void first(long seenAt, long returns) {
    if (toldWindow == 0 && returns > 0) {
      // Told in whole seconds, by clocks that disagree a little: the window, or a little more. The
      // first one may be seen from its middle on.
      long most = Math.ceilDiv(returns, SECOND) * SECOND;
      window = windows < 2 || most - window > ROUGHLY ? most : Math.min(window, most);
    } else if (window == 0) {
      window = UNKNOWN_WINDOW;
    }
    windows++;
    endsAt = seenAt + window;
  }

  /**
   * A request did not succeed: it may have been counted all the same, whatever the answer tells.
   *
   * @param refused whether it was refused. In a window that was only assumed, that was too early:
   *     this provider rounds the time of the return down
   */
  void failed(long sentAt, boolean refused) {
    if (lowest != UNKNOWN) {
      lowest--;
    }
    if (refused && assumed && !heard && sentAt - since >= 0 && pad == 0) {
      pad = SECOND;
      window = toldWindow == 0 ? window + pad : toldWindow;
    }
  }

  /**
   * A request starts: the first after a window's end begins the next one.
   *
   * @return whether the limit still counts
   */
  boolean started(long now) {
    if (now - endsAt < 0) {
      return true;
    }
    boolean counts = mentioned;
    lowest = limit;
    since = now;
    seenToBegin = false;
    assumed = true;
    heard = false;
    mentioned = false;
    endsAt = now + window;
    return counts;
  }

  /** The earliest time for a request after the one of {@code lastStart}. */
  long notBefore(long lastStart, int inFlight, long now) {
    double even = (double) window / limit;
    boolean over = now - endsAt >= 0;
    if (over || lowest == UNKNOWN) {
      return lastStart + (long) even;
    }
    long left = lowest - inFlight;
    if (left <= 0) {
      return endsAt;
    }
    // The last one is left for the moment of the return, unless requests are far between: an
    // answer that tells of none left is a hold until a time that is rounded up.
    double shares = even >= ROUGHLY ? left + 1 : left;
    double spread = Math.max(0, endsAt - lastStart) / shares;
    return lastStart + (long) Math.max(spread, even / CATCH_UP);
  }

  /** The rate that it allows on the whole, in permits per second. */
  double rate() {
    return limit * 1e9 / window;
  }

  /** The limit for people. */
  String reason() {
    String told =
        "%s: the provider tells a limit of %d in %s"
            .formatted(Figures.rate(rate()), limit, Figures.time(window));
    return lowest == UNKNOWN
        ? told
        : told + ", of which %d are left".formatted(Math.max(0, lowest));
  }

  private static long earlier(long one, long other) {
    return other - one < 0 ? other : one;
  }

  private static long nanos(Duration span) {
    return span.compareTo(Duration.ofNanos(LONGEST)) >= 0 ? LONGEST : span.toNanos();
  }
}
