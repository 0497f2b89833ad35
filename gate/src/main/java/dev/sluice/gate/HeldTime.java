package dev.sluice.gate;

/**
 * Counts the time during which every lane was held back, so that a caller's time-out counts only
 * the time spent waiting for a slot. Guarded by the gate's lock; nanoseconds.
 */
final class HeldTime {
  private long counted;
  private long from;
  private long until;

  /** From {@code now} on, every lane is held until {@code until}; {@code now} if none is. */
  void heldUntil(long end, long now) {
    counted = total(now);
    from = now;
    until = end;
  }

  /** All held time up to {@code now}. */
  long total(long now) {
    long end = until - now > 0 ? now : until;
    return counted + Math.max(0, end - from);
  }

  /** All held time up to the end of the hold in force, if there is one. */
  long totalOnceFree(long now) {
    return until - now > 0 ? total(until) : total(now);
  }
}
