package dev.sluice.gate.http;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All that one answer said about limits, and what follows from it: was it a throttle, until when,
 * and which hints ride on. For one reading, on one thread.
 */
final class Findings {
  /** Nothing was said. */
  static final Findings NONE = new Findings(List.of());

  private final List<Finding> all;

  Findings(List<Finding> all) {
    this.all = all;
  }

  /** Whether a refusal is really a throttle: a limit is used up, or a wait is asked for. */
  boolean explainsRefusal() {
    // Zero is what some services send with everything; it asks for nothing.
    return all.stream()
        .anyMatch(
            finding ->
                finding.exhausted()
                    || (finding.told() != null && !WaitReading.STALE.equals(finding.told())));
  }

  /**
   * How long a throttle keeps us away (H.N11 in docs/traceability.md): the longest explicit wait;
   * without one, the longest reset of a limit that is used up. A used-up limit of an hour or more
   * outranks a shorter explicit wait. Nothing is added, nothing shortened.
   */
  Optional<Duration> stayAway() {
    Optional<Duration> explicit = Optional.empty();
    Optional<Duration> exhausted = Optional.empty();
    Optional<Duration> longRunning = Optional.empty();
    for (Finding finding : all) {
      WaitReading told = finding.told();
      if (told != null) {
        explicit = longer(explicit, told.stayAway());
      }
      Optional<Duration> until = finding.exhaustedFor();
      exhausted = longer(exhausted, until);
      if (finding.longRunning()) {
        longRunning = longer(longRunning, until);
      }
    }
    return explicit.isPresent() ? longer(explicit, longRunning) : exhausted;
  }

  /**
   * Whom {@link #stayAway} is about (H.N14.1 in docs/traceability.md): whomever the limit reaches
   * that gave this wait, and of several that did, the one that reaches furthest. The whole provider
   * if there is no wait.
   */
  Reach reach() {
    Optional<Duration> wait = stayAway();
    return all.stream()
        .filter(finding -> wait.isPresent() && finding.asksFor(wait.get()))
        .map(finding -> finding.scope().reach())
        .max(Comparator.naturalOrder())
        .orElse(Reach.PROVIDER);
  }

  private static Optional<Duration> longer(Optional<Duration> one, Optional<Duration> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return one.get().compareTo(other.get()) >= 0 ? one : other;
  }

  /** The hints that ride on a signal. A wait on a failure is about that request alone. */
  List<QuotaHint> hints(Signal signal, Set<Flag> flags) {
    if (all.isEmpty()) {
      return List.of();
    }
    List<QuotaHint> hints = new ArrayList<>(all.size());
    for (Finding finding : all) {
      Optional<QuotaHint> hint =
          switch (signal) {
            case Signal.Throttled throttled -> finding.onThrottle(flags);
            case Signal.Transient failure -> finding.onFailure(flags);
            default -> finding.onOther(flags);
          };
      hint.ifPresent(hints::add);
    }
    return hints;
  }
}
