package dev.sluice.control.policy;

import dev.sluice.control.signal.Signal;

/**
 * Decides how fast one lane may go: how many requests at once, and not before when the next.
 *
 * <p>Single-threaded, no I/O, never waits: a lane calls it under one lock, with times that do not
 * go back. Every {@link #started} is followed by exactly one {@link #settled} or {@link
 * #abandoned}.
 */
public interface Policy {

  /** How many requests may be in flight at {@code now}; at least 1. */
  int level(long now);

  /** The earliest time at which the next request may start; {@code now} or earlier if at once. */
  long notBefore(long now);

  /** A request starts. */
  void started(Attempt attempt, long now);

  /** An answer came, or failed to. */
  void settled(Attempt attempt, Signal signal, long now);

  /** The request was never sent: what its start took is given back. */
  void abandoned(Attempt attempt, long now);

  /** The lane sends nothing before {@code until}; that time is not idleness. */
  default void held(long until) {}

  /**
   * Whether it decides by itself when a provider is asked again that refuses without saying for how
   * long ({@link ProbeSchedule}). If not, its lane does.
   */
  default boolean probes() {
    return false;
  }

  /**
   * What makes it slower than it could be at {@code now}. Asked with every answer while somebody
   * listens, so it must be cheap.
   */
  default SlowedBy slowedBy(long now) {
    return SlowedBy.NOTHING;
  }

  /**
   * The same for people, in one sentence with its figures, such as "2.1/s: 4 of the last 60
   * requests were refused; more is tried in 40 s"; empty if nothing does.
   */
  default String reason(long now) {
    return "";
  }

  /** How far its search for a level has come; for statistics. Changes nothing. */
  default LevelSearch search(long now) {
    return LevelSearch.none(level(now));
  }

  /**
   * Somebody wants it to search for its level anew: forgets what it has learned of that, and
   * nothing that the service still counts. A policy that does not search does nothing.
   */
  default void reset(long now) {}

  /** The rate in permits per second that this policy paces at; infinite if it does not pace. */
  default double rate() {
    return Double.POSITIVE_INFINITY;
  }
}
