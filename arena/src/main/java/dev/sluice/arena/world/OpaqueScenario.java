package dev.sluice.arena.world;

import dev.sluice.simulator.provider.ServiceOptions;

/**
 * A provider of which a client knows nothing.
 *
 * @param name as it stands in the report
 * @param service its limit, how it signals it, and its manners
 * @param oneWay nanoseconds from the client to the service
 */
public record OpaqueScenario(String name, ServiceOptions service, long oneWay) {}
