package dev.sluice.control.routing;

/** Finds the lane that costs least. */
final class LeastCost {
  private LeastCost() {}

  /** What it costs to use a lane. */
  interface Cost {
    double of(Candidates candidates, int index);
  }

  /**
   * Of the lanes that are ready the one that costs least; of equals the one used least recently.
   */
  static int select(Candidates candidates, Cost cost) {
    int best = SelectionStrategy.NONE;
    double least = 0;
    for (int i = 0; i < candidates.size(); i++) {
      if (candidates.ready(i)) {
        double own = cost.of(candidates, i);
        if (best == SelectionStrategy.NONE
            || own < least
            || (own == least && candidates.lastUsed(i) < candidates.lastUsed(best))) {
          best = i;
          least = own;
        }
      }
    }
    return best;
  }
}
