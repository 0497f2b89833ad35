package dev.sluice.control.budget;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The envelope of one run: how many attempts it may make, and for how long. Either may be missing;
 * without both it is unbounded.
 *
 * <p>The unit is the attempt: one outgoing call, whatever becomes of it. The clock starts at the
 * first question and is asked before attempts, never during one. If both are spent, the cap is
 * named.
 *
 * <p>Thread-safe and lock-free: no number of threads ever reserves more than the cap, and asking
 * allocates nothing. Of questions that come at once, one starts the clock and another may be the
 * first to be answered; from then on every call is atomic. Times are monotonic nanoseconds whose
 * origin may be negative.
 */
public final class RunBudget {
  /** A deadline that does not come. */
  public static final long NEVER = Long.MAX_VALUE;

  /** From here on a clock would not end within anybody's lifetime, and sums might overflow. */
  private static final long LONGEST = Long.MAX_VALUE / 2;

  private final long cap; // NEVER if there is none
  private final long span; // nanoseconds; NEVER if there is no clock

  private final AtomicLong used = new AtomicLong();
  private final AtomicLong deadline = new AtomicLong(NEVER); // NEVER until the clock has started

  private RunBudget(long cap, long span) {
    this.cap = cap;
    this.span = span;
  }

  /**
   * A budget.
   *
   * @param requestCap attempts in total, at least 1; empty for any number
   * @param wallClock time from the first question on, positive; empty for as long as it takes
   * @throws IllegalArgumentException if one is out of range
   */
  public static RunBudget of(OptionalLong requestCap, Optional<Duration> wallClock) {
    if (requestCap.isPresent() && requestCap.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "requestCap is "
              + requestCap.getAsLong()
              + ", but must be 1 or more (attempts in one run; leave it out for no limit)");
    }
    if (wallClock.isPresent() && !wallClock.get().isPositive()) {
      throw new IllegalArgumentException(
          "wallClock is "
              + wallClock.get()
              + ", but must be positive (how long one run may take; leave it out for no limit)");
    }
    boolean endless =
        wallClock.isEmpty() || wallClock.get().compareTo(Duration.ofNanos(LONGEST)) > 0;
    return new RunBudget(requestCap.orElse(NEVER), endless ? NEVER : wallClock.get().toNanos());
  }

  /** Attempts in total and no clock. */
  public static RunBudget ofRequests(long requestCap) {
    return of(OptionalLong.of(requestCap), Optional.empty());
  }

  /** A clock and any number of attempts. */
  public static RunBudget ofTime(Duration wallClock) {
    return of(OptionalLong.empty(), Optional.of(wallClock));
  }

  /** No envelope. */
  public static RunBudget unbounded() {
    return new RunBudget(NEVER, NEVER);
  }

  /** Reserves one attempt if both cap and clock allow it; otherwise changes nothing. */
  public Verdict tryReserve(long now) {
    boolean inTime = remaining(now) > 0;
    while (true) {
      long before = used.get();
      if (before >= cap) {
        return Verdict.REQUEST_CAP;
      }
      if (!inTime) {
        return Verdict.WALL_CLOCK;
      }
      if (used.compareAndSet(before, before + 1)) {
        return Verdict.GRANTED;
      }
    }
  }

  /**
   * The attempt that was reserved was not made.
   *
   * @throws IllegalStateException if none is reserved
   */
  public void giveBack() {
    while (true) {
      long before = used.get();
      if (before == 0) {
        throw new IllegalStateException("an attempt was given back that was never reserved");
      }
      if (used.compareAndSet(before, before - 1)) {
        return;
      }
    }
  }

  /** What {@link #tryReserve} would say; reserves nothing, but starts the clock. */
  public Verdict ask(long now) {
    boolean inTime = remaining(now) > 0;
    if (used.get() >= cap) {
      return Verdict.REQUEST_CAP;
    }
    return inTime ? Verdict.GRANTED : Verdict.WALL_CLOCK;
  }

  /** When the clock runs out; {@link #NEVER} without one. A question: it starts the clock. */
  public long deadline(long now) {
    if (span == NEVER) {
      return NEVER;
    }
    long known = deadline.get();
    if (known != NEVER) {
      return known;
    }
    // The one time that could be taken for "not started" is moved by a nanosecond.
    long end = now + span == NEVER ? NEVER - 1 : now + span;
    return deadline.compareAndSet(NEVER, end) ? end : deadline.get();
  }

  /** How many nanoseconds are left, 0 if none; {@link #NEVER} without a clock. A question, too. */
  public long remaining(long now) {
    long end = deadline(now);
    return end == NEVER ? NEVER : Math.max(0, end - now);
  }

  /** How many attempts are reserved or made. */
  public long used() {
    return used.get();
  }

  /** The most attempts; empty if any number. */
  public OptionalLong requestCap() {
    return cap == NEVER ? OptionalLong.empty() : OptionalLong.of(cap);
  }

  /** How long it may take; empty if as long as it likes. */
  public Optional<Duration> wallClock() {
    return span == NEVER ? Optional.empty() : Optional.of(Duration.ofNanos(span));
  }
}
