package dev.sluice.simulator.farm;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one user has used on one server (or on all, where they count together), and what is refused
 * for it. Limits are checked before any work is done: what was refused had no effect, and what runs
 * is never cut off, so both sums may overshoot.
 *
 * <p>Single-threaded; monotonic nanoseconds that do not go back.
 */
public final class Account {
  /** A request that comes so soon after a refusal was sent before anybody could know of it. */
  private static final long KNOWN_AFTER = TimeUnit.SECONDS.toNanos(1);

  private ProtectionOptions options;
  private final SlidingSum requests;
  private final SlidingSum completed;
  private final SlidingIntegral accrued;
  private final Tally tally = new Tally();
  private int inFlight;

  private long refusedAt;
  private long toldUntil;
  private Facet toldFor = Facet.REQUESTS;

  Account(ProtectionOptions options, long now) {
    long span = options.window().toNanos();
    this.options = options;
    this.requests = new SlidingSum(span);
    this.completed = new SlidingSum(span);
    this.accrued = new SlidingIntegral(span, now);
    this.refusedAt = now;
    this.toldUntil = now;
  }

  /** New limits; what was used stays used, and a wait that was told stays told. */
  void change(ProtectionOptions changed) {
    long span = changed.window().toNanos();
    options = changed;
    requests.span(span);
    completed.span(span);
    accrued.span(span);
  }

  /** A request arrives: null if it may start, and has; otherwise why not and for how long. */
  @Nullable Throttle admit(long now) {
    if (toldUntil - now > 0) {
      if (now - refusedAt > KNOWN_AFTER) {
        tally.press();
        toldUntil = Math.min(toldUntil + options.press().toNanos(), longest(now));
      }
      return refusal(toldFor, toldUntil, now);
    }
    if (inFlight >= options.concurrent()) {
      return options.concurrencyLocks()
          ? lock(Facet.CONCURRENCY, now, now)
          : refusal(Facet.CONCURRENCY, now + options.shortestWait().toNanos(), now);
    }
    if (executionTime(now) >= options.executionTime().toNanos()) {
      return lock(Facet.EXECUTION_TIME, executionTimeFreeAt(now), now);
    }
    if (requests.at(now) >= options.requests()) {
      return lock(Facet.REQUESTS, requests.belowAt(options.requests(), now), now);
    }
    requests.add(1, now);
    accrued.add(1, now);
    inFlight++;
    tally.accept();
    return null;
  }

  /** An admitted request ends, after so much execution time. */
  void finish(long executionTime, long now) {
    inFlight--;
    accrued.add(-1, now);
    completed.add(executionTime, now);
  }

  private Throttle lock(Facet facet, long freeAt, long now) {
    // Never free again, as with a limit of zero, is as long as a wait can be.
    long longest = options.longestWait().toNanos();
    long free = freeAt == Long.MAX_VALUE ? longest : Math.min(freeAt - now, longest);
    long wait = Math.max(free, options.shortestWait().toNanos());
    refusedAt = now;
    toldFor = facet;
    toldUntil = Math.min(now + wholeSeconds(wait), longest(now));
    return refusal(facet, toldUntil, now);
  }

  private Throttle refusal(Facet facet, long until, long now) {
    tally.refuse(facet);
    return new Throttle(facet, Duration.ofNanos(wholeSeconds(until - now)));
  }

  private long longest(long now) {
    return now + options.longestWait().toNanos();
  }

  private static long wholeSeconds(long nanos) {
    long second = TimeUnit.SECONDS.toNanos(1);
    return (nanos + second - 1) / second * second;
  }

  private long executionTime(long now) {
    return options.charging() == Charging.AT_COMPLETION ? completed.at(now) : accrued.at(now);
  }

  private long executionTimeFreeAt(long now) {
    long limit = options.executionTime().toNanos();
    return options.charging() == Charging.AT_COMPLETION
        ? completed.belowAt(limit, now)
        : accrued.belowAt(limit, now);
  }

  /** How many more requests fit into the window. */
  public long requestsLeft(long now) {
    return Math.max(0, options.requests() - requests.at(now));
  }

  /** How much more execution time fits into the window. */
  public Duration executionTimeLeft(long now) {
    return Duration.ofNanos(Math.max(0, options.executionTime().toNanos() - executionTime(now)));
  }

  /** How much more fits if running requests count already, whatever the service does. */
  public Duration uncommittedTimeLeft(long now) {
    long used = Math.max(completed.at(now), accrued.at(now));
    return Duration.ofNanos(Math.max(0, options.executionTime().toNanos() - used));
  }

  /** Until when the user was told to stay away; in the past if it was not. */
  public long toldUntil() {
    return toldUntil;
  }

  /** How many requests run. */
  public int inFlight() {
    return inFlight;
  }

  /** What became of all requests so far. */
  public Tally tally() {
    return tally;
  }
}
