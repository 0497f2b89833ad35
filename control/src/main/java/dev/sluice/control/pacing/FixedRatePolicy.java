package dev.sluice.control.pacing;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.Signal;

/**
 * The policy for somebody who knows the limit: a fixed rate with a burst ({@link Gcra}'s
 * arithmetic) and a fixed cap on requests in flight. Nothing that comes back changes it; a throttle
 * still holds its lane.
 *
 * <p>An abandoned request gives its place back, one interval off the theoretical arrival time, if
 * no other was started after it; otherwise its place is forfeited. What remains is never more than
 * if it had not been started.
 *
 * <p>Single-threaded, as its lane's lock makes it.
 */
public final class FixedRatePolicy implements Policy {
  private final double rate;
  private final int maxInFlight;
  private final long interval;
  private final long tolerance;

  private long theoreticalArrival;
  private boolean started;
  private long lastStart;

  /**
   * A policy that has been idle until {@code now}: a full burst may go at once.
   *
   * @param rate permits per second, positive and finite
   * @param burst how many requests idle time may save up, at least 1
   * @param maxInFlight how many requests may be in flight, at least 1
   * @throws IllegalArgumentException if one is out of range
   */
  public FixedRatePolicy(double rate, int burst, int maxInFlight, long now) {
    if (maxInFlight < 1) {
      throw new IllegalArgumentException(
          "maxInFlight is "
              + maxInFlight
              + ", but must be 1 or more (how many requests may be in flight)");
    }
    this.rate = rate;
    this.maxInFlight = maxInFlight;
    this.interval = Gcra.interval(rate);
    this.tolerance = Gcra.tolerance(interval, burst);
    this.theoreticalArrival = now;
  }

  @Override
  public int level(long now) {
    return maxInFlight;
  }

  @Override
  public long notBefore(long now) {
    return Gcra.earliest(theoreticalArrival, now, tolerance);
  }

  @Override
  public void started(Attempt attempt, long now) {
    lastStart = attempt.sentAt();
    started = true;
    theoreticalArrival = Gcra.next(theoreticalArrival, lastStart, interval);
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {}

  @Override
  public void abandoned(Attempt attempt, long now) {
    if (started && attempt.sentAt() == lastStart) {
      theoreticalArrival -= interval;
    }
  }

  @Override
  public SlowedBy slowedBy(long now) {
    return SlowedBy.DECLARED_LIMIT;
  }

  @Override
  public String reason(long now) {
    return Figures.rate(rate) + ": that is the declared rate";
  }

  @Override
  public double rate() {
    return rate;
  }
}
