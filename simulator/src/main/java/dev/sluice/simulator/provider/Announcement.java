package dev.sluice.simulator.provider;

import static dev.sluice.simulator.provider.Misbehaviour.CACHED_ANSWERS;
import static dev.sluice.simulator.provider.Misbehaviour.CLOCK_AHEAD;
import static dev.sluice.simulator.provider.Misbehaviour.HEADERS_VANISH;
import static dev.sluice.simulator.provider.Misbehaviour.LIMIT_PER_MINUTE;
import static dev.sluice.simulator.provider.Misbehaviour.REMAINING_IN_FRACTIONS;
import static dev.sluice.simulator.provider.Misbehaviour.REMAINING_WHILE_THROTTLED;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_AS_DATE;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_IN_DECIMALS;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_IN_WORDS;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_NEGATIVE;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_ON_SUCCESS;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_TWICE;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_WITH_WRONG_WEEKDAY;
import static dev.sluice.simulator.provider.Misbehaviour.UNKNOWN_AS_MINUS_ONE;

import dev.sluice.simulator.limit.Limiter;
import dev.sluice.simulator.provider.Verdict.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The headers in which an account's answers speak of its limit: what is left, when it comes back,
 * how long to wait; as the standard has it, or as the options' misbehaviours would have it.
 *
 * <p>Single-threaded, like the service it speaks for.
 */
public final class Announcement {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final Duration AHEAD = Duration.ofMinutes(7);
  private static final int CACHED_EVERY = 4;

  private final OpaqueService service;
  private final QuotaHeaders style;
  private int successes;
  private @Nullable Cached cached;

  /** Speaks for this account. */
  public Announcement(OpaqueService service, QuotaHeaders style) {
    this.service = service;
    this.style = style;
  }

  /**
   * The headers of an answer.
   *
   * @param verdict what the answer is about
   * @param now the service's time
   * @param wallClock the same in the world's
   */
  public List<Header> headers(Verdict verdict, long now, Instant wallClock) {
    ServiceOptions options = service.options();
    Instant serverClock = options.has(CLOCK_AHEAD) ? wallClock.plus(AHEAD) : wallClock;
    List<Header> headers = new ArrayList<>();
    headers.add(new Header("Date", Moments.httpDate(serverClock)));
    retryAfter(verdict, serverClock, headers);
    if (verdict.kind() == Kind.ADMITTED && options.has(CACHED_ANSWERS) && isCached(now)) {
      fromCache(now, headers);
      return headers;
    }
    if (verdict.kind() != Kind.OBJECT_LOCKED && isQuotaTold(verdict)) {
      quota(verdict, now, serverClock, headers);
    }
    if (verdict.kind() == Kind.ADMITTED && cached == null) {
      cached = new Cached(now, List.copyOf(headers.subList(1, headers.size())));
    }
    return headers;
  }

  private void retryAfter(Verdict verdict, Instant serverClock, List<Header> headers) {
    ServiceOptions options = service.options();
    if (verdict.admitted() && options.has(RETRY_AFTER_ON_SUCCESS)) {
      headers.add(new Header("Retry-After", "0"));
    }
    if (verdict.kind() != Kind.THROTTLED) {
      return;
    }
    if (options.has(RETRY_AFTER_NEGATIVE)) {
      headers.add(new Header("Retry-After", "-1"));
    }
    if (options.has(RETRY_AFTER_IN_WORDS)) {
      headers.add(new Header("Retry-After", "soon"));
    }
    if (verdict.retryAfter() == Verdict.NOTHING_TOLD) {
      return;
    }
    headers.add(new Header("Retry-After", wait(verdict.retryAfter(), serverClock)));
    if (options.has(RETRY_AFTER_TWICE)) {
      headers.add(new Header("Retry-After", wait(3 * verdict.retryAfter(), serverClock)));
    }
  }

  private String wait(long nanos, Instant serverClock) {
    ServiceOptions options = service.options();
    // A date has whole seconds: rounded up, nobody comes too early.
    Instant until = Moments.wholeSeconds(serverClock.plusNanos(nanos));
    if (options.has(RETRY_AFTER_WITH_WRONG_WEEKDAY)) {
      return Moments.httpDateWithWrongWeekday(until);
    }
    if (options.has(RETRY_AFTER_AS_DATE)) {
      return Moments.httpDate(until);
    }
    return nanos / SECOND + (options.has(RETRY_AFTER_IN_DECIMALS) ? ".0" : "");
  }

  private boolean isQuotaTold(Verdict verdict) {
    ServiceOptions options = service.options();
    boolean speaks =
        style != QuotaHeaders.NONE
            || options.misbehaviours().stream().anyMatch(Misbehaviour::speaksOfQuota);
    return speaks && (verdict.admitted() || !options.has(HEADERS_VANISH));
  }

  private void quota(Verdict verdict, long now, Instant serverClock, List<Header> headers) {
    ServiceOptions options = service.options();
    long limit = service.limit(now);
    long left = service.left(now);
    long window = service.window(now);
    long reset = service.untilReset(now);
    if (limit == Long.MAX_VALUE && !options.has(UNKNOWN_AS_MINUS_ONE)) {
      return; // nothing is limited
    }
    if (verdict.kind() == Kind.THROTTLED && options.has(REMAINING_WHILE_THROTTLED)) {
      left = (limit + 1) / 2;
    }
    if (options.has(LIMIT_PER_MINUTE) && window > 0) {
      double scale = (double) MINUTE / window;
      limit = Math.max(1, Math.round(limit * scale));
      left = Math.round(left * scale);
      window = MINUTE;
    }
    if (style == QuotaHeaders.LIST) {
      list(limit, left, window, reset, headers);
    } else {
      triple(limit, left, reset, serverClock, headers);
    }
  }

  private static void list(long limit, long left, long window, long reset, List<Header> headers) {
    String span = window == 0 ? ";qu=\"concurrent-requests\"" : ";w=" + Moments.secondsUp(window);
    String time = reset == Limiter.NEVER ? "" : ";t=" + Moments.secondsUp(reset);
    headers.add(new Header("RateLimit-Policy", "\"default\";q=" + limit + span));
    headers.add(new Header("RateLimit", "\"default\";r=" + left + time));
  }

  private void triple(
      long limit, long left, long reset, Instant serverClock, List<Header> headers) {
    ServiceOptions options = service.options();
    String prefix = style == QuotaHeaders.TRIPLE ? "RateLimit-" : "X-RateLimit-";
    if (options.has(UNKNOWN_AS_MINUS_ONE)) {
      headers.add(new Header(prefix + "Limit", "-1"));
      headers.add(new Header(prefix + "Remaining", "-1"));
      headers.add(new Header(prefix + "Reset", "0"));
      return;
    }
    headers.add(new Header(prefix + "Limit", Long.toString(limit)));
    headers.add(
        new Header(prefix + "Remaining", left + (options.has(REMAINING_IN_FRACTIONS) ? ".0" : "")));
    if (reset != Limiter.NEVER) {
      headers.add(new Header(prefix + "Reset", Moments.reset(options, reset, serverClock)));
    }
  }

  private boolean isCached(long now) {
    return ++successes % CACHED_EVERY == 0 && cached != null && now - cached.since() >= SECOND;
  }

  private void fromCache(long now, List<Header> headers) {
    Cached answer = cached;
    if (answer != null) {
      headers.add(new Header("Age", Long.toString((now - answer.since()) / SECOND)));
      headers.addAll(answer.headers());
    }
  }

  /** The first answer, of which later ones are copies. */
  private record Cached(long since, List<Header> headers) {}
}
