package dev.sluice.arena;

import java.util.List;
import java.util.Optional;

/**
 * Several bouts of one entrant taken together.
 *
 * @param bouts how many
 * @param ratio the mean of {@link Result#ratio()} where it is known; NaN if it is nowhere
 * @param throttled the mean share of requests that were refused there, 0 to 1
 * @param longestWait the longest Retry-After seen, in nanoseconds
 * @param suspensions in how many bouts it was thrown out
 * @param pressed the mean number of requests sent while told to wait
 * @param silences in how many bouts it was silent without a reason
 */
public record Standing(
    int bouts,
    double ratio,
    double throttled,
    long longestWait,
    int suspensions,
    double pressed,
    int silences) {

  /** These bouts together; empty if there are none. */
  public static Optional<Standing> of(List<Result> results) {
    if (results.isEmpty()) {
      return Optional.empty();
    }
    double ratio = 0;
    double throttled = 0;
    double pressed = 0;
    long longestWait = 0;
    int suspensions = 0;
    int silences = 0;
    int rated = 0;
    for (Result result : results) {
      if (result.venue().isRated()) {
        rated++;
        ratio += result.ratio();
        throttled += result.score().throttled();
      }
      silences += result.score().silence() > 0 ? 1 : 0;
      pressed += result.score().pressed();
      longestWait = Math.max(longestWait, result.score().longestWait());
      suspensions += result.score().suspended() ? 1 : 0;
    }
    int bouts = results.size();
    return Optional.of(
        new Standing(
            bouts,
            ratio / rated,
            throttled / rated,
            longestWait,
            suspensions,
            pressed / bouts,
            silences));
  }
}
