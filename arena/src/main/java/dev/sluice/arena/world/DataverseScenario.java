package dev.sluice.arena.world;

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
    int hint) {}
