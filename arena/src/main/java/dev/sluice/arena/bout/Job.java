package dev.sluice.arena.bout;

import java.util.concurrent.TimeUnit;

/**
 * What is to be done: so many requests, or as many as can be done in so much time.
 *
 * @param name as it stands in the report
 * @param requests how many requests; {@link Long#MAX_VALUE} for a job without end
 * @param deadline nanoseconds after which the bout ends, done or not
 */
public record Job(String name, long requests, long deadline) {
  /** As many as can be done in an hour. */
  public static final Job HOUR = new Job("1 h", Long.MAX_VALUE, TimeUnit.HOURS.toNanos(1));

  /** So many requests, given up after three simulated days. */
  public static Job of(String name, long requests) {
    return new Job(name, requests, TimeUnit.DAYS.toNanos(3));
  }

  /** Whether it is over when its time is. */
  public boolean isEndless() {
    return requests == Long.MAX_VALUE;
  }
}
