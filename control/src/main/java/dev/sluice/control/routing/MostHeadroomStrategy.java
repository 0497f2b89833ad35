package dev.sluice.control.routing;

/**
 * The lane, among those ready, with the largest share of its quota left; of several such the one
 * used least recently. Lanes whose quota is unknown count as full. Stateless.
 */
public final class MostHeadroomStrategy implements SelectionStrategy {

  @Override
  public int select(Candidates candidates, long now) {
    return LeastCost.select(candidates, (lanes, index) -> -lanes.headroom(index));
  }
}
