package dev.sluice.arena;

import java.util.List;
import java.util.Optional;

/**
 * Several bouts of one entrant taken together.
 *
 * @param bouts how many
 * @param ratio the mean of {@link Result#ratio()}
 * @param throttled the mean share of requests that were refused, 0 to 1
 * @param longestWait the longest Retry-After seen, in nanoseconds
 * @param suspensions in how many bouts it was thrown out
 * @param pressed the mean number of requests sent while told to wait
 */
public record Standing(
    int bouts, double ratio, double throttled, long longestWait, int suspensions, double pressed) {

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
    for (Result result : results) {
      ratio += result.ratio();
      throttled += result.score().throttled();
      pressed += result.score().pressed();
      longestWait = Math.max(longestWait, result.score().longestWait());
      suspensions += result.score().suspended() ? 1 : 0;
    }
    int bouts = results.size();
    return Optional.of(
        new Standing(
            bouts, ratio / bouts, throttled / bouts, longestWait, suspensions, pressed / bouts));
  }
}
