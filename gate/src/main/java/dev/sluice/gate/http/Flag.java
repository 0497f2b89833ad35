package dev.sluice.gate.http;

import dev.sluice.control.signal.WireName;

/** What was odd about an answer's hints: reported, never thrown. */
public enum Flag implements WireName {
  /** A hint was there but could not be read; it was ignored. */
  HINT_MALFORMED,
  /** A wait longer than {@link WaitOptions#LONGEST_PLAUSIBLE}, or a number without measure. */
  HINT_IMPLAUSIBLE,
  /** A wait of zero or less, or a time that has passed: nothing to wait for. */
  HINT_STALE,
  /** Two statements about one thing disagree; the more careful one was kept. */
  HINT_CONFLICT,
  /** A time was read although the service's clock and ours are more than 30 s apart. */
  CLOCK_SKEW,
  /** The answer came from a cache: its hints are about the past and were not read. */
  FROM_CACHE;
}
