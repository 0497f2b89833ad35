package dev.sluice.collect.yaml.pacing;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.DelegatingPolicy;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import java.util.List;
import java.util.OptionalLong;

/**
 * Another policy, with no more in flight than declared, and a share of every quota left to others.
 * Single-threaded, as every policy.
 */
final class ReinedPolicy extends DelegatingPolicy {
  private final int mostInFlight;
  private final double reserve;

  /**
   * The given policy, which nobody else may use.
   *
   * @param reserve the share of a limit that is left to others; 0 to 1
   */
  ReinedPolicy(Policy policy, int mostInFlight, double reserve) {
    super(policy);
    this.mostInFlight = mostInFlight;
    this.reserve = reserve;
  }

  @Override
  public int level(long now) {
    return Math.min(mostInFlight, super.level(now));
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    super.settled(attempt, reserve == 0 ? signal : reserved(signal), now);
  }

  private Signal reserved(Signal signal) {
    List<QuotaHint> hints = signal.quota().stream().map(this::reserved).toList();
    return switch (signal) {
      case Signal.Success success -> new Signal.Success(success.durationNanos(), hints);
      case Signal.Throttled throttled ->
          new Signal.Throttled(throttled.retryAfter(), throttled.facet(), throttled.code(), hints);
      case Signal.Answered answered -> new Signal.Answered(answered.kind(), hints);
      case Signal.Transient failure -> new Signal.Transient(failure.kind(), hints);
      case Signal.Stopped stopped -> new Signal.Stopped(stopped.reason(), hints);
      case Signal.Rejected rejected -> new Signal.Rejected(rejected.kind(), hints);
      case Signal.Cancelled cancelled -> cancelled;
    };
  }

  private QuotaHint reserved(QuotaHint hint) {
    if (hint.limit().isEmpty() || hint.remaining().isEmpty()) {
      return hint;
    }
    long kept = (long) Math.ceil(reserve * hint.limit().getAsLong());
    return new QuotaHint(
        OptionalLong.of(Math.max(1, hint.limit().getAsLong() - kept)),
        OptionalLong.of(Math.max(0, hint.remaining().getAsLong() - kept)),
        hint.resetAfter(),
        hint.windowSize(),
        hint.retryAfter(),
        hint.scope());
  }
}
