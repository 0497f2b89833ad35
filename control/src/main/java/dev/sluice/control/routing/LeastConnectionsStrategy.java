package dev.sluice.control.routing;

/**
 * The lane, among those ready, with the fewest requests in flight; of several such the one used
 * least recently. Slow lanes get less. Stateless.
 */
public final class LeastConnectionsStrategy implements SelectionStrategy {

  @Override
  public int select(Candidates candidates, long now) {
    int best = NONE;
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.ready(i) && (best == NONE || better(candidates, i, best))) {
        best = i;
      }
    }
    return best;
  }

  private static boolean better(Candidates candidates, int one, int other) {
    int difference = Integer.compare(candidates.inFlight(one), candidates.inFlight(other));
    return difference < 0
        || (difference == 0 && candidates.lastUsed(one) < candidates.lastUsed(other));
  }
}
