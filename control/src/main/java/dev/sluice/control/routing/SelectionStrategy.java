package dev.sluice.control.routing;

/**
 * Chooses the lane that a request goes through.
 *
 * <p>A strategy answers from what it is shown, reads no clock and allocates nothing. A gate has one
 * of its own and asks it under its lock, so it need not be thread-safe and may remember its last
 * choice. Each choice is followed by a grant.
 */
@FunctionalInterface
public interface SelectionStrategy {

  /** There is no such lane. */
  int NONE = -1;

  /**
   * The index of the lane to use now; {@link #NONE} if none is ready.
   *
   * @param now in monotonic nanoseconds
   */
  int select(Candidates candidates, long now);

  /**
   * Where no lane is ready: the one whose wait ends first, the first of several such; {@link #NONE}
   * if there are no lanes, or if none becomes ready by itself. Its {@code readyAt} is what a
   * caller's tolerance is measured against.
   */
  default int soonest(Candidates candidates) {
    int best = NONE;
    for (int i = 0; i < candidates.size(); i++) {
      long readyAt = candidates.readyAt(i);
      // NEVER is no time, so it is told apart before differences are taken.
      if (readyAt != Candidates.NEVER && (best == NONE || readyAt - candidates.readyAt(best) < 0)) {
        best = i;
      }
    }
    return best;
  }
}
