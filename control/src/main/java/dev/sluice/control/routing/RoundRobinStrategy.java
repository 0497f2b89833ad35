package dev.sluice.control.routing;

/**
 * The lanes in turn, those that are not ready left out. It remembers its place, so every gate needs
 * one of its own. Not thread-safe.
 */
public final class RoundRobinStrategy implements SelectionStrategy {
  private int next;

  @Override
  public int select(Candidates candidates, long now) {
    int size = candidates.size();
    for (int i = 0; i < size; i++) {
      int index = (next + i) % size;
      if (candidates.ready(index)) {
        next = index + 1;
        return index;
      }
    }
    return NONE;
  }
}
