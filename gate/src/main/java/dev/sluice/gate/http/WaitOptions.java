package dev.sluice.gate.http;

import java.time.Duration;

/**
 * Which waits are taken at their word.
 *
 * @param inlineWaitMax the longest wait that is waited in place; a longer one is kept in full but
 *     told apart, so that the work can be put off instead
 * @param cooldown what stands in for an implausible wait
 */
public record WaitOptions(Duration inlineWaitMax, Duration cooldown) {
  /** The longest wait that is believed at all: 31 days. */
  public static final Duration LONGEST_PLAUSIBLE = Duration.ofDays(31);

  /** In place up to 2 min; 15 min instead of an implausible wait. */
  public static final WaitOptions DEFAULTS =
      new WaitOptions(Duration.ofMinutes(2), Duration.ofMinutes(15));

  public WaitOptions {
    check("inlineWaitMax", inlineWaitMax, "the longest wait that is waited in place");
    check("cooldown", cooldown, "the wait that stands in for an implausible one");
  }

  /** Judges a wait; zero, negative and absurd ones included. */
  public WaitReading judge(Duration wait) {
    if (!wait.isPositive()) {
      return WaitReading.STALE;
    }
    if (wait.compareTo(LONGEST_PLAUSIBLE) > 0) {
      return new WaitReading.Implausible(cooldown);
    }
    return wait.compareTo(inlineWaitMax) > 0
        ? new WaitReading.TooLong(wait)
        : new WaitReading.Usable(wait);
  }

  private static void check(String option, Duration value, String meaning) {
    if (!value.isPositive() || value.compareTo(LONGEST_PLAUSIBLE) > 0) {
      throw new IllegalArgumentException(
          option + " is " + value + ", but must be positive and at most 31 days (" + meaning + ")");
    }
  }
}
