package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Sending;
import dev.sluice.control.lane.Lane;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaPolicy;
import dev.sluice.control.signal.Signal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The quota policy with one lane per user and server, as far as the service follows affinity
 * cookies: found out with the first requests, and given up by itself where it does not.
 */
public final class PinnedContender implements Contender {
  /** So many answers to pinned requests decide whether cookies are followed. */
  private static final int TRIALS = 10;

  /** Pinning pays if at least this share of the cookies is followed. */
  private static final double FOLLOWED = 0.95;

  /** Every so many requests, one goes without a cookie, to find servers. */
  private static final int EXPLORE_EVERY = 50;

  private final QuotaOptions quota;
  private final UnaryOperator<LaneOptions> tuning;
  private final SplittableRandom random;
  private final List<User> users = new ArrayList<>();
  private final List<Integer> servers = new ArrayList<>();

  /** How many of its user were out when a request without a cookie was sent, itself included. */
  private final IdentityHashMap<Sending, Integer> outAtStart = new IdentityHashMap<>();

  private long sequence;
  private int trials;
  private int followed;
  private int sinceExplored;
  private int foundNothing;
  private boolean perServer;
  private boolean shared;
  private boolean severalAtOnce;
  private int beyond; // so many more than one server runs were let in, but some may have ended
  private @Nullable Sending probe; // the first beyond what one server runs at once
  private long probedAt;
  private int runningWithProbe; // of its user, when it arrived

  /** What belongs to one identity. */
  private final class User {
    private final int number;
    private final QuotaPolicy whole;
    private final Lane any;
    private final List<Lane> pinned = new ArrayList<>();
    private final List<QuotaPolicy> policies = new ArrayList<>(); // of the pinned lanes
    private final List<Integer> answers = new ArrayList<>(); // without cookie, by server
    private int allAnswers;
    private int inFlight;

    User(int number) {
      this.number = number;
      this.whole = new QuotaPolicy(quota, 0);
      this.any = lane("user" + number, LaneOptions.of(now -> whole), 0);
    }

    private Lane lane(String name, LaneOptions options, long now) {
      return new Lane(name, tuning.apply(options), random.split(), now);
    }

    void add(int server, long now) {
      answers.add(0);
      QuotaPolicy policy = new QuotaPolicy(quota.withServers(1), now);
      policies.add(policy);
      pinned.add(lane("user" + number + "/" + server, LaneOptions.of(then -> policy), now));
    }
  }

  /** So many users with these limits each; {@code tuning} finishes each lane's options. */
  public PinnedContender(
      int count, QuotaOptions quota, UnaryOperator<LaneOptions> tuning, long seed) {
    this.quota = quota;
    this.tuning = tuning;
    this.random = new SplittableRandom(seed);
    for (int user = 0; user < count; user++) {
      users.add(new User(user));
    }
  }

  private boolean isPinning() {
    return !shared && !servers.isEmpty() && (trials < TRIALS || followed >= FOLLOWED * trials);
  }

  /** Whether a user has as many out as one server runs, and it is not known that others add. */
  private boolean isFull(User user, long now) {
    if (!isPinning()) {
      return user.inFlight >= user.any.level(now); // what was pinned may be running still
    }
    if (user.inFlight < quota.maxInFlight()) {
      return false;
    }
    if (trials < TRIALS) {
      return true; // it is not known yet where they run
    }
    int free = quota.maxInFlight() + beyond + (probe == null ? 1 : 0);
    return !severalAtOnce && user.inFlight >= free;
  }

  /** A probe that has not been refused by now was let in. */
  private void learnFromSilence(long now) {
    if (probe != null && now - probedAt >= grace()) {
      letIn();
    }
  }

  /**
   * If more than one server runs had been sent before a probe that was let in, and were running
   * when it arrived, several servers run them. Otherwise the next probe goes further, halfway to
   * where that would have been seen.
   */
  private void letIn() {
    int missing = quota.maxInFlight() + 1 - runningWithProbe;
    severalAtOnce = missing <= 0;
    beyond += Math.max(1, missing / 2);
    probe = null;
  }

  /** Whether one more fits on a server, with what may run there without having asked for it. */
  private boolean hasSlot(User user, int server) {
    return user.pinned.get(server).inFlight() + unseen(user, server) < quota.maxInFlight();
  }

  /** How many may run there without having asked for it, by where such were answered so far. */
  private static double unseen(User user, int server) {
    int all = user.any.inFlight();
    double likely = all * (user.answers.get(server) + 1.0) / (user.allAnswers + 1.0);
    return Math.min(all, likely + 2 * Math.sqrt(likely)); // two standard deviations more
  }

  private long grace() {
    return 2 * quota.roundTrip().toNanos() + 20_000_000;
  }

