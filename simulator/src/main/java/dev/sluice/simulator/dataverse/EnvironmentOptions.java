package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.farm.FarmOptions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * What a simulated environment is like.
 *
 * @param schema its tables
 * @param users who may sign in, at least one
 * @param farm its web servers and what they allow each user
 * @param times how long requests take on an idle server
 * @param faults what goes wrong
 * @param preparation whether the first bulk message on a table, while it runs, makes others on that
 *     table fail, as the real service does
 * @param tokenLife how long a token is accepted; 1 s or more
 * @param parallelism the recommended degree of parallelism that answers carry, 1 to 1,000
 * @param logSize how many requests are remembered, 0 to 1,000,000
 */
public record EnvironmentOptions(
    Schema schema,
    List<ApplicationUser> users,
    FarmOptions farm,
    ServiceTimes times,
    List<FaultRule> faults,
    boolean preparation,
    Duration tokenLife,
    int parallelism,
    int logSize) {

  /** The tenant in which all users live. */
  public static final UUID TENANT = UUID.fromString("11111111-2222-4333-8444-555555555555");

  public EnvironmentOptions {
    users = List.copyOf(users);
    faults = List.copyOf(faults);
    if (users.isEmpty()) {
      throw new IllegalArgumentException(
          "users is empty, but must name at least one (application users that may sign in)");
    }
    if (tokenLife.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "tokenLife is " + tokenLife + ", but must be 1 s or more (how long a token is accepted)");
    }
    if (parallelism < 1 || parallelism > 1_000) {
      throw new IllegalArgumentException(
          "parallelism is "
              + parallelism
              + ", but must be 1 to 1,000 (the recommended degree of parallelism)");
    }
    if (logSize < 0 || logSize > 1_000_000) {
      throw new IllegalArgumentException(
          "logSize is " + logSize + ", but must be 0 to 1,000,000 (requests that are remembered)");
    }
  }

  /** Documented limits, typical times, the built-in tables, no faults. */
  public static EnvironmentOptions of(List<ApplicationUser> users) {
    return new EnvironmentOptions(
        Schema.builtIn(),
        users,
        FarmOptions.DEFAULTS,
        ServiceTimes.TYPICAL,
        List.of(),
        false,
        Duration.ofSeconds(3_599),
        4,
        10_000);
  }

  /** The same with other tables. */
  public EnvironmentOptions withSchema(Schema value) {
    return new EnvironmentOptions(
        value, users, farm, times, faults, preparation, tokenLife, parallelism, logSize);
  }

  /** The same with other servers, which recommend 4 requests at a time each, as far as 52. */
  public EnvironmentOptions withFarm(FarmOptions value) {
    return new EnvironmentOptions(
        schema,
        users,
        value,
        times,
        faults,
        preparation,
        tokenLife,
        Math.min(52, 4 * value.servers()),
        logSize);
  }

  /** The same with other times. */
  public EnvironmentOptions withTimes(ServiceTimes value) {
    return new EnvironmentOptions(
        schema, users, farm, value, faults, preparation, tokenLife, parallelism, logSize);
  }

  /** The same with other faults. */
  public EnvironmentOptions withFaults(List<FaultRule> value) {
    return new EnvironmentOptions(
        schema, users, farm, times, value, preparation, tokenLife, parallelism, logSize);
  }

  /** The same with a race for the first bulk message, or not. */
  public EnvironmentOptions withPreparation(boolean value) {
    return new EnvironmentOptions(
        schema, users, farm, times, faults, value, tokenLife, parallelism, logSize);
  }

  /** The same with tokens that live longer or shorter. */
  public EnvironmentOptions withTokenLife(Duration value) {
    return new EnvironmentOptions(
        schema, users, farm, times, faults, preparation, value, parallelism, logSize);
  }

  /** The same with another recommendation. */
  public EnvironmentOptions withParallelism(int value) {
    return new EnvironmentOptions(
        schema, users, farm, times, faults, preparation, tokenLife, value, logSize);
  }
}
