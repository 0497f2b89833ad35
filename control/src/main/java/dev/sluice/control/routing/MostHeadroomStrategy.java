package dev.sluice.control.routing;

/**
 * The lane, among those ready, with the largest share of its quota left; of several such the one
 * used least recently. Lanes whose quota is unknown count as full. Stateless.
 */
public final class MostHeadroomStrategy implements SelectionStrategy {

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
    int difference = Double.compare(candidates.headroom(one), candidates.headroom(other));
    return difference > 0
        || (difference == 0 && candidates.lastUsed(one) < candidates.lastUsed(other));
  }
}
