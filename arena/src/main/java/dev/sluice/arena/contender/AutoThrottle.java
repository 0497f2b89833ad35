package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Sending;
import java.util.concurrent.TimeUnit;

/**
 * A transcription of Scrapy's AutoThrottle rule with its defaults. It is a Python program, so a
 * test compares it with a recorded trace of that. One slot per user: a request follows the last
 * after a delay, with at most 8 in flight.
 *
 * <p>An answer aims at a delay of its latency (a target concurrency of 1): a longer one is adopted,
 * to a shorter one the delay goes half of the way. An answer other than 200 may only lengthen it.
 * It starts with 5 s and ends at 60 s. Scrapy also spreads delays at random by half of their length
 * to either side; here they are what they are on average.
 */
final class AutoThrottle implements Limiter {
  static final long START = TimeUnit.SECONDS.toNanos(5);
  static final long LONGEST = TimeUnit.SECONDS.toNanos(60);
  private static final int SLOTS = 8;

  private long delay = START;
  private boolean started;
  private long lastSent;

  @Override
  public int slots(long now) {
    return SLOTS;
  }

  @Override
  public long notBefore(long now) {
    return started ? lastSent + delay : now;
  }

  @Override
  public int sent(int inFlight, long now) {
    started = true;
    lastSent = now;
    return inFlight;
  }

  @Override
  public long answered(Sending sending, int number, long notBefore, long now) {
    long target = now - sending.sentAt();
    long next = Math.min(Math.max(target, (delay + target) / 2), LONGEST);
    if (sending.status() == 200 || next > delay) {
      delay = next;
    }
    return notBefore;
  }

  /** The present delay, in nanoseconds. */
  long delay() {
    return delay;
  }

  @Override
  public double rate() {
    return 1e9 / delay;
  }
}
