package dev.sluice.arena;

import dev.sluice.arena.bout.Score;
import java.util.List;

/**
 * One bout over time, cut into equal slices.
 *
 * @param venue where it was played
 * @param entrant who played
 * @param score what came of it
 * @param sliceSeconds how long a slice is
 * @param slices in order; fewer if the entrant was thrown out
 */
public record Trace(
    Venue venue, String entrant, Score score, double sliceSeconds, List<Slice> slices) {
  public Trace {
    slices = List.copyOf(slices);
  }

  /**
   * A slice of time.
   *
   * @param inFlight how many requests were in flight, on average
   * @param level how many the policy would have let be at the end; NaN if it does not say
   * @param sent requests per second
   * @param rate requests per second at which the policy paced at the end; infinite if it did not
   * @param refused how many answers were refusals
   * @param used the share of the quota that was used at the end; NaN if the world does not say
   */
  public record Slice(
      double inFlight, double level, double sent, double rate, long refused, double used) {}
}
