package dev.sluice.arena.world;

import dev.sluice.arena.bout.Operation;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.World;
import dev.sluice.simulator.provider.OpaqueService;
import dev.sluice.simulator.provider.Verdict;

/** A simulated provider that does not say what its limits are: World 2. */
public final class OpaqueWorld implements World {
  private static final Operation CALL = new Operation("call", 0);

  private final OpaqueScenario scenario;
  private final OpaqueService service;

  /** The scenario's provider at rest; equal seeds give equal chances. */
  public OpaqueWorld(OpaqueScenario scenario, long seed) {
    this.scenario = scenario;
    this.service = new OpaqueService(scenario.service(), seed, 0);
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
    Verdict verdict = service.arrive(now);
    if (verdict.admitted()) {
      sending.admit(verdict.duration(), Sending.NONE, null);
    } else {
      long told = verdict.retryAfter() > 0 ? verdict.retryAfter() : Sending.NONE;
      sending.refuse(verdict.status(), told, Sending.NONE);
    }
  }

  @Override
  public void finish(Sending sending, long now) {
    service.finish(now);
  }

  @Override
  public long pressed() {
    return service.counters().pressed();
  }

  @Override
  public double used(long now) {
    return service.used(now);
  }

  @Override
  public boolean suspended() {
    return service.suspended();
  }

  /** The service itself, for a client that may see everything. */
  public OpaqueService service() {
    return service;
  }
}
