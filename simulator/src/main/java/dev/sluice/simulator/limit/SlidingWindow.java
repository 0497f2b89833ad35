package dev.sluice.simulator.limit;

/**
 * Admits so many requests within any span of its period, exactly: a request admitted at {@code t}
 * counts before {@code t + period}. It remembers every admission of the last period.
 */
public final class SlidingWindow implements Limiter {
  private final long madeLimit;
  private final long period;

  private long limit;
  private final TimeRing admitted = new TimeRing();

  /**
   * An unused window.
   *
   * @param limit requests within any period; 0 refuses everything
   * @param period nanoseconds, positive
   */
  public SlidingWindow(long limit, long period) {
    this.madeLimit = Sizes.notNegative("limit", limit, "requests within any period");
    this.period = Sizes.positive("period", period, "the length of the window");
    this.limit = limit;
  }

  private void expire(long now) {
    while (!admitted.isEmpty() && now - admitted.first() >= period) {
      long unused = admitted.removeFirst();
    }
  }

  @Override
  public long untilFree(long now) {
    expire(now);
    int size = admitted.size();
    if (size < limit) {
      return 0;
    }
    // A window that has shrunk is free only when all that is too much has left it.
    return limit == 0 ? NEVER : admitted.get((int) (size - limit)) + period - now;
  }

  @Override
  public void spend(long now) {
    expire(now);
    admitted.add(now);
  }

  @Override
  public void finish(long now) {
    // What was admitted counts by when it came, not by how long it took.
  }

  @Override
  public void scale(double factor, long now) {
    limit = Sizes.scaled(madeLimit, Sizes.factor(factor));
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public long left(long now) {
    expire(now);
    return Math.max(0, limit - admitted.size());
  }

  @Override
  public long untilReset(long now) {
    expire(now);
    int size = admitted.size();
    return size == 0 ? 0 : admitted.get(size - 1) + period - now;
  }

  @Override
  public long window() {
    return period;
  }
}
