package dev.sluice.control.quota;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * A service's documented limits for one account. Immutable; an invalid one cannot be built.
 *
 * @param requests requests in the window, per server
 * @param executionTime execution time in the window, per server
 * @param window over which both are counted, sliding
 * @param maxInFlight the most requests at once, per server
 * @param servers how many servers count this account's requests, each by itself; empty if unknown
 */
public record QuotaOptions(
    long requests, Duration executionTime, Duration window, int maxInFlight, OptionalInt servers) {
  /** Dataverse's service protection, for one user on an unknown number of servers. */
  public static final QuotaOptions DATAVERSE =
      new QuotaOptions(
          6_000, Duration.ofMinutes(20), Duration.ofMinutes(5), 52, OptionalInt.empty());

  public QuotaOptions {
    check(requests >= 1, "requests", requests, "1 or more (requests in one window)");
    check(
        executionTime.isPositive(),
        "executionTime",
        executionTime,
        "positive (execution time in one window)");
    check(window.isPositive(), "window", window, "positive (what the limits are counted over)");
    check(maxInFlight >= 1, "maxInFlight", maxInFlight, "1 or more (requests at once)");
    check(
        servers.isEmpty() || servers.getAsInt() >= 1,
        "servers",
        servers,
        "1 or more, or empty if unknown");
  }

  private static void check(boolean valid, String name, Object value, String expected) {
    if (!valid) {
      throw new IllegalArgumentException(name + " is " + value + ", but must be " + expected);
    }
  }

  /** The same for an account whose servers are known. */
  public QuotaOptions withServers(int value) {
    return new QuotaOptions(requests, executionTime, window, maxInFlight, OptionalInt.of(value));
  }
}
