package dev.sluice.gate.http;

/**
 * How a wait is spelt. A header's name does not decide it: what one service counts in seconds,
 * another counts in milliseconds, and a third gives as a time of day.
 */
public enum WaitForm {
  /**
   * Found out from the text: a number, then a duration, then a time. A number is seconds from now
   * below 10^9, and from there a time since the epoch in seconds, from 10^11 in milliseconds, from
   * 10^14 in microseconds. Milliseconds from now cannot be told from seconds and must be declared.
   */
  AUTO,
  /** Seconds from now, with or without a fraction. */
  DELTA_SECONDS,
  /** Milliseconds from now. */
  DELTA_MILLIS,
  /** Minutes from now. */
  DELTA_MINUTES,
  /** Seconds since the epoch. */
  EPOCH_SECONDS,
  /** Milliseconds since the epoch. */
  EPOCH_MILLIS,
  /** Numbers with units, largest first: {@code 6m0s}, {@code 12ms}, {@code 3.700s}. */
  DURATION,
  /** An HTTP date in any of its three spellings, RFC 3339, or a script's {@code Date}. */
  INSTANT;
}
