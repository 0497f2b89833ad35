package dev.sluice.simulator.limit;

/**
 * Windows one after the other, each of which admits so many requests: twice that may pass around a
 * boundary, as everywhere with fixed windows.
 */
public final class FixedWindow implements Limiter {
  private final long madeLimit;
  private final long period;
  private final Opening opening;

  private long limit;
  private boolean open;
  private long start;
  private long used;

  /**
   * An unused window.
   *
   * @param limit requests per window; 0 refuses everything
   * @param period nanoseconds of a window, positive
   * @param opening when windows begin
   * @param boundary a time at which a window on the clock begins, past or future: with it, windows
   *     follow the wall clock's minutes or a zone's days
   */
  public FixedWindow(long limit, long period, Opening opening, long boundary, long now) {
    this.madeLimit = Sizes.notNegative("limit", limit, "requests per window");
    this.period = Sizes.positive("period", period, "the length of a window");
    this.opening = opening;
    this.limit = limit;
    if (opening == Opening.ON_THE_CLOCK) {
      this.open = true;
      this.start = now - Math.floorMod(now - boundary, period);
    }
  }

  private void roll(long now) {
    long elapsed = now - start;
    if (!open || elapsed < period) {
      return;
    }
    used = 0;
    if (opening == Opening.ON_THE_CLOCK) {
      start += elapsed - elapsed % period;
    } else {
      open = false;
    }
  }

  @Override
  public long untilFree(long now) {
    roll(now);
    return used < limit ? 0 : limit == 0 ? NEVER : start + period - now;
  }

  @Override
  public void spend(long now) {
    roll(now);
    if (!open) {
      open = true;
      start = now;
    }
    used++;
  }

  @Override
  public void finish(long now) {
    // What a window counted stays counted until it ends.
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
    roll(now);
    return Math.max(0, limit - used);
  }

  @Override
  public long untilReset(long now) {
    roll(now);
    return open ? start + period - now : 0;
  }

  @Override
  public long window() {
    return period;
  }

  /** When a fixed window begins. */
  public enum Opening {
    /** At the boundaries of a clock, whether anybody asks or not. */
    ON_THE_CLOCK,
    /** With the first request after the last one closed. */
    WITH_THE_FIRST_REQUEST
  }
}
