package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.world.DataverseScenario;
import dev.sluice.arena.world.DataverseWorld;
import dev.sluice.simulator.farm.Account;
import dev.sluice.simulator.farm.Farm;

/**
 * A client that sees the service's own counters, chooses its server, and is never refused: it sends
 * whenever some account has room, what runs already counted, up to a fixed number in flight on
 * each, to the account with the fewest in flight. The best of these over several numbers is what
 * others are measured by.
 */
public final class Oracle implements Contender {
  private final Farm farm;
  private final int users;
  private final int servers;
  private final int cap;
  private final DataverseScenario scenario;
  private final int limit;
  private final int[] outByServer;
  private final int[] out; // sent and not answered, by account

  /**
   * A client with so many in flight per account; the world must honour every cookie.
   *
   * @param scenario which servers a client reaches
   */
  public Oracle(DataverseWorld world, DataverseScenario scenario, int cap) {
    this.scenario = scenario;
    this.farm = world.farm();
    this.users = world.users();
    this.servers = farm.options().servers();
    this.cap = cap;
    this.limit = farm.options().protection().shared() ? 1 : servers;
    this.outByServer = new int[servers];
    this.out = new int[users * limit];
  }

  @Override
  public boolean send(Sending sending, long now) {
    int best = -1;
    for (int index = 0; index < out.length; index++) {
      if (isReachable(index)
          && out[index] < cap
          && (best < 0 || out[index] < out[best])
          && hasRoom(index, now)) {
        best = index;
      }
    }
    if (best < 0) {
      return false;
    }
    int server = server(best);
    out[best]++;
    outByServer[server]++;
    sending.through(best / limit, server, null, now);
    sending.ticket(best);
    return true;
  }

  /** Where counters are shared, any server within reach does: the one with the fewest of ours. */
  private int server(int index) {
    if (limit == servers) {
      return index % limit;
    }
    int least = -1;
    for (int server = 0; server < servers; server++) {
      if (scenario.reaches(index, server)
          && (least < 0 || outByServer[server] < outByServer[least])) {
        least = server;
      }
    }
    return least;
  }

  private boolean isReachable(int index) {
    return limit != servers || scenario.reaches(index / limit, index % limit);
  }

  private boolean hasRoom(int index, long now) {
    Account account = farm.account(index / limit, index % limit);
    int unseen = out[index] - account.inFlight();
    return account.toldUntil() <= now
        && account.requestsLeft(now) > unseen
        && out[index] < farm.options().protection().concurrent()
        && account.uncommittedTimeLeft(now).isPositive();
  }

  @Override
  public long wakeAt(long now) {
    return now + 50_000_000; // looks twenty times a second
  }

  @Override
  public long answered(Sending sending, long now) {
    out[sending.ticket()]--;
    outByServer[sending.cookie()]--;
    return now;
  }
}