  /** A probe that is refused though its own server runs fewer shows that they count together. */
  private void learnConcurrency(User user, Lane lane, Sending sending, long now) {
    if (probe == null || sending.user() != probe.user()) {
      return;
    }
    if (sending.sentAt() <= probedAt && now - probedAt <= quota.roundTrip().toNanos()) {
      runningWithProbe--; // its answer was on its way when the probe was
    }
    if (sending == probe && sending.isAdmitted()) {
      letIn();
    } else if (sending == probe) {
      probe = null;
      shared |=
          sending.facet() == Signal.Facet.CONCURRENCY
              && user.any.inFlight() + lane.inFlight() <= quota.maxInFlight();
    }
  }

  private boolean isExploring() {
    return isPinning() && foundNothing < 10 * servers.size() && sinceExplored >= EXPLORE_EVERY;
  }

  @Override
  public boolean send(Sending sending, long now) {
    learnFromSilence(now);
    boolean exploring = isExploring();
    User best = null;
    int server = Sending.NONE;
    long oldest = Long.MAX_VALUE;
    for (User user : users) {
      if (isFull(user, now)) {
        continue;
      }
      if (!isPinning() || exploring) {
        if (user.any.admits(now) && user.any.lastUsed() < oldest) {
          best = user;
          server = Sending.NONE;
          oldest = user.any.lastUsed();
        }
        continue;
      }
      for (int i = 0; i < servers.size(); i++) {
        Lane lane = user.pinned.get(i);
        if (lane.lastUsed() < oldest && hasSlot(user, i) && lane.admits(now)) {
          best = user;
          server = i;
          oldest = lane.lastUsed();
        }
      }
    }
    if (best == null) {
      return false;
    }
    best.inFlight++;
    if (server == Sending.NONE) {
      outAtStart.put(sending, best.inFlight);
    }
    if (isPinning() && best.inFlight > quota.maxInFlight() + beyond && !severalAtOnce) {
      probe = sending;
      probedAt = now;
      runningWithProbe = best.inFlight;
    }
    sinceExplored = exploring ? 0 : sinceExplored + 1;
    Lane lane = server == Sending.NONE ? best.any : best.pinned.get(server);
    sending.through(
        best.number, server == Sending.NONE ? Sending.NONE : servers.get(server), lane, now);
    sending.ticket(lane.start(sending, ++sequence, now));
    if (server != Sending.NONE) {
      best.whole.started(sending, now);
    }
    return true;
  }

  @Override
  public long wakeAt(long now) {
    long first = NEVER;
    for (User user : users) {
      if (isFull(user, now)) {
        first = probe == null ? first : Math.min(first, probedAt + grace());
        continue;
      }
      if (!isPinning() || isExploring()) {
        first = Math.min(first, user.any.wakeAt(now));
        continue;
      }
      for (int i = 0; i < servers.size(); i++) {
        if (hasSlot(user, i)) {
          first = Math.min(first, user.pinned.get(i).wakeAt(now));
        }
      }
    }
    return first;
  }

  @Override
  public long answered(Sending sending, long now) {
    User user = users.get(sending.user());
    Signal signal = Answers.signal(sending);
    user.inFlight--;
    Lane lane = (Lane) java.util.Objects.requireNonNull(sending.account());
    learnConcurrency(user, lane, sending, now);
    if (sending.cookie() == Sending.NONE) {
      int outThen = java.util.Objects.requireNonNullElse(outAtStart.remove(sending), 1);
      lane.settle(sending, sending.ticket(), signal, now);
      discover(sending.answeredBy(), now);
      int index = servers.indexOf(sending.answeredBy());
      if (index >= 0) {
        user.allAnswers++;
        user.answers.set(index, user.answers.get(index) + 1);
        double share = (double) user.answers.get(index) / user.allAnswers;
        user.policies.get(index).booked(sending, signal, share * outThen, now);
      }
      return now;
    }
    int server = servers.indexOf(sending.answeredBy());
    if (!sending.isAdmitted() && sending.facet() != Signal.Facet.CONCURRENCY && server >= 0) {
      learnScope(user, server, now);
      if (shared) {
        user.any.holdUntil(now + Math.max(0, sending.retryAfter()), now);
      }
    }
    if (sending.answeredBy() == sending.cookie() || server < 0) {
      lane.settle(sending, sending.ticket(), signal, now);
    } else { // booked on the server that answered
      lane.abandon(sending, sending.ticket(), now);
      Lane other = user.pinned.get(server);
      other.settle(sending, other.start(sending, ++sequence, now), signal, now);
    }
    user.whole.settled(sending, signal, now);
    trials++;
    if (sending.answeredBy() == sending.cookie()) {
      followed++;
    }
    return now;
  }

  /** Do servers count by themselves, or together? What was spent when one refused tells. */
  private void learnScope(User user, int server, long now) {
    if (perServer || servers.size() < 2) {
      return;
    }
    double own = user.policies.get(server).spent(now);
    if (own > 0.75 && user.whole.spent(now) > 1.3) {
      perServer = true;
    } else if (own < 0.75) {
      shared = true;
    }
  }

  private void discover(int server, long now) {
    if (server == Sending.NONE || servers.contains(server)) {
      foundNothing++;
      return;
    }
    foundNothing = 0;
    servers.add(server);
    users.forEach(user -> user.add(server, now));
  }
}
