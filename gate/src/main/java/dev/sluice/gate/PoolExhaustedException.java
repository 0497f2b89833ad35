package dev.sluice.gate;

import java.time.Duration;

/**
 * No permit came in time, although no lane was held: more is asked for at once than the lanes have
 * slots, or their pace allows less. The message has the reason of a lane.
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
