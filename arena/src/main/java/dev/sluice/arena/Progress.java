package dev.sluice.arena;

import java.time.Duration;

/**
 * Somebody who wants to know how far it is. Called about once a second, by whoever started the
 * arena.
 */
@FunctionalInterface
public interface Progress {
  /** Nobody does. */
  Progress NOBODY = (done, all, elapsed, left) -> {};

  /**
   * So far.
   *
   * @param done how many bouts were played
   * @param all of how many
   * @param elapsed real time since the start
   * @param left about how much more it will take; negative while nothing is known
   */
  void soFar(int done, int all, Duration elapsed, Duration left);
}
