package dev.sluice.control.lane;

import dev.sluice.control.retry.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a lane holds after a throttle that gave no usable wait.
 *
 * <p>Jitter above a floor: drawn from {@code [floor, min(cap, floor × 2^n)]}, n being the number of
 * such episodes in a row before this one, so the first holds for the floor itself. Equal floor and
 * cap make a fixed hold.
 *
 * @param floor the shortest hold; positive
 * @param cap the longest hold; at least {@code floor}, at most 7 days
 */
public record HintlessHold(Duration floor, Duration cap) {
  private static final Duration LONGEST = Duration.ofDays(7);

  public HintlessHold {
    if (!floor.isPositive()) {
      throw new IllegalArgumentException(
          "floor is " + floor + ", but must be positive (the shortest hold after a bare throttle)");
    }
    if (cap.compareTo(floor) < 0 || cap.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "cap is "
              + cap
              + ", but must lie between the floor, which is "
              + floor
              + ", and "
              + LONGEST
              + " (the longest hold after a bare throttle)");
    }
  }

  /** Always the same: a service's documented fallback. */
  public static HintlessHold fixed(Duration wait) {
    return new HintlessHold(wait, wait);
  }

  /** The same as delays by number of episode. */
  Backoff backoff(RandomGenerator random) {
    return new Backoff(floor, cap, floor, random);
  }
}
