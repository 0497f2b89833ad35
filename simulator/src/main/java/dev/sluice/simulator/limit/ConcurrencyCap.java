package dev.sluice.simulator.limit;

/** Admits so many requests at the same time; the next one when one of them has ended. */
public final class ConcurrencyCap implements Limiter {
  private final long madeLimit;

  private long limit;
  private long inFlight;

  /** A cap with nothing under it; 0 refuses everything. */
  public ConcurrencyCap(long limit) {
    this.madeLimit = Sizes.notNegative("limit", limit, "requests at the same time");
    this.limit = limit;
  }

  /** 0 or {@link #NEVER}: nobody knows when a running request will end. */
  @Override
  public long untilFree(long now) {
    return inFlight < limit ? 0 : NEVER;
  }

  @Override
  public void spend(long now) {
    inFlight++;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if none is running
   */
  @Override
  public void finish(long now) {
    if (inFlight == 0) {
      throw new IllegalStateException("a request has ended that was never admitted");
    }
    inFlight--;
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
    return Math.max(0, limit - inFlight);
  }

  @Override
  public long untilReset(long now) {
    return inFlight == 0 ? 0 : NEVER;
  }

  @Override
  public long window() {
    return 0;
  }
}
