package dev.sluice.control.routing;

import java.time.Duration;

/**
 * No slot became free in time, although the service would have let us send: we are asking for more
 * at once than the lanes have slots. Waiting for a throttle to end is never the reason.
 */
public final class PoolExhaustedException extends RuntimeException {
  private final Duration waited;
  private final int lanes;

  /**
   * @param waited how long the caller waited for a slot
   * @param lanes how many lanes the gate has
   */
  public PoolExhaustedException(Duration waited, int lanes) {
    super(
        "no slot became free on "
            + (lanes == 1 ? "the only lane" : "any of " + lanes + " lanes")
            + " within "
            + waited.toMillis()
            + " ms; send less at once, add application users, or raise acquireTimeout");
    this.waited = waited;
    this.lanes = lanes;
  }

  /** How long the caller waited for a slot. */
  public Duration waited() {
    return waited;
  }

  /** How many lanes the gate has. */
  public int lanes() {
    return lanes;
  }
}
