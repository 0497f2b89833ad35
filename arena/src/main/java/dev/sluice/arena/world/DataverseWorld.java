package dev.sluice.arena.world;

import dev.sluice.arena.bout.Operation;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.World;
import dev.sluice.control.signal.Signal;
import dev.sluice.simulator.farm.Account;
import dev.sluice.simulator.farm.Farm;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.provider.Suspension;
import dev.sluice.simulator.provider.ThrottleShare;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A simulated environment with its farm of web servers: World 1. */
public final class DataverseWorld implements World {
  private final DataverseScenario scenario;
  private final Farm farm;
  private final long seed;
  private final List<ThrottleShare> throttles = new ArrayList<>(); // by user
  private boolean suspended;

  /** The scenario's environment at rest; equal seeds give equal chances. */
  public DataverseWorld(DataverseScenario scenario, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    this.scenario = scenario;
    this.seed = random.nextLong();
    this.farm = new Farm(scenario.farm(), random);
    for (int user = 0; user < scenario.users(); user++) {
      int unused = farm.addUser(0);
      throttles.add(new ThrottleShare(Suspension.USUAL, 0));
    }
  }

  @Override
  public int users() {
    return scenario.users();
  }

  @Override
  public long oneWay() {
    return scenario.oneWay();
  }

  @Override
  public Operation operation(long index, long now) {
    Mix mix = now < scenario.changeAt() ? scenario.before() : scenario.after();
    // By the request, not by the order of asking: every contender gets the same work.
    return mix.at(unit(seed + index * 0x9E3779B97F4A7C15L));
  }

  /** A number from 0 to below 1 that looks like chance (SplitMix64's finish). */
  private static double unit(long number) {
    long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1.0p-53;
  }

  @Override
  public void arrive(Sending sending, long now) {
    Farm.Visit visit =
        farm.arrive(sending.user(), sending.cookie(), sending.operation().base(), now);
    suspended |= throttles.get(sending.user()).count(visit.throttle() != null, now);
    if (visit.throttle() == null) {
      sending.admit(visit.duration(), visit.server(), visit);
    } else {
      sending.refuse(
          429,
          visit.throttle().retryAfter().toNanos(),
          visit.server(),
          Signal.Facet.valueOf(visit.throttle().facet().name()));
      tell(sending, visit.account(), now);
    }
  }

  @Override
  public void finish(Sending sending, long now) {
    if (sending.visit() instanceof Farm.Visit visit) {
      farm.finish(visit, now);
      tell(sending, visit.account(), now);
    }
  }

  private void tell(Sending sending, Account account, long now) {
    if (scenario.headers()) {
      sending.tell(
          (double) account.requestsLeft(now), account.executionTimeLeft(now).toNanos() / 1e9);
    }
  }

  @Override
  public long pressed() {
    return farm.pressed();
  }

  @Override
  public double used(long now) {
    ProtectionOptions limits = scenario.farm().protection();
    double sum = 0;
    int servers = limits.shared() ? 1 : scenario.farm().servers();
    for (int user = 0; user < users(); user++) {
      for (int server = 0; server < servers; server++) {
        Account account = farm.account(user, server);
        double requests = 1 - (double) account.requestsLeft(now) / limits.requests();
        double time =
            1
                - (double) account.executionTimeLeft(now).toNanos()
                    / limits.executionTime().toNanos();
        sum += Math.max(requests, time);
      }
    }
    return sum / (users() * servers);
  }

  @Override
  public boolean limitsAreKnown() {
    return true;
  }

  @Override
  public boolean suspended() {
    return suspended;
  }

  /** The servers themselves, for a client that may see everything. */
  public Farm farm() {
    return farm;
  }
}
