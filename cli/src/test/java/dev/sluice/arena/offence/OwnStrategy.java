package dev.sluice.arena.offence;

import dev.sluice.control.routing.Candidates;
import dev.sluice.control.routing.SelectionStrategy;

final class OwnStrategy implements SelectionStrategy {
  @Override
  public int select(Candidates candidates, long now) {
    return 0;
  }
}
