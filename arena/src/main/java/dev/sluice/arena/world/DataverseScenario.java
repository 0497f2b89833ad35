package dev.sluice.arena.world;

import dev.sluice.simulator.farm.Balancer;
import dev.sluice.simulator.farm.FarmOptions;

/**
 * A Dataverse environment and a job's kind of work.
 *
 * @param name as it stands in the report
 * @param farm the servers and their limits
 * @param users how many application users the client has
 * @param oneWay nanoseconds from the client to the service
 * @param before the work at the start
 * @param after the work after the change; the same as before if it does not change
 * @param changeAt nanoseconds after which it changes; {@link Long#MAX_VALUE} if never
 * @param headers whether answers tell what is left of the windows
 * @param hint the recommended degree of parallelism, per user
 */
public record DataverseScenario(
    String name,
    FarmOptions farm,
    int users,
    long oneWay,
    Mix before,
    Mix after,
    long changeAt,
    boolean headers,
    int hint) {

  /** The same with other servers. */
  public DataverseScenario withFarm(FarmOptions value) {
    return new DataverseScenario(
        name, value, users, oneWay, before, after, changeAt, headers, hint);
  }

  /** The same with another share of cookies that are followed. */
  public DataverseScenario withCookieHonoured(double share) {
    return withFarm(farm.withCookieHonoured(share));
  }

  /**
   * Whether a client can get a user's request to a server. A balancer that binds users gives each
   * one server. A server is asked for by a cookie that it gave itself, to whichever user.
   */
  public boolean reaches(int user, int server) {
    if (farm.balancer() != Balancer.STICKY) {
      return true;
    }
    return farm.cookieHonoured() > 0 ? server < users : server == user % farm.servers();
  }

  /** How many servers some user reaches. */
  int reachableServers() {
    return farm.balancer() == Balancer.STICKY ? Math.min(users, farm.servers()) : farm.servers();
  }

  /** How many budgets its users have on the servers that they reach. */
  public int accounts() {
    int accounts = 0;
    for (int user = 0; user < users; user++) {
      for (int server = 0; server < farm.servers(); server++) {
        accounts += reaches(user, server) ? 1 : 0;
      }
    }
    return farm.protection().shared() ? users : accounts;
  }
}
