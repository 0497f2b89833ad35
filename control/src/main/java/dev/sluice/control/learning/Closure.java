package dev.sluice.control.learning;

import dev.sluice.control.policy.ProbeSchedule;

/**
 * An episode of refusals: from the first one until a request succeeds that was sent after it. Where
 * no wait is told, single requests find out when the provider is open again, with the pauses of
 * {@link ProbeSchedule}.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class Closure {
  private boolean on;
  private boolean told; // and not refuted since
  private long from;
  private long refusedAt;
  private long pause;
  private long probeAt;

  boolean isOn() {
    return on;
  }

  /** Whether the answer to a request sent at that time says if it is still closed. */
  boolean isAnsweredBy(long sentAt) {
    return on && sentAt - from > 0;
  }

  /** Whether the refusal of a request sent at that time is news: the last one was known by then. */
  boolean isRefusedAgainBy(long sentAt) {
    return on && sentAt - refusedAt > 0;
  }

  /** Whether one request at a time finds out if it is still closed. */
  boolean isProbed() {
    return on && !told;
  }

  /** When it was first refused. */
  long from() {
    return from;
  }

  /** Not before then is it asked again. */
  long probeAt() {
    return probeAt;
  }

  /** The first refusal, with the wait that it tells; 0 if none. */
  void begin(long wait, double roundTrip, long now) {
    on = true;
    told = wait > 0;
    from = now;
    refusedAt = now;
    pause = ProbeSchedule.firstPause((long) roundTrip);
    probeAt = now + (told ? wait : pause);
  }

  /** Another request is refused that was sent before it closed. */
  void repeated(long wait, long now) {
    if (wait > 0 && now + wait - probeAt > 0) {
      probeAt = now + wait;
    }
  }

  /** It is still closed. */
  void lasts(long wait, long now) {
    told = false;
    refusedAt = now;
    pause = Math.min(2 * pause, ProbeSchedule.longestPause(now - from));
    probeAt = now + (wait > 0 ? wait : pause);
  }

  /**
   * A request sent at that time was granted.
   *
   * @return when it opened, as far as can be known: as told, or halfway since the last refusal
   */
  long end(long sentAt) {
    on = false;
    return told ? Math.min(sentAt, probeAt) : refusedAt + (sentAt - refusedAt) / 2;
  }
}
