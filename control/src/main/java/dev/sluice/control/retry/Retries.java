package dev.sluice.control.retry;

import dev.sluice.control.retry.Decision.Reason;
import dev.sluice.control.signal.Signal;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides after each answer to one request whether it is tried again, and how.
 *
 * <p>Tell it which lane each attempt was {@linkplain #granted granted} and how it {@linkplain
 * #settled settled}, in turn, until a decision is {@link Decision.Done} or {@link Decision.GiveUp}:
 *
 * <ul>
 *   <li><b>Throttled:</b> reroute if some lane that has not throttled this request since its last
 *       wait is free; otherwise one wait, of {@code maxThrottleRetries}, after which all lanes
 *       count as not tried. A reroute that is granted a tried lane after all counts as a wait.
 *   <li><b>Transient:</b> full jitter, or what the answer asks of this request if that is longer;
 *       at most {@code maxAttempts} attempts lost this way (throttled ones are not among them).
 *       This, too, is a wait after which all lanes count as not tried. Whoever may not repeat after
 *       an unknown outcome gives up.
 *   <li><b>Refused credentials</b> that were {@linkplain #renewed renewed}: at once.
 *   <li>Everything else is done. (What a success earns is deposited where it is settled.)
 * </ul>
 *
 * <p>Each retry but a reroute costs one token if the run has a retry budget, unless the attempt
 * before it was never sent. A request that gives up spends none, and a retry that was {@linkplain
 * #notSent not sent} gets its token back.
 *
 * <p>It ends: between two waits each lane is tried once, and waits are numbered. With n lanes there
 * are never more than {@code n * (maxThrottleRetries + maxAttempts)} attempts.
 *
 * <p>One per request; single-threaded (the budget is shared, and thread-safe).
 */
public final class Retries {
  private static final Decision DONE = new Decision.Done();
  private static final Decision REROUTE = new Decision.Reroute();
  private static final Decision AWAIT_LANE = new Decision.AwaitLane();

  private final RetryOptions options;
  private final Backoff backoff;
  private final @Nullable RetryBudget budget;

  private Set<String> tried = Set.of(); // most requests are never throttled
  private @Nullable String lane;
  private boolean over;
  private boolean paid;
  private int attempts;
  private int waits;
  private int failures;

  /**
   * The retries of one request.
   *
   * @param budget the run's retry budget; null for a run without one
   */
  public Retries(RetryOptions options, Backoff backoff, @Nullable RetryBudget budget) {
    this.options = options;
    this.backoff = backoff;
    this.budget = budget;
  }

  /**
   * The next attempt was granted this lane.
   *
   * @return whether it may be sent. If not, the lane was tried since the last wait, and no wait, or
   *     no token for one, is left to count it as: abandon the permit and give up ({@link
   *     Reason#THROTTLE_RETRIES})
   * @throws IllegalStateException if the request is over
   */
  public boolean granted(String lane) {
    if (over) {
      throw new IllegalStateException("the request is over: it was done or given up");
    }
    if (tried.contains(lane)) {
      if (waits >= options.maxThrottleRetries() || !pay()) {
        over = true;
        return false;
      }
      countWait();
    }
    this.lane = lane;
    paid = false;
    return true;
  }

  /**
   * The retry that was decided on is not made, because the gate refuses it: the request is over.
   */
  public void notSent() {
    if (paid && budget != null) {
      budget.giveBack();
    }
    paid = false;
    over = true;
  }

  /**
   * The request goes on after a wait that nothing here counts, such as for an open circuit: its
   * waits and failures are forgotten, its attempts are not.
   */
  public void startAgain() {
    tried = Set.of();
    lane = null;
    over = false;
    paid = false;
    waits = 0;
    failures = 0;
  }

  /**
   * The attempt settled.
   *
   * @param untriedLaneFree whether some lane is free for which {@link #isTried} is false; asked at
   *     most once, and only if the answer matters
   * @throws IllegalStateException if no lane was granted for it
   */
  public Decision settled(Signal signal, long now, BooleanSupplier untriedLaneFree) {
    String used = lane;
    if (used == null) {
      throw new IllegalStateException("an attempt settled that was granted no lane");
    }
    lane = null;
    attempts++;
    Decision decision =
        switch (signal) {
          case Signal.Throttled throttled -> throttled(used, throttled, untriedLaneFree);
          case Signal.Transient failure -> failed(failure, now);
          case Signal.Success success -> DONE;
          case Signal.Answered answered -> DONE;
          case Signal.Rejected rejected -> DONE;
          case Signal.Stopped stopped -> DONE;
          case Signal.Cancelled cancelled -> DONE;
        };
    over = decision instanceof Decision.Done || decision instanceof Decision.GiveUp;
    return decision;
  }

  /**
   * The attempt's credentials were refused, and there are others: it goes on at once, and free of
   * charge.
   */
  public Decision renewed() {
    lane = null;
    attempts++;
    return REROUTE;
  }

  /** Whether this lane has throttled the request since its last wait. */
  public boolean isTried(String lane) {
    return tried.contains(lane);
  }

  /** How many attempts have settled. */
  public int attempts() {
    return attempts;
  }

  /** How many waits for throttles to end there were. */
  public int throttleRetries() {
    return waits;
  }

  private Decision throttled(
      String used, Signal.Throttled throttled, BooleanSupplier untriedLaneFree) {
    if (tried.isEmpty()) {
      tried = new HashSet<>();
    }
    tried.add(used);
    if (untriedLaneFree.getAsBoolean()) {
      return REROUTE;
    }
    // An empty budget is the run's own end and no fault of the provider, if that said how long.
    boolean told = throttled.retryAfter().isPresent();
    if (!throttled.isNotSent() && !pay()) {
      return new Decision.GiveUp(told ? Reason.RETRY_BUDGET : Reason.THROTTLE_RETRIES);
    }
    if (waits >= options.maxThrottleRetries()) {
      notSent();
      return new Decision.GiveUp(Reason.THROTTLE_RETRIES);
    }
    countWait();
    return AWAIT_LANE;
  }

  private Decision failed(Signal.Transient failure, long now) {
    failures++;
    if (failure.kind().outcomeUnknown() && !options.repeatable()) {
      return new Decision.GiveUp(Reason.OUTCOME_UNKNOWN);
    }
    if (failures >= options.maxAttempts()) {
      return new Decision.GiveUp(Reason.ATTEMPTS);
    }
    if (!pay()) {
      return new Decision.GiveUp(Reason.RETRY_BUDGET);
    }
    tried = Set.of();
    long own = backoff.nanos(failures - 1);
    return new Decision.RetryAt(now + Math.max(own, failure.retryAfter().toNanos()));
  }

  private void countWait() {
    waits++;
    tried = Set.of();
  }

  private boolean pay() {
    paid = budget == null || budget.tryWithdraw();
    return paid;
  }
}
