package dev.sluice.dataverse.pinning;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The books of the servers that answer one identity. One that gave no answer for a window, while
 * others did, is gone, and its budget with it, until it answers again. Single-threaded.
 */
final class Answering {
  /** So many times in a window it is looked at what servers have forgotten. */
  private static final int LOOKS = 1_500;

  private final long window;
  private final Map<Books, Long> answeredAt = new LinkedHashMap<>();
  private long latest;
  private long lookedAt;
  private boolean changed;

  Answering(long window) {
    this.window = window;
  }

  /** A server with these books has answered. */
  void answered(Books books, long now) {
    answeredAt.put(books, now);
    latest = now;
    changed = true;
  }

  /** How many servers answer. */
  int servers() {
    return answeredAt.size();
  }

  /** Whether what can be used up may be another number than when it was last asked for. */
  boolean isChanged(long now) {
    return !answeredAt.isEmpty() && (changed || now - lookedAt >= window / LOOKS);
  }

  /**
   * Budgets that can be used up, all servers taking as much, until the fullest one is full; never
   * less than one. A server may have taken more than its own, because what runs when a budget ends
   * is not cut off: then nothing is left until it has forgotten enough.
   */
  double usable(long now) {
    changed = false;
    lookedAt = now;
    answeredAt.values().removeIf(at -> latest - at > window);
    double sum = 0;
    double fullest = 0;
    for (Books each : answeredAt.keySet()) {
      double spent = each.ledger().ended(now);
      sum += spent;
      fullest = Math.max(fullest, spent);
    }
    return Math.max(1, sum + answeredAt.size() * Math.max(0, 1 - fullest));
  }
}
