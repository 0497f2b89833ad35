package dev.sluice.arena.contender;

/** Always the same number in flight, whatever comes back. */
record FixedSlots(int slots) implements Limiter {
  @Override
  public int slots(long now) {
    return slots;
  }
}
