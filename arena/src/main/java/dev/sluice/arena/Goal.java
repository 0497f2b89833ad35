package dev.sluice.arena;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Something hoped for, and how to see whether it was reached.
 *
 * @param name short, for the table
 * @param wanted in figures
 * @param measure what a league's bouts on scenarios drawn by chance say; empty if none of them does
 */
public record Goal(String name, String wanted, Function<List<Result>, Optional<Reached>> measure) {

  /**
   * What was reached.
   *
   * @param figures in the same terms as {@link Goal#wanted}
   * @param isMet whether that is as much as was wanted
   */
  public record Reached(String figures, boolean isMet) {}

  /** What was reached on the scenarios drawn by chance; empty if nothing was measured. */
  public Optional<Reached> reached(List<Result> results) {
    return measure.apply(results.stream().filter(result -> result.venue().isRandom()).toList());
  }
}
