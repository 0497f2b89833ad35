package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Sending;

/**
 * What a peer keeps for one user: how many may be in flight, and when the next may be sent.
 * Single-threaded, on simulated nanoseconds that do not go back.
 */
interface Limiter {
  /** How many requests of this user may be begun and not done: as many as somebody has threads. */
  default int workers() {
    return Integer.MAX_VALUE;
  }

  /** How many requests may be in flight now. */
  int slots(long now);

  /** When the next request may be sent if there is a slot for it; {@code now} or less if now. */
  default long notBefore(long now) {
    return now;
  }

  /**
   * A request is sent.
   *
   * @param inFlight how many are in flight, this one included
   * @return a number that comes back with the answer
   */
  default int sent(int inFlight, long now) {
    return inFlight;
  }

  /**
   * An answer came.
   *
   * @param number what {@link #sent} returned for it
   * @param notBefore if it was refused, when the service lets it be sent again, or when back-off
   *     would if the service says nothing; otherwise {@code now}
   * @return when it may be sent again, if it was refused
   */
  default long answered(Sending sending, int number, long notBefore, long now) {
    return notBefore;
  }

  /** How many may be in flight, for charts. */
  default double level(long now) {
    return slots(now);
  }

  /** Requests per second, for charts; infinite if it does not pace. */
  default double rate() {
    return Double.POSITIVE_INFINITY;
  }
}
