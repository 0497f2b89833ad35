package dev.sluice.arena.world;

import dev.sluice.simulator.provider.ServiceOptions;
import java.util.List;

/**
 * A provider of which a client knows nothing.
 *
 * @param name as it stands in the report
 * @param routes the limit of each of its routes, how it signals it, and its manners; requests take
 *     them in turn
 * @param oneWay nanoseconds from the client to the service
 * @param isRated whether it is known what the best possible client would reach
 */
public record OpaqueScenario(
    String name, List<ServiceOptions> routes, long oneWay, boolean isRated) {
  public OpaqueScenario {
    routes = List.copyOf(routes);
  }

  /** One with a single route. */
  OpaqueScenario(String name, ServiceOptions service, long oneWay) {
    this(name, List.of(service), oneWay, true);
  }

  /** Its service, or the one of its first route. */
  public ServiceOptions service() {
    return routes.getFirst();
  }
}
