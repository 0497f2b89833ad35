package dev.sluice.control.retry;

/**
 * How often one request may be tried again. Immutable; an invalid one cannot be built.
 *
 * @param maxThrottleRetries how many waits for throttles to end one request may have; 0 to 100.
 *     Default 3. Going on through another lane that is free is no wait
 * @param maxAttempts how many attempts one request may lose to transient failures; 1 to 1000.
 *     Default 4. Attempts that were throttled do not count
 * @param repeatable whether a repeat is harmless although the first attempt may have been carried
 *     out: the request is idempotent, or carries something that makes it so. Default {@code false}
 */
public record RetryOptions(int maxThrottleRetries, int maxAttempts, boolean repeatable) {
  /** Three waits, four attempts, and no repeat after an unknown outcome. */
  public static final RetryOptions DEFAULTS = new RetryOptions(3, 4, false);

  private static final int MOST_THROTTLE_RETRIES = 100;
  private static final int MOST_ATTEMPTS = 1000;

  public RetryOptions {
    if (maxThrottleRetries < 0 || maxThrottleRetries > MOST_THROTTLE_RETRIES) {
      throw new IllegalArgumentException(
          "maxThrottleRetries is "
              + maxThrottleRetries
              + ", but must lie between 0 and "
              + MOST_THROTTLE_RETRIES
              + " (how many waits for throttles to end one request may have)");
    }
    if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException(
          "maxAttempts is "
              + maxAttempts
              + ", but must lie between 1 and "
              + MOST_ATTEMPTS
              + " (how many attempts one request may lose to transient failures)");
    }
  }

  /** These options for a request whose repeat is harmless. */
  public RetryOptions whenRepeatable() {
    return new RetryOptions(maxThrottleRetries, maxAttempts, true);
  }
}
