package dev.sluice.control;

import java.time.Instant;

/**
 * Where the thread-safe façades of this module read time; everything else is given it.
 *
 * <p>The gate's {@code Time} is one, real or simulated. Implementations are thread-safe.
 */
public interface Ticker {

  /** Monotonic nanoseconds from an arbitrary origin. */
  long nanos();

  /** The wall clock, for statistics and people; it may jump, and nothing is decided by it. */
  Instant instant();
}
