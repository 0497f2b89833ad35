package dev.sluice.control.pacing;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.Signal;
import org.jspecify.annotations.Nullable;

/**
 * The policy for a provider that says nothing about its limits: an {@link AdaptivePacer} decides
 * when, a fixed cap how many at once. While the cap, not the pace, is what holds requests back, the
 * rate does not rise: it would show a pace that nobody keeps, and allow it once answers got
 * quicker.
 *
 * <p>An abandoned request gives its place back, one interval off the theoretical arrival time, if
 * no other was started after it; otherwise its place has passed, and nothing is left to give. What
 * remains is never more than if it had not been started.
 *
 * <p>Single-threaded, as its lane's lock makes it.
 */
public final class PacedPolicy implements Policy {
  private final AdaptivePacer pacer;
  private final int maxInFlight;
  private int inFlight;

  /** A policy that starts with what was proven before, or from cold if that is null or old. */
  public PacedPolicy(PacerOptions options, @Nullable WarmStart warmStart, long now) {
    this.pacer = new AdaptivePacer(options, warmStart, now);
    this.maxInFlight = options.maxInFlight();
  }

  /** A policy that knows nothing yet. */
  public PacedPolicy(PacerOptions options, long now) {
    this(options, null, now);
  }

  @Override
  public int level(long now) {
    return maxInFlight;
  }

  @Override
  public long notBefore(long now) {
    return pacer.earliest(now);
  }

  @Override
  public void started(Attempt attempt, long now) {
    inFlight++;
    pacer.sent(attempt.sentAt());
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    boolean full = inFlight >= maxInFlight;
    inFlight--;
    pacer.settled(attempt.sentAt(), signal, full, now);
  }

  @Override
  public void abandoned(Attempt attempt, long now) {
    inFlight--;
    pacer.unsent(attempt.sentAt());
  }

  @Override
  public SlowedBy slowedBy(long now) {
    return pacer.slowedBy(now);
  }

  @Override
  public String reason(long now) {
    return pacer.reason(now);
  }

  @Override
  public double rate() {
    return pacer.rate();
  }

  /** The law behind it, for statistics and for storing; under the same lock. */
  public AdaptivePacer pacer() {
    return pacer;
  }
}
