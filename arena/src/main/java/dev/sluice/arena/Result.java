package dev.sluice.arena;

import dev.sluice.arena.bout.Score;

/**
 * What came of one bout.
 *
 * @param venue where it was played
 * @param size how much there was to do
 * @param seed of the chances
 * @param entrant who played
 * @param score what it reached
 * @param best what the best possible client reached
 */
public record Result(Venue venue, Size size, long seed, String entrant, Score score, Score best) {

  /**
   * How close it came to the best possible: the best time divided by its own, or for the hour what
   * it got done divided by the best. 0 if it never finished, and at most 1: what a service lets
   * through beyond its own limits is luck. NaN where nobody knows what is possible.
   */
  public double ratio() {
    if (!venue.isRated()) {
      return Double.NaN;
    }
    return Math.min(1, size.isHour() ? share(score.done(), best.done()) : time());
  }

  private double time() {
    return score.finished() ? share(best.nanos(), score.nanos()) : 0;
  }

  private static double share(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }
}
