package dev.sluice.control.pacing;

/**
 * A time before which nothing is sent: what a provider asked for, waited exactly once.
 *
 * <p>Holds combine by maximum, so a shorter one never shortens a longer one, and a hold is never
 * turned into a rate. Single-threaded. Times are monotonic nanoseconds, whose origin may be
 * negative; {@link #NEVER} does not come.
 */
public final class Hold {
  /** A time that does not come: the hold ends only when it is lifted. */
  public static final long NEVER = Long.MAX_VALUE;

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
    if (until == NEVER || (this.until != NEVER && until - this.until > 0)) {
      this.until = until;
    }
  }

  /** Ends the hold at {@code now}, whatever was asked for: a person has decided. */
  public void lift(long now) {
    until = now;
  }

  /** When it ends or ended; {@link #NEVER} if only {@link #lift} ends it. */
  public long until() {
    return until;
  }

  /** Whether nothing may be sent at {@code now}; {@code until} itself is free again. */
  public boolean isActive(long now) {
    return until == NEVER || until - now > 0;
  }

  /** How many nanoseconds are left, 0 if none; {@link #NEVER} if only {@link #lift} ends it. */
  public long remaining(long now) {
    if (until == NEVER) {
      return NEVER;
    }
    return Math.max(0, until - now);
  }
}
