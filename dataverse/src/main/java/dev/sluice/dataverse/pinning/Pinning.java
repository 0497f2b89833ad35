package dev.sluice.dataverse.pinning;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.service.Routes;
import dev.sluice.gate.Gate;
import dev.sluice.gate.wire.WebAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * <p>Every answer says which server gave it, and each server gets its lanes as soon as it is known.
 * While new ones may be found, some requests go out without a cookie. If cookies are not followed
 * after all, or servers turn out to count together, the lanes are taken back, for good; a server
 * that answers no longer loses its own.
 *
 * <p>With lanes to servers or without, each answer is booked on the server that gave it: that tells
 * a lane to any server how much it can use until the fullest one refuses.
 *
 * <p>Thread-safe. Its lock is taken before the gate's, never after.
 */
public final class Pinning implements Routes {
  private static final Logger log = LoggerFactory.getLogger(Pinning.class);

  /** Answers without a new server, for each one known, until no more are expected. */
  private static final int QUIET = 10;

  /** So many answers decide whether cookies are followed; older ones count less and less. */
  private static final int TRIALS = 10;

  private static final double FOLLOWED = 0.95;

  /** What each answer leaves of the weight of those before it. */
  private static final double MEMORY = 1 - 1.0 / 100;

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
  private final Counting counting = new Counting();
  private final Map<String, Account> accounts = new LinkedHashMap<>();
  private final Map<String, AccountMemory> memories = new ConcurrentHashMap<>();
  private final Map<String, Route> routes = new ConcurrentHashMap<>();
  private final List<Server> servers = new ArrayList<>();
  private final Set<String> toAny = new HashSet<>(); // identities that have a lane to any server
  private @Nullable Gate gate;
  private Phase phase;
  private int found; // servers ever, for their names
  private int sinceFound;
  private double trials;
  private double followed;

  /** A web server that gave an answer. */
  private static final class Server {
    private final String cookie;
    private final int number;
    private final Map<String, Account.Server> seen = new HashMap<>(); // by identities
    private int missed;

    Server(String cookie, int number) {
      this.cookie = cookie;
      this.number = number;
    }

    String lane(String identity) {
      return identity + "@" + number;
    }
  }

  /** With lanes to servers, or without: then it only keeps the books of each server. */
  public Pinning(boolean pinned) {
    this.phase = pinned ? Phase.LOOKING : Phase.GIVEN_UP;
  }

  /**
   * Adds an identity that has sent nothing until {@code now}, before the gate is opened.
   *
   * @param anyServer its lane to any server
   * @param oneServer its lane to one server
   * @param limits what one server allows it
   * @param observed what answers have shown to it
   * @param earlier what was learned of it before
   * @return the options for its first lane, named as the identity is
   */
  public LaneOptions add(
      String identity,
      LaneOptions anyServer,
      LaneOptions oneServer,
      QuotaOptions limits,
      Observed observed,
      QuotaProfile earlier,
      long now) {
    AccountMemory memory = new AccountMemory(earlier, now);
    Account account = new Account(anyServer, oneServer, limits, observed, counting, memory, now);
    lock.lock();
    try {
      accounts.put(identity, account);
      memories.put(identity, memory);
      toAny.add(identity);
    } finally {
      lock.unlock();
    }
    return account.anyServer();
  }

  /** What was learned of each identity until a moment ago, for whoever uses it next. */
  public Map<String, QuotaProfile> learned(long now) {
    Map<String, QuotaProfile> learned = new HashMap<>();
    memories.forEach((identity, memory) -> learned.put(identity, memory.learned(now)));
    return learned;
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
      if (gate == null) {
        return;
      }
      if (counting.scope() == Counting.Scope.TOGETHER) {
        giveUp("its servers count together");
      } else if (route.cookie() != null) {
        heed(route.cookie(), cookie == null ? route.cookie() : cookie);
      } else if (cookie != null) {
        look(cookie);
        book(route.identity(), cookie, signal, took);
      }
      if (phase == Phase.PINNED && !toAny.isEmpty()) {
        leaveAny();
      }
    } catch (IllegalArgumentException e) { // whose answer this is must not suffer from it
      phase = Phase.GIVEN_UP;
      log.warn("lanes to single web servers are left as they are: {}", e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  private void book(String identity, String cookie, Signal signal, long took) {
    Server server = server(cookie);
    Account account = accounts.get(identity);
    if (server == null || account == null) {
      return;
    }
    if (signal instanceof Signal.Throttled throttled && phase != Phase.GIVEN_UP) {
      throttled
          .retryAfter()
          .ifPresent(told -> gate().hold(server.lane(identity), account.afterSkew(told)));
    } else {
      account.answered(requireNonNull(server.seen.get(identity)), signal, took);
    }
  }

  /** An answer to a request that any server could take. */
  private void look(String cookie) {
    if (server(cookie) == null) {
      if (servers.size() == MOST_SERVERS) {
        giveUp("more than %d cookies are known".formatted(MOST_SERVERS));
        return;
      }
      register(discover(cookie));
    } else {
      sinceFound++;
    }
    if (sinceFound < QUIET * servers.size()) {
      return;
    }
    counting.complete();
    if (phase == Phase.LOOKING) {
      phase = Phase.PINNED;
      log.info("{} web servers are known; each user has a lane to each", servers.size());
    }
  }

  /** Takes the lanes to any server away; one that is held stays, for a hold goes with its lane. */
  private void leaveAny() {
    for (LaneStatistics lane : gate().statistics().lanes()) {
      if (!lane.isThrottled() && toAny.remove(lane.name())) {
        gate().removeLane(lane.name());
      }
    }
  }

  /** An answer to a request that asked for one server. */
  private void heed(String asked, String answering) {
    boolean there = asked.equals(answering);
    Server server = server(asked);
    if (server == null || phase == Phase.GIVEN_UP) {
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
      if (trials >= TRIALS - 1) {
        counting.followed();
      }
      if (server(answering) == null) {
        register(discover(answering));
      }
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

  /** Gives a server its books, and lanes unless they were given up. */
  private void register(Server server) {
    accounts.forEach(
        (identity, account) -> {
          account.lanes(phase == Phase.GIVEN_UP ? 0 : servers.size());
          Account.Server seen = new Account.Server();
          server.seen.put(identity, seen);
          if (phase != Phase.GIVEN_UP) {
            routes.put(server.lane(identity), new Route(identity, server.cookie));
            gate().addLane(server.lane(identity), account.oneServer(seen));
          }
        });
  }

  private void forget(Server server) {
    if (servers.size() == 1) {
      giveUp("the last known web server answers no more");
      return;
    }
    if (accounts.keySet().stream().anyMatch(identity -> isHeld(server.lane(identity)))) {
      return; // a told wait must outlive its lane; the next miss comes here again
    }
    log.info("a web server answers no more; its lanes are taken back");
    servers.remove(server);
    accounts.values().forEach(account -> account.lanes(servers.size()));
    accounts.keySet().forEach(identity -> gate().removeLane(server.lane(identity)));
  }

  private boolean isHeld(String lane) {
    return gate().throttleTracker().isThrottled(lane);
  }

  /** What is out comes back by its lane, and counts in the identity's books. */
  private void giveUp(String why) {
    if (phase == Phase.GIVEN_UP) {
      return;
    }
    log.info("no lanes to single web servers any more: {}", why);
    accounts.forEach(
        (identity, account) -> {
          account.lanes(0);
          if (toAny.add(identity)) {
            gate().addLane(identity, account.anyServer());
          }
          servers.forEach(server -> handOver(server.lane(identity), identity));
        });
    phase = Phase.GIVEN_UP;
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
