package dev.sluice.control.budget;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of one run: how many attempts it may make, and for how long. Either may be missing;
 * without both it is unbounded.
 *
 * <p>The unit is the attempt: one outgoing call, whatever becomes of it. The clock starts at the
 * first question and is asked before attempts, never during one. If both are spent, the cap is
 * named.
 *
 * <p>Thread-safe, lock-free and linearizable: no number of threads ever reserves more than the cap,
 * and all agree on when the clock started. Asking allocates nothing after the first time. Times are
 * monotonic nanoseconds whose origin may be negative.
 */
public final class RunBudget {
  /** A deadline that does not come. */
  public static final long NEVER = Long.MAX_VALUE;

  /** From here on a clock would not end within anybody's lifetime, and sums might overflow. */
  private static final long LONGEST = Long.MAX_VALUE / 2;

  private final long cap; // NEVER if there is none
  private final long span; // nanoseconds; NEVER if there is no clock

  /** Null until the first question, which puts the clock and its own attempt in place at once. */
  private final AtomicReference<@Nullable Started> started = new AtomicReference<>();

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
    Started state = started.get();
    if (state == null) {
      if (started.compareAndSet(null, new Started(now, span, 1))) {
        return Verdict.GRANTED; // both cap and clock allow at least one
      }
      state = requireNonNull(started.get());
    }
    while (true) {
      long before = state.used.get();
      Verdict verdict = verdict(state, before, now);
      if (verdict != Verdict.GRANTED || state.used.compareAndSet(before, before + 1)) {
        return verdict;
      }
    }
  }

  private Verdict verdict(Started state, long used, long now) {
    if (used >= cap) {
      return Verdict.REQUEST_CAP;
    }
    return state.remaining(now) > 0 ? Verdict.GRANTED : Verdict.WALL_CLOCK;
  }

  /**
   * The attempt that was reserved was not made.
   *
   * @throws IllegalStateException if none is reserved
   */
  public void giveBack() {
    Started state = started.get();
    while (true) {
      long before = state == null ? 0 : state.used.get();
      if (state == null || before == 0) {
        throw new IllegalStateException("an attempt was given back that was never reserved");
      }
      if (state.used.compareAndSet(before, before - 1)) {
        return;
      }
    }
  }

  /** What {@link #tryReserve} would say; reserves nothing, but starts the clock. */
  public Verdict ask(long now) {
    Started state = start(now);
    return verdict(state, state.used.get(), now);
  }

  /** When the clock runs out; {@link #NEVER} without one. A question: it starts the clock. */
  public long deadline(long now) {
    return start(now).deadline;
  }

  /** How many nanoseconds are left, 0 if none; {@link #NEVER} without a clock. A question, too. */
  public long remaining(long now) {
    return start(now).remaining(now);
  }

  private Started start(long now) {
    Started state = started.get();
    if (state == null) {
      state = new Started(now, span, 0);
      if (!started.compareAndSet(null, state)) {
        state = requireNonNull(started.get());
      }
    }
    return state;
  }

  /** How many attempts are reserved or made. */
  public long used() {
    Started state = started.get();
    return state == null ? 0 : state.used.get();
  }

  /** The most attempts; empty if any number. */
  public OptionalLong requestCap() {
    return cap == NEVER ? OptionalLong.empty() : OptionalLong.of(cap);
  }

  /** How long it may take; empty if as long as it likes. */
  public Optional<Duration> wallClock() {
    return span == NEVER ? Optional.empty() : Optional.of(Duration.ofNanos(span));
  }

  /** A budget whose clock runs. */
  private static final class Started {
    private final long deadline;
    private final AtomicLong used;

    Started(long now, long span, long used) {
      // The one time that could be taken for "never" is moved by a nanosecond.
      this.deadline = span == NEVER ? NEVER : now + span == NEVER ? NEVER - 1 : now + span;
      this.used = new AtomicLong(used);
    }

    long remaining(long now) {
      return deadline == NEVER ? NEVER : Math.max(0, deadline - now);
    }
  }
}
