package dev.sluice.simulator.provider;

import dev.sluice.simulator.limit.TimeRing;

/**
 * Counts the requests of the last while and how many of them were throttled, exactly, to tell when
 * there were too many. Single-threaded; monotonic nanoseconds that do not go back.
 */
public final class ThrottleShare {
  private final Suspension rule;
  private final long window;
  private final long origin;
  // Twice the time since the origin, and one more if it was throttled.
  private final TimeRing requests = new TimeRing();
  private int throttled;

  /** Nobody has sent anything before {@code now}. */
  public ThrottleShare(Suspension rule, long now) {
    this.rule = rule;
    this.window = rule.window().toNanos();
    this.origin = now;
  }

  /** Counts a request; whether too many of late were throttled. */
  public boolean count(boolean wasThrottled, long now) {
    if (rule.share() >= 1) {
      return false;
    }
    long time = now - origin;
    while (!requests.isEmpty() && time - (requests.first() >> 1) >= window) {
      throttled -= (int) (requests.removeFirst() & 1);
    }
    requests.add((time << 1) | (wasThrottled ? 1 : 0));
    throttled += wasThrottled ? 1 : 0;
    return throttled >= rule.least() && throttled > rule.share() * requests.size();
  }
}
