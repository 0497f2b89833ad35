package dev.sluice.simulator.farm;

import java.time.Duration;

/**
 * What service protection allows one user, and how it answers when that is exceeded.
 *
 * @param requests requests in the window; 0 refuses everything. Documented 6,000
 * @param executionTime execution time in the window; zero refuses everything. Documented 20 min
 * @param window over which both are counted, sliding; positive. Documented 5 min
 * @param concurrent requests at the same time; 0 refuses everything. Documented 52
 * @param charging when execution time counts
 * @param shared whether all servers count together, instead of each by itself
 * @param shortestWait the least Retry-After; 1 s or more, for it is told in whole seconds
 * @param longestWait the greatest Retry-After
 * @param press by how much a request sent while told to wait lengthens that wait; zero for none
 * @param concurrencyLocks whether too many at a time keep the user waiting, as the documentation
 *     reads; if not, the next request is let in as soon as there is room
 */
public record ProtectionOptions(
    long requests,
    Duration executionTime,
    Duration window,
    int concurrent,
    Charging charging,
    boolean shared,
    Duration shortestWait,
    Duration longestWait,
    Duration press,
    boolean concurrencyLocks) {
  /** As documented, with what is not documented at its likeliest. */
  public static final ProtectionOptions DOCUMENTED =
      new ProtectionOptions(
          6_000,
          Duration.ofMinutes(20),
          Duration.ofMinutes(5),
          52,
          Charging.AT_COMPLETION,
          false,
          Duration.ofSeconds(5),
          Duration.ofMinutes(17),
          Duration.ofSeconds(2),
          false);

  /** No limit is ever reached. */
  public static final ProtectionOptions UNLIMITED =
      DOCUMENTED
          .withRequests(Long.MAX_VALUE)
          .withExecutionTime(Duration.ofNanos(Long.MAX_VALUE))
          .withConcurrent(Integer.MAX_VALUE);

  public ProtectionOptions {
    atLeast("requests", requests, 0, "requests that one user may send in the window");
    atLeast("concurrent", concurrent, 0, "requests that one user may have running at once");
    notNegative("executionTime", executionTime, "execution time of one user in the window");
    notNegative("press", press, "what pressing adds to a wait");
    if (!window.isPositive()) {
      throw new IllegalArgumentException(
          "window is " + window + ", but must be positive (the time over which limits count)");
    }
    if (shortestWait.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "shortestWait is "
              + shortestWait
              + ", but must be 1 s or more (the least Retry-After, told in whole seconds)");
    }
    if (longestWait.compareTo(shortestWait) < 0) {
      throw new IllegalArgumentException(
          "longestWait is " + longestWait + ", but shortestWait is " + shortestWait);
    }
  }

  private static void atLeast(String name, long value, long least, String meaning) {
    if (value < least) {
      throw new IllegalArgumentException(
          name + " is " + value + ", but must be " + least + " or more (" + meaning + ")");
    }
  }

  private static void notNegative(String name, Duration value, String meaning) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(
          name + " is " + value + ", but must not be negative (" + meaning + ")");
    }
  }

  /** The same with another number of requests. */
  public ProtectionOptions withRequests(long value) {
    return new ProtectionOptions(
        value,
        executionTime,
        window,
        concurrent,
        charging,
        shared,
        shortestWait,
        longestWait,
        press,
        concurrencyLocks);
  }

  /** The same with another execution time. */
  public ProtectionOptions withExecutionTime(Duration value) {
    return new ProtectionOptions(
        requests,
        value,
        window,
        concurrent,
        charging,
        shared,
        shortestWait,
        longestWait,
        press,
        concurrencyLocks);
  }

  /** The same with another window. */
  public ProtectionOptions withWindow(Duration value) {
    return new ProtectionOptions(
        requests,
        executionTime,
        value,
        concurrent,
        charging,
        shared,
        shortestWait,
        longestWait,
        press,
        concurrencyLocks);
  }

  /** The same with another number of concurrent requests. */
  public ProtectionOptions withConcurrent(int value) {
    return new ProtectionOptions(
        requests,
        executionTime,
        window,
        value,
        charging,
        shared,
        shortestWait,
        longestWait,
        press,
        concurrencyLocks);
  }

  /** The same with execution time counted in another way. */
  public ProtectionOptions withCharging(Charging value) {
    return new ProtectionOptions(
        requests,
        executionTime,
        window,
        concurrent,
        value,
        shared,
        shortestWait,
        longestWait,
        press,
        concurrencyLocks);
  }

  /** The same with counters that all servers share, or not. */
  public ProtectionOptions withShared(boolean value) {
    return new ProtectionOptions(
        requests,
        executionTime,
        window,
        concurrent,
        charging,
        value,
        shortestWait,
        longestWait,
        press,
        concurrencyLocks);
  }

  /** The same with other bounds of Retry-After. */
  public ProtectionOptions withWaits(Duration shortest, Duration longest) {
    return new ProtectionOptions(
        requests,
        executionTime,
        window,
        concurrent,
        charging,
        shared,
        shortest,
        longest,
        press,
        concurrencyLocks);
  }

  /** The same with another price of pressing. */
  public ProtectionOptions withPress(Duration value) {
    return new ProtectionOptions(
        requests,
        executionTime,
        window,
        concurrent,
        charging,
        shared,
        shortestWait,
        longestWait,
        value,
        concurrencyLocks);
  }

  /** The same with a lock after too many at a time, or not. */
  public ProtectionOptions withConcurrencyLocks(boolean value) {
    return new ProtectionOptions(
        requests,
        executionTime,
        window,
        concurrent,
        charging,
        shared,
        shortestWait,
        longestWait,
        press,
        value);
  }
}
