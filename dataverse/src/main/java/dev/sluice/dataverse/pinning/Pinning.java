package dev.sluice.dataverse.pinning;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.service.Routes;
import dev.sluice.gate.Gate;
import dev.sluice.gate.wire.WebAnswer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns one lane per identity into one per identity and web server, as far as the service follows
 * affinity cookies. Each server counts for itself, so that each lane can spend its server's budget
 * exactly.
 *
 * <p>It looks for servers first, among the answers to requests without a cookie. Once several are
 * known and no new one has come for a while, each gets its lanes. Every answer says which server
 * gave it: if cookies are not followed after all, or servers turn out to count together, the lanes
 * are taken back, for good; a server that answers no longer loses its own.
 *
 * <p>Thread-safe. Its lock is taken before the gate's, never after.
 */
public final class Pinning implements Routes {
  private static final Logger log = LoggerFactory.getLogger(Pinning.class);

  /** Answers without a new server, for each one known, until no more are expected. */
  private static final int QUIET = 10;

  /** So many answers decide whether cookies are followed; older ones count less and less. */
  private static final int TRIALS = 20;

  private static final double FOLLOWED = 0.95;

  /** What each answer leaves of the weight of those before it. */
  private static final double MEMORY = 1 - 1.0 / (5 * TRIALS);

  /** So many answers in a row from elsewhere, and a server is gone. */
  private static final int GONE = 10;

  /** No environment has so many: such cookies are not those of servers. */
  private static final int MOST_SERVERS = 64;

  private enum Phase {
    LOOKING,
    PINNED,
    GIVEN_UP
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Account> accounts = new LinkedHashMap<>();
  private final Map<String, Route> routes = new ConcurrentHashMap<>();
  private final List<Server> servers = new ArrayList<>();
  private @Nullable Gate gate;
  private Phase phase = Phase.LOOKING;
  private int found; // servers ever, for their names
  private int sinceFound;
  private double trials;
  private double followed;

  /** A web server that gave an answer. */
  private static final class Server {
    private final String cookie;
    private final int number;
    private int missed;

    Server(String cookie, int number) {
      this.cookie = cookie;
      this.number = number;
    }

    String lane(String identity) {
      return identity + "@" + number;
    }
  }

  /**
   * Adds an identity that has sent nothing until {@code now}, before the gate is opened.
   *
   * @param anyServer its lane to any server
   * @param oneServer its lane to one server
   * @param limits what one server allows it, and how many it may have out at once over all lanes
   * @param observed what answers have shown to it
   * @return the options for its first lane, named as the identity is
   */
  public LaneOptions add(
      String identity,
      LaneOptions anyServer,
      LaneOptions oneServer,
      QuotaOptions limits,
      Observed observed,
      long now) {
    Account account = new Account(anyServer, oneServer, limits, observed, now);
    lock.lock();
    try {
      accounts.put(identity, account);
    } finally {
      lock.unlock();
    }
    return account.anyServer();
  }

  /** From now on lanes are added to this gate and taken from it. */
  public void open(Gate opened) {
    lock.lock();
    try {
      gate = requireNonNull(opened, "opened");
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Route of(String lane) {
    Route pinned = routes.get(lane);
    return pinned == null ? new Route(lane, null) : pinned;
  }

  @Override
  public void answered(Route route, WebAnswer answer, Signal signal, long took) {
    String cookie = AffinityCookie.of(answer.headers());
    lock.lock();
    try {
      if (gate == null || phase == Phase.GIVEN_UP) {
        return;
      }
      if (phase == Phase.PINNED && isCountedTogether()) {
        giveUp("its servers count together");
      } else if (route.cookie() != null) {
        heed(route.cookie(), cookie == null ? route.cookie() : cookie);
      } else if (cookie != null) {
        look(cookie);
      }
    } catch (IllegalArgumentException e) { // whose answer this is must not suffer from it
      phase = Phase.GIVEN_UP;
      log.warn("lanes to single web servers are left as they are: {}", e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  private boolean isCountedTogether() {
    return accounts.values().stream()
        .anyMatch(account -> account.scope() == Account.Scope.TOGETHER);
  }

  /** An answer to a request that any server could take. */
  private void look(String cookie) {
    if (server(cookie) == null) {
      Server server = discover(cookie);
      if (phase == Phase.PINNED) {
        pin(server);
      }
      if (servers.size() > MOST_SERVERS) {
        giveUp("more than %d cookies are known".formatted(MOST_SERVERS));
      }
    } else {
      sinceFound++;
    }
    if (phase == Phase.LOOKING
        && servers.size() > 1
        && sinceFound >= QUIET * servers.size()
        && gate().statistics().throttledConnections() == 0) { // a hold goes with its lane
      phase = Phase.PINNED;
      log.info("{} web servers are known; each user has a lane to each", servers.size());
      servers.forEach(this::pin);
      accounts.keySet().forEach(identity -> gate().removeLane(identity));
    }
  }

  /** An answer to a request that asked for one server. */
  private void heed(String asked, String answering) {
    if (phase != Phase.PINNED) {
      return;
    }
    boolean there = asked.equals(answering);
    Server server = server(asked);
    if (server == null) {
      return; // its lanes are gone already
    }
    server.missed = there ? 0 : server.missed + 1;
    if (server.missed <= 1) { // further ones say that this server is gone, not that none is found
      trials = MEMORY * trials + 1;
      followed = MEMORY * followed + (there ? 1 : 0);
    }
    if (trials >= TRIALS - 1 && followed < FOLLOWED * trials) {
      giveUp("%.0f %% of affinity cookies are followed".formatted(100 * followed / trials));
    } else if (server.missed >= GONE) {
      forget(server);
    } else {
      look(answering);
    }
  }

  private Server discover(String cookie) {
    Server server = new Server(cookie, ++found);
    servers.add(server);
    sinceFound = 0;
    return server;
  }

  private @Nullable Server server(String cookie) {
    for (Server server : servers) {
      if (server.cookie.equals(cookie)) {
        return server;
      }
    }
    return null;
  }

  private void pin(Server server) {
    accounts.forEach(
        (identity, account) -> {
          account.lanes(servers.size());
          routes.put(server.lane(identity), new Route(identity, server.cookie));
          gate().addLane(server.lane(identity), account.oneServer());
        });
  }

  private void forget(Server server) {
    if (servers.size() == 1) {
      giveUp("the last known web server answers no more");
      return;
    }
    log.info("a web server answers no more; its lanes are taken back");
    servers.remove(server);
    accounts.values().forEach(account -> account.lanes(servers.size()));
    accounts.keySet().forEach(identity -> gate().removeLane(server.lane(identity)));
  }

  /** What is out comes back by its lane, and counts in the identity's books. */
  private void giveUp(String why) {
    boolean pinned = phase == Phase.PINNED;
    phase = Phase.GIVEN_UP;
    if (!pinned) {
      return;
    }
    log.info("no lanes to single web servers any more: {}", why);
    accounts.forEach(
        (identity, account) -> {
          account.lanes(1);
          gate().addLane(identity, account.anyServer());
          servers.forEach(server -> handOver(server.lane(identity), identity));
        });
  }

  /** Takes a lane away; what it was told to wait, the other waits. */
  private void handOver(String lane, String heir) {
    for (LaneStatistics each : gate().statistics().lanes()) {
      if (each.name().equals(lane) && each.isThrottled()) {
        gate().hold(heir, each.held());
      }
    }
    gate().removeLane(lane);
  }

  private Gate gate() {
    return requireNonNull(gate, "gate");
  }
}
