package dev.sluice.dataverse;

import dev.sluice.dataverse.service.Routes;
import dev.sluice.dataverse.webapi.WhoAmI;
import dev.sluice.gate.wire.WebAnswer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/** Remembers what the latest answer to each identity recommends. Thread-safe. */
final class Recommendations implements Routes {
  private final Routes routes;
  private final Map<String, Integer> degrees = new ConcurrentHashMap<>();

  /** Lanes lead where {@code routes} says. */
  Recommendations(Routes routes) {
    this.routes = routes;
  }

  /** How many requests at a time are recommended to an identity, as of when it is asked. */
  IntSupplier degree(String identity) {
    return () -> degrees.getOrDefault(identity, WhoAmI.UNTOLD);
  }

  @Override
  public Route of(String lane) {
    return routes.of(lane);
  }

  @Override
  public void answered(Route route, WebAnswer answer) {
    WhoAmI.toldDegree(answer).ifPresent(degree -> degrees.put(route.identity(), degree));
    routes.answered(route, answer);
  }
}
