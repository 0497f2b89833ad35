package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.retry.RetryBudget;
import java.time.Duration;
import java.util.Optional;

/**
 * On whose account a permit is taken: a run brings its own budget and retry budget to every
 * acquire, while lanes are shared by many runs. Immutable; the budgets inside are thread-safe.
 *
 * @param name for people: appears in messages and events
 * @param budget how many requests, how long
 * @param retryBudget pays for retries; without one, retries cost nothing
 * @param priority who goes first
 * @param longestHold a hold longer than this is refused at once instead of waited for
 */
public record RunLimits(
    String name,
    RunBudget budget,
    Optional<RetryBudget> retryBudget,
    Priority priority,
    Optional<Duration> longestHold) {

  private static final RunLimits UNBOUNDED =
      new RunLimits("", RunBudget.unbounded(), Optional.empty(), Priority.STEADY, Optional.empty());

  public RunLimits {
    requireNonNull(name, "name");
    requireNonNull(budget, "budget");
    requireNonNull(priority, "priority");
    if (longestHold.isPresent() && longestHold.get().isNegative()) {
      throw new IllegalArgumentException(
          "longestHold is "
              + longestHold.get()
              + ", but must be zero or more (the longest hold that the run waits for)");
    }
  }

  /** No cap, no clock, no retry budget: for plain calls. */
  public static RunLimits unbounded() {
    return UNBOUNDED;
  }

  /** A run within a budget. */
  public static RunLimits within(String name, RunBudget budget) {
    return new RunLimits(name, budget, Optional.empty(), Priority.STEADY, Optional.empty());
  }

  /** The same run, its retries paid from {@code retries}. */
  public RunLimits withRetryBudget(RetryBudget retries) {
    return new RunLimits(name, budget, Optional.of(retries), priority, longestHold);
  }

  /** The same run at another priority. */
  public RunLimits withPriority(Priority other) {
    return new RunLimits(name, budget, retryBudget, other, longestHold);
  }

  /** The same run, refused where a hold lasts longer than {@code longest}. */
  public RunLimits withLongestHold(Duration longest) {
    return new RunLimits(name, budget, retryBudget, priority, Optional.of(longest));
  }
}
