package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.world.OpaqueWorld;
import dev.sluice.simulator.provider.OpaqueService;

/**
 * A client that sees what is left of a provider's limit and sends exactly that: what others are
 * measured by. Of a limit on requests at once it sees the size, and that a place is free when the
 * answer has come back, as no client can know it earlier. It knows which requests always fail, and
 * when the provider is being maintained; what failed otherwise it sends again at once.
 */
public final class OpaqueOracle implements Contender {
  private static final int MOST = 256;

  private final OpaqueService service;
  private final long oneWay;
  private final long[] arrivals = new long[MOST]; // of those that are on their way
  private int first;
  private int coming;
  private int out;

  /** A client of this provider. */
  public OpaqueOracle(OpaqueWorld world) {
    this.service = world.service();
    this.oneWay = world.oneWay();
  }

  @Override
  public boolean send(Sending sending, long now) {
    while (coming > 0 && arrivals[first] < now) {
      first = (first + 1) % MOST;
      coming--;
    }
    boolean countsAtOnce = service.window(now) == 0;
    long room = countsAtOnce ? service.limit(now) - out : service.left(now) - coming;
    if (out >= MOST || room <= 0 || service.isInMaintenance(now + oneWay)) {
      return false;
    }
    arrivals[(first + coming) % MOST] = now + oneWay;
    coming++;
    out++;
    sending.through(0, Sending.NONE, null, now);
    return true;
  }

  @Override
  public long wakeAt(long now) {
    return now + 5_000_000; // looks two hundred times a second
  }

  @Override
  public long answered(Sending sending, long now) {
    out--;
    return sending.isBroken() ? GIVEN_UP : now;
  }
}
