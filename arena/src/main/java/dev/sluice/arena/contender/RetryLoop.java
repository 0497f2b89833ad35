package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Sending;
import java.util.concurrent.TimeUnit;

/**
 * A loop as people write it: eight workers, and each tries its request again after a while.
 *
 * @param heedsRetryAfter whether it waits as long as it is told, or else a second; otherwise it
 *     waits 1 s, then 2 s, 4 s and so on up to a minute, whatever it is told
 */
record RetryLoop(boolean heedsRetryAfter) implements Limiter {
  private static final int WORKERS = 8;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST = 60 * SECOND;

  @Override
  public int workers() {
    return WORKERS;
  }

  @Override
  public int slots(long now) {
    return WORKERS;
  }

  @Override
  public long answered(Sending sending, int number, long notBefore, long now) {
    if (sending.isAdmitted()) {
      return now;
    }
    if (heedsRetryAfter) {
      return now + (sending.retryAfter() == Sending.NONE ? SECOND : sending.retryAfter());
    }
    return now + Math.min(LONGEST, SECOND << Math.min(6, sending.tries() - 1));
  }
}
