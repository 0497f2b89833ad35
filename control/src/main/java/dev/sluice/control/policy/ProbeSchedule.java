package dev.sluice.control.policy;

import java.time.Duration;

/**
 * When a provider that refuses without saying for how long is asked again: by single requests, the
 * first after max(1 s, 2 round trips), then twice as long after each refusal, at most max(60 s, a
 * tenth of the time that it has been closed). The first success of a request sent meanwhile opens
 * it.
 *
 * <p>It only counts time: whoever uses it lets no more than one request go at {@link #probeAt}
 * while {@link #isClosed}. Single-threaded; monotonic nanoseconds.
 */
public final class ProbeSchedule {
  /** The shortest wait before the first probe. */
  public static final Duration FIRST = Duration.ofSeconds(1);

  /** No pause is longer than this, or than a tenth of the time closed. */
  private static final long LONGEST = Duration.ofSeconds(60).toNanos();

  private static final int SHARE_OF_CLOSED = 10;

  private boolean closed;
  private boolean everClosed;
  private long closedAt;
  private long step;
  private long probeAt;

  /**
   * A throttle without a usable wait came for a request sent at {@code sentAt}: closes, or puts the
   * next probe off if that was one. Those that answer a request from before the last closing say
   * nothing new.
   *
   * @param roundTrip how long answers usually take; 0 if unknown
   * @return whether it changed anything
   */
  public boolean throttled(long sentAt, long roundTrip, long now) {
    if (everClosed && sentAt - closedAt <= 0) {
      return false;
    }
    if (closed) {
      step *= 2; // never more than twice the longest step: cannot overflow
    } else {
      closed = true;
      everClosed = true;
      closedAt = now;
      step = firstPause(roundTrip);
    }
    step = Math.min(step, longestPause(now - closedAt));
    probeAt = now + step;
    return true;
  }

  /** How long to wait for the first probe, if answers usually take so long. */
  public static long firstPause(long roundTrip) {
    return Math.max(FIRST.toNanos(), 2 * Math.clamp(roundTrip, 0, LONGEST));
  }

  /** The longest wait between two probes of a provider that has been closed for so long. */
  public static long longestPause(long closed) {
    return Math.max(LONGEST, closed / SHARE_OF_CLOSED);
  }

  /** A request sent at {@code sentAt} succeeded: opens, if it was sent since the closing. */
  public void succeeded(long sentAt) {
    if (closed && sentAt - closedAt > 0) {
      closed = false;
    }
  }

  /** The provider told a wait: from its end on it counts as open. */
  public void open() {
    closed = false;
  }

  /** Whether only single requests may be sent, to find out. */
  public boolean isClosed() {
    return closed;
  }

  /** Whether a request sent at {@code sentAt} is one of those that find out. */
  public boolean isProbe(long sentAt) {
    return closed && sentAt - closedAt > 0;
  }

  /** When the next probe may be sent; of no meaning unless it is closed. */
  public long probeAt() {
    return probeAt;
  }
}
