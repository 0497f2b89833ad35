package dev.sluice.arena.bout;

/**
 * A client: decides what is sent when, and learns from the answers. Single-threaded; monotonic
 * nanoseconds from 0 that do not go back.
 */
public interface Contender {
  /** Nothing but an answer can change what may be sent. */
  long NEVER = Long.MAX_VALUE;

  /** The call is over without success: its caller has the failure in hand. */
  long GIVEN_UP = -1;

  /**
   * A request is ready. If it may be sent now, fills in through which user and to which server
   * ({@link Sending#through}), counts it as sent, and returns true; otherwise changes nothing.
   */
  boolean send(Sending sending, long now);

  /** When time alone may let a request be sent that may not be sent now; {@link #NEVER} if none. */
  long wakeAt(long now);

  /**
   * The answer is there; it stands in the sending. Returns not before when the same request may be
   * sent again if it was refused or failed; {@code now} if whenever {@link #send} lets it; {@link
   * #GIVEN_UP} if it will not be.
   */
  long answered(Sending sending, long now);

  /** How many requests may be in flight in all, for charts. */
  default double level(long now) {
    return Double.NaN;
  }

  /** Requests per second that it paces at, for charts; infinite if it does not pace. */
  default double rate(long now) {
    return Double.POSITIVE_INFINITY;
  }
}
