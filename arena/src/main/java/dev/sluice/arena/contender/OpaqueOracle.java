package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.world.OpaqueWorld;
import dev.sluice.simulator.provider.OpaqueService;
import java.util.ArrayList;
import java.util.List;

/**
 * A client that sees what is left of a provider's limit and sends exactly that: what others are
 * measured by. Of a limit on requests at once it sees the size, and that a place is free when the
 * answer has come back, as no client can know it earlier. It knows which requests always fail, and
 * when the provider is being maintained; what failed otherwise it sends again at once.
 */
public final class OpaqueOracle implements Contender {
  private static final int MOST = 256;
  private static final long LOOKS_EVERY = 5_000_000; // two hundred times a second

  private final OpaqueService service;
  private final long oneWay;
  private final List<Sending> out = new ArrayList<>();

  /** A client of this provider. */
  public OpaqueOracle(OpaqueWorld world) {
    this.service = world.service();
    this.oneWay = world.oneWay();
  }

  @Override
  public boolean send(Sending sending, long now) {
    if (out.size() >= MOST || service.isInMaintenance(now + oneWay) || room(now) <= 0) {
      return false;
    }
    out.add(sending);
    sending.through(0, Sending.NONE, null, now);
    return true;
  }

  private long room(long now) {
    if (service.window(now) == 0) {
      return service.limit(now) - out.size();
    }
    long room = service.left(now);
    for (Sending each : out) {
      room -= each.sentAt() + oneWay >= now ? 1 : 0; // it has not arrived
    }
    return room;
  }

  @Override
  public long wakeAt(long now) {
    return now + LOOKS_EVERY;
  }

  @Override
  public long answered(Sending sending, long now) {
    boolean unused = out.remove(sending);
    return sending.isBroken() ? GIVEN_UP : now;
  }
}
