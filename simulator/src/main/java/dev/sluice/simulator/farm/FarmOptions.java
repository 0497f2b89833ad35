package dev.sluice.simulator.farm;

/**
 * The web servers of an environment.
 *
 * @param servers how many there are, 1 to 1,000
 * @param balancer how a request without a cookie finds its server
 * @param cookieHonoured the share of requests with an affinity cookie that go where it says, 0 to 1
 * @param protection what each user may do
 * @param knee how many requests on one server double its answers' time; infinite for no slow-down
 * @param jitter by how much a request's time varies by chance: 0.1 for ± 10 %; 0 to below 1
 */
public record FarmOptions(
    int servers,
    Balancer balancer,
    double cookieHonoured,
    ProtectionOptions protection,
    double knee,
    double jitter) {
  /** One server with the documented limits, which no load slows down. */
  public static final FarmOptions DEFAULTS =
      new FarmOptions(
          1, Balancer.RANDOM, 1, ProtectionOptions.DOCUMENTED, Double.POSITIVE_INFINITY, 0);

  public FarmOptions {
    if (servers < 1 || servers > 1_000) {
      throw new IllegalArgumentException(
          "servers is " + servers + ", but must be 1 to 1,000 (web servers of the environment)");
    }
    if (!(cookieHonoured >= 0 && cookieHonoured <= 1)) {
      throw new IllegalArgumentException(
          "cookieHonoured is "
              + cookieHonoured
              + ", but must be 0 to 1 (the share of affinity cookies that are followed)");
    }
    if (!(knee > 0)) {
      throw new IllegalArgumentException(
          "knee is " + knee + ", but must be positive (the load that doubles answers' time)");
    }
    if (!(jitter >= 0 && jitter < 1)) {
      throw new IllegalArgumentException(
          "jitter is " + jitter + ", but must be 0 to below 1 (how much answers' time varies)");
    }
  }

  /** The same with another number of servers. */
  public FarmOptions withServers(int value) {
    return new FarmOptions(value, balancer, cookieHonoured, protection, knee, jitter);
  }

  /** The same with another balancer. */
  public FarmOptions withBalancer(Balancer value) {
    return new FarmOptions(servers, value, cookieHonoured, protection, knee, jitter);
  }

  /** The same with affinity cookies followed more or less often. */
  public FarmOptions withCookieHonoured(double value) {
    return new FarmOptions(servers, balancer, value, protection, knee, jitter);
  }

  /** The same with other limits. */
  public FarmOptions withProtection(ProtectionOptions value) {
    return new FarmOptions(servers, balancer, cookieHonoured, value, knee, jitter);
  }

  /** The same with answers that load slows down differently. */
  public FarmOptions withKnee(double value) {
    return new FarmOptions(servers, balancer, cookieHonoured, protection, value, jitter);
  }

  /** The same with another variation of answers' time. */
  public FarmOptions withJitter(double value) {
    return new FarmOptions(servers, balancer, cookieHonoured, protection, knee, value);
  }
}
