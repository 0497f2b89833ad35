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
public record Run(
    String name,
    RunBudget budget,
    Optional<RetryBudget> retryBudget,
    Priority priority,
    Optional<Duration> longestHold) {

  private static final Run UNBOUNDED =
      new Run("", RunBudget.unbounded(), Optional.empty(), Priority.STEADY, Optional.empty());

  public Run {
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
  public static Run unbounded() {
    return UNBOUNDED;
  }

  /** A run within a budget. */
  public static Run within(String name, RunBudget budget) {
    return new Run(name, budget, Optional.empty(), Priority.STEADY, Optional.empty());
  }

  /** The same run, its retries paid from {@code retries}. */
  public Run withRetryBudget(RetryBudget retries) {
    return new Run(name, budget, Optional.of(retries), priority, longestHold);
  }

  /** The same run at another priority. */
  public Run withPriority(Priority other) {
    return new Run(name, budget, retryBudget, other, longestHold);
  }

  /** The same run, refused where a hold lasts longer than {@code longest}. */
  public Run withLongestHold(Duration longest) {
    return new Run(name, budget, retryBudget, priority, Optional.of(longest));
  }
}
