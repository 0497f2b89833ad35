package dev.sluice.control.routing;

/**
 * The lane, among those ready, with the fewest requests in flight; of several such the one used
 * least recently. Slow lanes get less. Stateless.
 */
public final class LeastConnectionsStrategy implements SelectionStrategy {

  @Override
  public int select(Candidates candidates, long now) {
    return LeastCost.select(candidates, Candidates::inFlight);
  }
}
