package dev.sluice.control.circuit;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The latest calls of a lane, counted by what they say of its health. A call holds one place, which
 * its latest attempt decides. Adding to a full ring forgets the oldest. Allocates nothing once
 * built. Not thread-safe.
 */
@SuppressWarnings("ReferenceEquality") // a call is told from others by its identity
final class OutcomeRing {
  private static final int REMEMBERED = 256;

  // Null is a good answer.
  private final @Nullable FailureKind[] outcomes;
  // Null is a request that is a call of its own.
  private final @Nullable Object[] owners;
  // Calls that failed and have lost their place: their retries say nothing new.
  private final @Nullable Object[] failedBefore = new @Nullable Object[REMEMBERED];
  private int nextFailed;
  private int next;
  private int calls;
  private int transients;
  private int throttles;
  private int unsettled;
  private int failedInRow;

  OutcomeRing(int size) {
    this.outcomes = new @Nullable FailureKind[size];
    this.owners = new @Nullable Object[size];
  }

  /**
   * An attempt was answered.
   *
   * @param call whose attempt it was; null if it is a call of its own
   * @param outcome what failed; null if the other side is well
   */
  void settled(@Nullable Object call, @Nullable FailureKind outcome) {
    if (outcome == null && calls == outcomes.length && failures() == 0) {
      return; // one more good call among none but good ones
    }
    int place = call == null ? -1 : place(call, owners);
    if (place < 0 && outcome != null && call != null && place(call, failedBefore) >= 0) {
      return;
    }
    if (outcome == null) {
      failedInRow = 0;
    } else if (place < 0) {
      failedInRow++;
    }
    if (place < 0) {
      add(call, outcome);
    } else {
      count(outcomes[place], -1);
      outcomes[place] = outcome;
      count(outcome, 1);
    }
  }

  /** How many calls it holds, at most its size. */
  int calls() {
    return calls;
  }

  /** How many calls have failed since the last one that did not. */
  int failedInRow() {
    return failedInRow;
  }

  /** Whether the latest attempt of this call failed, as far as the ring goes back. */
  boolean hasFailed(Object call) {
    int place = place(call, owners);
    return place < 0 ? place(call, failedBefore) >= 0 : outcomes[place] != null;
  }

  /**
   * Whether at least {@code rate} of the calls failed; never of an empty ring.
   *
   * <p>The share is divided out instead of the rate multiplied: division rounds 3 of 5 to exactly
   * the number that 0.6 is read as, whereas a product may miss the boundary.
   */
  boolean failsAt(double rate) {
    return failures() / (double) calls >= rate;
  }

  /** The kind of most of the failures; of a draw the first that {@link FailureKind} lists. */
  FailureKind commonestFailure() {
    if (transients >= throttles && transients >= unsettled) {
      return FailureKind.TRANSIENT;
    }
    return throttles >= unsettled ? FailureKind.THROTTLED : FailureKind.UNSETTLED;
  }

  /** Forgets every call, but not which failed; where the next one goes is of no matter. */
  void clear() {
    for (int i = 0; i < owners.length; i++) {
      if (owners[i] != null && outcomes[i] != null) {
        failedBefore[nextFailed] = owners[i];
        nextFailed = (nextFailed + 1) % REMEMBERED;
      }
    }
    Arrays.fill(owners, null);
    calls = 0;
    transients = 0;
    throttles = 0;
    unsettled = 0;
    failedInRow = 0;
  }

  private int failures() {
    return transients + throttles + unsettled;
  }

  private static int place(Object call, @Nullable Object[] among) {
    for (int i = 0; i < among.length; i++) {
      if (among[i] == call) {
        return i;
      }
    }
    return -1;
  }

  private void add(@Nullable Object call, @Nullable FailureKind outcome) {
    if (calls == outcomes.length) {
      if (outcomes[next] != null && owners[next] != null) {
        failedBefore[nextFailed] = owners[next];
        nextFailed = (nextFailed + 1) % REMEMBERED;
      }
      count(outcomes[next], -1);
    } else {
      calls++;
    }
    owners[next] = call;
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
