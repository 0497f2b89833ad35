package dev.sluice.simulator.farm;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The web servers of one environment: chooses which answers a request, lets that server admit or
 * refuse it, and says how long an admitted one takes. Whoever drives it calls {@link #arrive} when
 * a request comes in, and {@link #finish} when the time it was given has passed.
 *
 * <p>An admitted request takes {@code base × (1 + load / knee)}, load being the requests that run
 * on its server, itself not counted. Single-threaded; monotonic nanoseconds that do not go back.
 */
public final class Farm {
  /** No affinity cookie. */
  public static final int ANY = -1;

  private FarmOptions options;
  private final RandomGenerator random;
  private final int[] load;
  private final List<List<Account>> users = new ArrayList<>();
  private int turn;

  /** Servers at rest. All chance comes from {@code random}. */
  public Farm(FarmOptions options, RandomGenerator random) {
    this.options = options;
    this.random = random;
    this.load = new int[options.servers()];
  }

  /** A new user, at rest; the number by which it is known. */
  public int addUser(long now) {
    List<Account> accounts = new ArrayList<>();
    for (int server = 0; server < options.servers(); server++) {
      accounts.add(
          server > 0 && options.protection().shared()
              ? accounts.get(0)
              : new Account(options.protection(), now));
    }
    users.add(List.copyOf(accounts));
    return users.size() - 1;
  }

  /** New limits, in force from the next request on. Whether servers count together stays. */
  public void change(ProtectionOptions protection) {
    ProtectionOptions changed = protection.withShared(options.protection().shared());
    options = options.withProtection(changed);
    users.forEach(accounts -> accounts.forEach(account -> account.change(changed)));
  }

  /**
   * A request arrives.
   *
   * @param user who sends it
   * @param cookie the server that its affinity cookie names; {@link #ANY} without one
   * @param base nanoseconds that it takes on an idle server
   */
  public Visit arrive(int user, int cookie, long base, long now) {
    int server = route(user, cookie);
    Account account = account(user, server);
    Throttle throttle = account.admit(now);
    if (throttle != null) {
      return new Visit(account, server, throttle, 0);
    }
    double slower = 1 + load[server]++ / options.knee();
    double chance = 1 + options.jitter() * (2 * random.nextDouble() - 1);
    return new Visit(account, server, null, Math.round(base * slower * chance));
  }

  /** An admitted request is done. */
  public void finish(Visit visit, long now) {
    load[visit.server()]--;
    visit.account().finish(visit.duration(), now);
  }

  private int route(int user, int cookie) {
    if (cookie >= 0 && cookie < load.length && isHonoured()) {
      return cookie;
    }
    return switch (options.balancer()) {
      case RANDOM -> random.nextInt(load.length);
      case ROUND_ROBIN -> Math.floorMod(turn++, load.length);
      case STICKY -> user % load.length;
    };
  }

  private boolean isHonoured() {
    double share = options.cookieHonoured();
    return share >= 1 || (share > 0 && random.nextDouble() < share);
  }

  /** What a user has used on a server. */
  public Account account(int user, int server) {
    return users.get(user).get(server);
  }

  /** Whether this is the only account of its user up to that server: shared ones count once. */
  private boolean isOwn(int server) {
    return server == 0 || !options.protection().shared();
  }

  /** How many requests came while their sender was told to wait, late enough to know. */
  public long pressed() {
    long sum = 0;
    for (List<Account> accounts : users) {
      for (int server = 0; server < accounts.size(); server++) {
        sum += isOwn(server) ? accounts.get(server).tally().pressed() : 0;
      }
    }
    return sum;
  }

  /** How many users there are. */
  public int users() {
    return users.size();
  }

  /** What it was made with, limits as they are now. */
  public FarmOptions options() {
    return options;
  }

  /**
   * A request on its server.
   *
   * @param account whose budget it was measured by
   * @param server which server answers
   * @param throttle why it was refused; null if it was admitted
   * @param duration nanoseconds that it takes; 0 if it was refused
   */
  public record Visit(Account account, int server, @Nullable Throttle throttle, long duration) {}
}
