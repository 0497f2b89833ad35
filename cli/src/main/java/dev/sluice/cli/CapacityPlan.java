package dev.sluice.cli;

import dev.sluice.control.quota.QuotaOptions;
import java.time.Duration;

/**
 * How long a load takes at best, and what keeps it from being faster.
 *
 * <p>Service protection counts for each user on each server, so that users and servers multiply
 * what is allowed. With {@code s} seconds per request, one user may send in one window
 *
 * <pre>{@code allowance = servers × min(requests, floor(executionTime / s))}</pre>
 *
 * requests, and {@code atOnce = min(recommended, servers × maxInFlight)} at once. A user that has
 * {@code n} requests to send fills {@code k = floor((n - 1) / allowance)} windows, waiting for each
 * to pass, and sends the rest as fast as it may:
 *
 * <pre>{@code duration = k × window + ceil((n - k × allowance) / atOnce) × s}</pre>
 *
 * If so few at once cannot use the allowance up ({@code atOnce × window / s <= allowance}), nothing
 * is ever waited for: {@code duration = ceil(n / atOnce) × s}. Throttles, other users of the same
 * accounts and slower answers under load come on top.
 *
 * @param rows to be written, 1 or more
 * @param batchSize rows per request, 1 to 1,000
 * @param secondsPerBatch how long one request takes, above 0 and at most 300
 * @param users that write side by side, 1 or more
 * @param servers that count by themselves, 1 or more
 * @param recommended requests at once for each user, as the service recommends, 1 or more
 * @param limits for one user on one server
 */
record CapacityPlan(
    long rows,
    int batchSize,
    double secondsPerBatch,
    int users,
    int servers,
    int recommended,
    QuotaOptions limits) {
  private static final long MOST_ROWS = 1_000_000_000_000L;
  private static final int MOST_SERVERS = 1_000;

  /** What keeps a load from being faster. */
  enum Bound {
    /** The number of requests in a window. */
    REQUESTS("requests"),
    /** The execution time in a window. */
    EXECUTION_TIME("execution-time"),
    /** The number of requests at once. */
    CONCURRENT("concurrent");

    private final String wireName;

    Bound(String wireName) {
      this.wireName = wireName;
    }

    /** Its stable name in JSON. */
    String wireName() {
      return wireName;
    }
  }

  CapacityPlan {
    check(rows >= 1 && rows <= MOST_ROWS, "--rows", rows, "1 to " + MOST_ROWS);
    check(batchSize >= 1 && batchSize <= 1_000, "--batch-size", batchSize, "1 to 1000");
    check(
        secondsPerBatch > 0 && secondsPerBatch <= 300,
        "--seconds-per-batch",
        secondsPerBatch,
        "above 0 and at most 300");
    check(users >= 1, "users", users, "1 or more");
    check(servers >= 1 && servers <= MOST_SERVERS, "--servers", servers, "1 to " + MOST_SERVERS);
    check(recommended >= 1, "recommended", recommended, "1 or more");
  }

  private static void check(boolean valid, String option, Object value, String range) {
    if (!valid) {
      throw new IllegalArgumentException(
          "%s is %s, but must be %s".formatted(option, value, range));
    }
  }

  /** All requests together. */
  long requests() {
    return (rows + batchSize - 1) / batchSize;
  }

  /** Requests at once for each user. */
  long atOnce() {
    return Math.min(recommended, (long) servers * limits.maxInFlight());
  }

  /** At best. */
  Duration duration() {
    long windows = windows();
    long rest = requestsOfOneUser() - windows * allowance();
    double seconds =
        windows * seconds(limits.window()) + Math.ceilDiv(rest, atOnce()) * secondsPerBatch;
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }

  /** What keeps it from being faster. */
  Bound bound() {
    if (windows() == 0) {
      return Bound.CONCURRENT;
    }
    return limits.requests() <= byExecutionTime() ? Bound.REQUESTS : Bound.EXECUTION_TIME;
  }

  /** Rows per second, all users together. */
  double rowsPerSecond() {
    return rows / Math.max(1e-3, duration().toMillis() / 1_000.0);
  }

  /** Rows per second that one user can keep up for ever. */
  double sustainedByOneUser() {
    return batchSize * Math.min(atOnce() / secondsPerBatch, allowance() / seconds(limits.window()));
  }

  /** Windows that one user fills before the last; 0 if it never has to wait for one to pass. */
  private long windows() {
    boolean neverUsedUp = atOnce() * seconds(limits.window()) / secondsPerBatch <= allowance();
    return neverUsedUp ? 0 : (requestsOfOneUser() - 1) / allowance();
  }

  private long requestsOfOneUser() {
    return Math.ceilDiv(requests(), users);
  }

  /** Requests of one user in one window, all servers together. */
  private long allowance() {
    return servers * Math.max(1, Math.min(limits.requests(), byExecutionTime()));
  }

  private long byExecutionTime() {
    return (long) (seconds(limits.executionTime()) / secondsPerBatch);
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1_000.0;
  }
}
