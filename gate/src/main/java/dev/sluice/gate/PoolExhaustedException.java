package dev.sluice.gate;

import java.time.Duration;

/**
 * No permit came in time, although the service would have let us send: more is asked for at once
 * than the lanes have slots. Waiting for a throttle to end is never the reason.
 */
public final class PoolExhaustedException extends RefusedException {
  private final Duration waited;

  PoolExhaustedException(Refusal.TimedOut refusal) {
    super(refusal.message(), refusal);
    this.waited = refusal.waited();
  }

  /** How long the caller waited. */
  public Duration waited() {
    return waited;
  }
}
