package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.world.OpaqueScenario;
import dev.sluice.arena.world.OpaqueWorld;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.simulator.provider.OpaqueService;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Signal;
import dev.sluice.simulator.provider.Suspension;

/**
 * A client that sees what is left of a provider's limit and sends exactly that: what others are
 * measured by. Of a limit on requests at once it sees the size, and that a place is free when the
 * answer has come back, as no client can know it earlier.
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

  /**
   * The best that is known to be possible. A neighbour gets all that it asks for: its share is
   * taken off, since who takes it too is refused a great deal. Where a provider slows down instead
   * of refusing, nothing is ever left, and the best of some fixed numbers at once counts as well.
   */
  public static Score best(OpaqueScenario scenario, Job job, long seed) {
    ServiceOptions service = scenario.service();
    double share = 1 - service.neighbour();
    OpaqueScenario alone =
        new OpaqueScenario(
            scenario.name(),
            service.withNeighbour(0).withSuspension(Suspension.NEVER),
            scenario.oneWay());
    Job both =
        job.isEndless()
            ? job
            : new Job(job.name(), (long) (job.requests() / share), job.deadline());
    OpaqueWorld seen = new OpaqueWorld(alone, seed);
    Score best = Bout.play(new OpaqueOracle(seen), seen, both);
    if (service.signal() == Signal.SLOW_DOWN) {
      for (int atOnce = 2; atOnce <= 32; atOnce *= 2) {
        Score fixed =
            Bout.play(
                new LaneContender(1, LaneOptions.fixed(atOnce), seed),
                new OpaqueWorld(alone, seed),
                both);
        boolean better =
            job.isEndless() ? fixed.done() > best.done() : fixed.nanos() < best.nanos();
        best = better ? fixed : best;
      }
    }
    return new Score(
        Math.round(best.done() * share),
        best.refused(),
        best.nanos(),
        best.finished(),
        best.longestWait(),
        best.pressed(),
        best.suspended());
  }

  @Override
  public boolean send(Sending sending, long now) {
    while (coming > 0 && arrivals[first] < now) {
      first = (first + 1) % MOST;
      coming--;
    }
    boolean countsAtOnce = service.window(now) == 0;
    long room = countsAtOnce ? service.limit(now) - out : service.left(now) - coming;
    if (out >= MOST || room <= 0) {
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
    return now;
  }
}
