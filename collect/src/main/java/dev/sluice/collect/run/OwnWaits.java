package dev.sluice.collect.run;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.List;

/**
 * The throttles that one request met which are about less than its lane: it waits for their end by
 * itself, and the lane goes on. Used by the worker that asks.
 */
final class OwnWaits {
  private final Duration bare;
  private final int most;
  private int met;

  /**
   * None yet.
   *
   * @param bare the first wait after a throttle that tells none
   * @param most how many are waited for
   */
  OwnWaits(Duration bare, int most) {
    this.bare = bare;
    this.most = most;
  }

  /**
   * Whether a throttle is about less than a lane. A pool is not: which streams draw on it nobody
   * here knows.
   */
  static boolean areFor(Reach reach) {
    return switch (reach) {
      case OBJECT, ROUTE -> true;
      case RESOURCE_POOL, CREDENTIAL, ACCOUNT, IP, PROVIDER -> false;
    };
  }

  /**
   * Another one has come.
   *
   * @return how long it asks to stay away; doubled every time as long as it does not say
   */
  Duration met(Signal.Throttled throttled) {
    met++;
    return throttled.retryAfter().orElseGet(() -> bare.multipliedBy(1L << Math.min(met - 1, 16)));
  }

  /** Whether there were more than are waited for. */
  boolean areTooMany() {
    return met > most;
  }

  /**
   * What the lane is told of it: a healthy provider would not serve this one thing. What else the
   * answer said about the whole lane still counts.
   */
  static Signal forLane(Signal.Throttled throttled) {
    List<QuotaHint> wider =
        throttled.quota().stream().filter(hint -> !areFor(hint.scope().reach())).toList();
    return new Signal.Rejected(Signal.Rejected.Kind.INVALID, wider);
  }
}
