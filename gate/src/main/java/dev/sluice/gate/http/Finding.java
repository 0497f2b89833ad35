package dev.sluice.gate.http;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Scope;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One statement, read: numbers are numbers and waits are waits, but what they mean still depends on
 * whether the answer was a throttle (H.N5 and H.N7 in docs/traceability.md).
 *
 * @param remaining as told; below 0 it means nothing yet
 * @param reset when some quota returns; null if not told
 * @param told the explicit "not before"; null if not told
 */
record Finding(
    Scope scope,
    OptionalLong limit,
    OptionalLong remaining,
    Optional<Duration> window,
    @Nullable WaitReading reset,
    @Nullable WaitReading told) {

  private static final Duration UNKNOWN_WINDOW = Duration.ofHours(1);

  boolean exhausted() {
    return remaining.isPresent() && remaining.getAsLong() == 0;
  }

  /** Whether this limit is one whose end is far away, so that a short wait cannot be its end. */
  boolean longRunning() {
    String name = scope.key().toLowerCase(Locale.ROOT);
    return window.map(length -> length.compareTo(UNKNOWN_WINDOW) >= 0).orElse(false)
        || name.contains("day")
        || name.contains("daily");
  }

  /** Until when a throttle keeps this limit's callers away; empty if it does not say. */
  Optional<Duration> exhaustedFor() {
    // A count below zero on a throttle is one overdrawn.
    boolean spent = remaining.isPresent() && remaining.getAsLong() <= 0;
    return spent && reset != null ? reset.stayAway() : Optional.empty();
  }

  /** Whether a throttle's wait may be this limit's. */
  boolean asksFor(Duration wait) {
    Optional<Duration> same = Optional.of(wait);
    return same.equals(exhaustedFor()) || (told != null && same.equals(told.stayAway()));
  }

  /**
   * The hint on an answer that was a throttle; empty if there is nothing left to say. The wait is
   * the signal's, and said once.
   */
  Optional<QuotaHint> onThrottle(Set<Flag> flags) {
    OptionalLong left =
        remaining.isPresent() ? OptionalLong.of(Math.max(0, remaining.getAsLong())) : remaining;
    report(reset, flags);
    report(told, flags);
    return hint(left, plausible(reset), Optional.empty(), flags);
  }

  /** The hint on any other answer; empty if there is nothing left to say. */
  Optional<QuotaHint> onOther(Set<Flag> flags) {
    boolean rolled = WaitReading.STALE.equals(reset);
    boolean unknown = rolled || (remaining.isPresent() && remaining.getAsLong() < 0);
    report(reset, flags);
    // Some services send a wait of zero with every success: nothing odd about that.
    if (!WaitReading.STALE.equals(told)) {
      report(told, flags);
    }
    Optional<Duration> resetAfter = plausible(reset);
    Optional<Duration> notBefore = plausible(told);
    if (notBefore.isEmpty() && exhausted()) {
      Duration most = window.orElse(UNKNOWN_WINDOW);
      notBefore = resetAfter.filter(after -> after.compareTo(most) <= 0);
    }
    return hint(unknown ? OptionalLong.empty() : remaining, resetAfter, notBefore, flags);
  }

  /**
   * The hint on a failure: a wait that is told with it is that request's own, and nobody else's.
   */
  Optional<QuotaHint> onFailure(Set<Flag> flags) {
    if (plausible(told).isEmpty()) {
      return onOther(flags);
    }
    Scope own = new Scope(Reach.OBJECT, scope.key(), scope.unit(), scope.source());
    return new Finding(own, limit, remaining, window, reset, told).onOther(flags);
  }

  private Optional<QuotaHint> hint(
      OptionalLong left,
      Optional<Duration> resetAfter,
      Optional<Duration> notBefore,
      Set<Flag> flags) {
    if (limit.isEmpty() && left.isEmpty() && resetAfter.isEmpty() && notBefore.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong within = left;
    if (limit.isPresent() && left.isPresent() && left.getAsLong() > limit.getAsLong()) {
      flags.add(Flag.HINT_CONFLICT);
      within = limit;
    }
    return Optional.of(new QuotaHint(limit, within, resetAfter, window, notBefore, scope));
  }

  private static void report(@Nullable WaitReading reading, Set<Flag> flags) {
    if (reading != null) {
      reading.flag().ifPresent(flags::add);
    }
  }

  private static Optional<Duration> plausible(@Nullable WaitReading reading) {
    return reading == null || reading instanceof WaitReading.Implausible
        ? Optional.empty()
        : reading.stayAway();
  }
}
