package dev.sluice.arena.world;

import dev.sluice.arena.bout.Operation;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.World;
import dev.sluice.simulator.provider.OpaqueService;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A simulated provider that does not say what its limits are: Worlds 2 and 3. */
public final class OpaqueWorld implements World {
  private static final Operation CALL = new Operation("", 0);

  /** How long a client waits for an answer that does not come: the product's usual time-out. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

  private final OpaqueScenario scenario;
  private final List<OpaqueService> routes = new ArrayList<>();

  /** The scenario's provider at rest; equal seeds give equal chances. */
  public OpaqueWorld(OpaqueScenario scenario, long seed) {
    this.scenario = scenario;
    for (ServiceOptions route : scenario.routes()) {
      routes.add(new OpaqueService(route, seed + routes.size(), 0));
    }
  }

  @Override
  public int users() {
    return 1;
  }

  @Override
  public long oneWay() {
    return scenario.oneWay();
  }

  @Override
  public Operation operation(long index, long now) {
    return CALL;
  }

  @Override
  public void arrive(Sending sending, long now) {
    OpaqueService service = route(sending);
    // By the request and how often it failed before: every client meets the same errors.
    Verdict verdict = service.arrive(sending.number(), sending.failuresInAll(), now);
    switch (verdict.kind()) {
      case ADMITTED -> sending.admit(verdict.duration(), Sending.NONE, null);
      case FAILED, UNAVAILABLE ->
          sending.fail(
              Math.max(Verdict.NO_ANSWER, verdict.status()),
              verdict.duration(),
              verdict.status() == Verdict.LOST ? PATIENCE : 0,
              service.isBroken(sending.number()));
      default -> {
        long told = verdict.retryAfter() > 0 ? verdict.retryAfter() : Sending.NONE;
        sending.refuse(verdict.status(), told, Sending.NONE);
      }
    }
  }

  private OpaqueService route(Sending sending) {
    return routes.get((int) (sending.number() % routes.size()));
  }

  @Override
  public void finish(Sending sending, long now) {
    route(sending).finish(now);
  }

  @Override
  public long pressed() {
    return routes.stream().mapToLong(route -> route.counters().pressed()).sum();
  }

  @Override
  public double used(long now) {
    return service().used(now);
  }

  @Override
  public boolean suspended() {
    for (OpaqueService route : routes) {
      if (route.suspended()) {
        return true;
      }
    }
    return false;
  }

  /** The service itself, or its first route, for a client that may see everything. */
  public OpaqueService service() {
    return routes.getFirst();
  }
}
