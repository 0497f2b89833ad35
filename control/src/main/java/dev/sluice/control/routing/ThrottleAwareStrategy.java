package dev.sluice.control.routing;

/**
 * The lane, among those ready, that was used least recently: work spreads evenly over all that can
 * take it, and flows round those that are held. Stateless.
 */
public final class ThrottleAwareStrategy implements SelectionStrategy {

  @Override
  public int select(Candidates candidates, long now) {
    return LeastCost.select(candidates, (lanes, index) -> 0);
  }
}
