package dev.sluice.control.policy;

import java.util.OptionalLong;

/**
 * What a policy knows about its level beside the level itself. Immutable.
 *
 * @param max the most that the level may be
 * @param lastKnownGood the level that it takes for good after a throttle; the present one if it
 *     knows no other
 * @param isLastKnownGoodStale whether that is too old to be believed
 * @param successes what it has counted towards the next increase; empty if it does not count
 * @param lastIncrease when the level last rose, in monotonic nanoseconds; empty if never
 */
public record LevelSearch(
    int max,
    int lastKnownGood,
    boolean isLastKnownGoodStale,
    OptionalLong successes,
    OptionalLong lastIncrease) {

  /** A level that is not searched for. */
  public static LevelSearch none(int level) {
    return new LevelSearch(level, level, false, OptionalLong.empty(), OptionalLong.empty());
  }
}
