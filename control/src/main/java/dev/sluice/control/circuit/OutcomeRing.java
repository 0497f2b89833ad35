package dev.sluice.control.circuit;

import org.jspecify.annotations.Nullable;

/**
 * The latest answers of a lane, counted by what they say of its health. Adding to a full ring
 * forgets the oldest. Allocates nothing once built. Not thread-safe.
 */
final class OutcomeRing {
  // Null is a good answer.
  private final @Nullable FailureKind[] outcomes;
  private int next;
  private int calls;
  private int transients;
  private int throttles;
  private int unsettled;

  OutcomeRing(int size) {
    this.outcomes = new @Nullable FailureKind[size];
  }

  void addGood() {
    add(null);
  }

  void addFailure(FailureKind kind) {
    add(kind);
  }

  /** How many answers it holds, at most its size. */
  int calls() {
    return calls;
  }

  /**
   * Whether at least {@code rate} of the answers are failures; never of an empty ring.
   *
   * <p>The share is divided out instead of the rate multiplied: division rounds 3 of 5 to exactly
   * the number that 0.6 is read as, whereas a product may miss the boundary.
   */
  boolean failsAt(double rate) {
    return (transients + throttles + unsettled) / (double) calls >= rate;
  }

  /** The kind of most of the failures; of a draw the first that {@link FailureKind} lists. */
  FailureKind commonestFailure() {
    if (transients >= throttles && transients >= unsettled) {
      return FailureKind.TRANSIENT;
    }
    return throttles >= unsettled ? FailureKind.THROTTLED : FailureKind.UNSETTLED;
  }

  /** Forgets every answer; where the next one goes is of no matter. */
  void clear() {
    calls = 0;
    transients = 0;
    throttles = 0;
    unsettled = 0;
  }

  private void add(@Nullable FailureKind outcome) {
    if (calls == outcomes.length) {
      count(outcomes[next], -1);
    } else {
      calls++;
    }
    outcomes[next] = outcome;
    count(outcome, 1);
    next = (next + 1) % outcomes.length;
  }

  private void count(@Nullable FailureKind outcome, int change) {
    if (outcome == null) {
      return;
    }
    switch (outcome) {
      case TRANSIENT -> transients += change;
      case THROTTLED -> throttles += change;
      case UNSETTLED -> unsettled += change;
    }
  }
}
