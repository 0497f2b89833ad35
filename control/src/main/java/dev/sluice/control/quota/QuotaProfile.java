package dev.sluice.control.quota;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What was learned of an account with documented limits, and where whoever uses it next begins.
 * Immutable.
 *
 * <p>It may come from a file that somebody has changed, or from another version: what cannot be
 * true is left out, and never refused.
 *
 * @param roundTrip the network's part of every answer's time; zero if unknown
 * @param servers how many servers counted the account's requests, each by itself; 0 if unknown
 * @param costs how long a message took, by its kind of operation
 * @param spent what was used up lately
 */
public record QuotaProfile(
    Duration roundTrip, int servers, Map<String, Duration> costs, List<Spent> spent) {
  /** So many kinds of operations are kept. */
  static final int MOST_KINDS = 16;

  /** No environment has so many. */
  private static final int MOST_SERVERS = 64;

  /** Nothing that is written down takes so long, nor is anything so old that still counts. */
  private static final Duration LONGEST = Duration.ofHours(1);

  private static final int MOST_SPENT = 100;

  /** Nothing was learned. */
  public static final QuotaProfile NONE = new QuotaProfile(Duration.ZERO, 0, Map.of(), List.of());

  /**
   * What was used up within a few seconds.
   *
   * @param ago how long ago that was at least
   * @param requests how many were sent
   * @param executionTime for how long they ran
   */
  public record Spent(Duration ago, double requests, Duration executionTime) {
    public Spent {
      requireNonNull(ago, "ago");
      requireNonNull(executionTime, "executionTime");
    }

    private boolean isPossible() {
      return isWithin(ago, Duration.ZERO, LONGEST)
          && requests >= 0
          && requests < Integer.MAX_VALUE
          && isWithin(executionTime, Duration.ZERO, Duration.ofDays(365));
    }
  }

  public QuotaProfile {
    roundTrip = isWithin(roundTrip, Duration.ZERO, LONGEST) ? roundTrip : Duration.ZERO;
    servers = servers >= 1 && servers <= MOST_SERVERS ? servers : 0;
    costs =
        costs.entrySet().stream()
            .filter(cost -> isWithin(cost.getValue(), Duration.ofNanos(1), LONGEST))
            .sorted(Map.Entry.comparingByKey())
            .limit(MOST_KINDS)
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    spent = spent.stream().filter(Spent::isPossible).limit(MOST_SPENT).toList();
  }

  private static boolean isWithin(Duration value, Duration least, Duration most) {
    return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
  }

  /**
   * The same so much later. If that is negative, a clock was set back: how long ago anything was
   * spent is unknown then, and is forgotten.
   */
  public QuotaProfile aged(Duration time) {
    boolean unknown = time.isNegative() || time.compareTo(LONGEST) > 0;
    return new QuotaProfile(
        roundTrip,
        servers,
        costs,
        unknown
            ? List.of()
            : spent.stream()
                .map(each -> new Spent(each.ago.plus(time), each.requests, each.executionTime))
                .toList());
  }

  /** The same with other figures of the network and of the servers. */
  public QuotaProfile with(Duration otherRoundTrip, int otherServers) {
    return new QuotaProfile(otherRoundTrip, otherServers, costs, spent);
  }
}
