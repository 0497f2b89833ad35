package dev.sluice.arena.contender;

/** Always the same number of workers, each with one request, whatever comes back. */
record FixedSlots(int slots) implements Limiter {
  @Override
  public int workers() {
    return slots;
  }

  @Override
  public int slots(long now) {
    return slots;
  }
}
