package dev.sluice.control.pacing;

/**
 * A time before which nothing is sent: what a provider asked for, waited exactly once.
 *
 * <p>Holds combine by maximum, so a shorter one never shortens a longer one, and a hold is never
 * turned into a rate. Single-threaded. Times are monotonic nanoseconds, whose origin may be
 * negative: only differences are compared.
 */
public final class Hold {
  private long until;

  private Hold(long until) {
    this.until = until;
  }

  /** No hold as seen from {@code now}: whatever there was has ended. */
  public static Hold endedAt(long now) {
    return new Hold(now);
  }

  /** Holds until {@code until} at least; changes nothing if it holds for longer already. */
  public void extendTo(long until) {
    if (until - this.until > 0) {
      this.until = until;
    }
  }

  /** When it ends or ended. */
  public long until() {
    return until;
  }

  /** Whether nothing may be sent at {@code now}; {@code until} itself is free again. */
  public boolean isActive(long now) {
    return until - now > 0;
  }
}
