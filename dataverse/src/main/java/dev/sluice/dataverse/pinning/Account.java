package dev.sluice.dataverse.pinning;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.LevelSearch;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What all lanes of one identity share: how many requests it has out, and the books of the whole
 * and of each server, which go on when pinning ends. The servers' books tell the whole how much can
 * be used.
 *
 * <p>What was spent when a server refuses tells how servers count. While that is open, a throttle
 * on one lane holds the others too, until one request, the probe, has been let in on another. Once
 * each server is known to count by itself, each lane waits for itself.
 *
 * <p>Whether several servers run more at once than one does is found out by one request beyond
 * that: a refusal comes back at once, so that silence means that it runs.
 *
 * <p>Its policies are called under the gate's lock, which guards all that is not volatile.
 */
final class Account {
  /** Nobody refuses much sooner, nor much later, than when a budget is spent. */
  private static final double NEARLY = 0.9;

  private static final double MORE = 1.15;

  /** While more servers are expected, every so many requests one goes to any. */
  private static final int LOOK_EVERY = 5;

  private final LaneOptions anyServer;
  private final LaneOptions oneServer;
  private final QuotaOptions limits;
  private final Observed observed;
  private final Counting counting;
  private final Books whole;
  private int inFlight;
  private int outToAny;

  /** By when they were sent: how many were out with those that any server could take. */
  private final NavigableMap<Long, Integer> outWith = new TreeMap<>();

  private final Queue<Answered> unbooked = new ConcurrentLinkedQueue<>();
  private final Answering answering;
  private long answersFromAny; // to requests that any server could take
  private long heldUntil;
  private @Nullable Member holder; // whose throttle it was
  private @Nullable Attempt probe; // sent while others are held
  private @Nullable Attempt extra; // sent beyond what one server runs at once
  private long extraSentAt;
  private int runningWithExtra;
  private int beyond;
  private boolean oneBudget;
  private int sinceLooked;
  private final AccountMemory memory;
  private volatile int lanes; // set without the lock

  /**
   * An identity that has sent nothing until {@code now}.
   *
   * @param anyServer its lane to any server
   * @param oneServer its lane to one server
   * @param limits what one server allows it
   * @param memory what was learned of it before
   */
  Account(
      LaneOptions anyServer,
      LaneOptions oneServer,
      QuotaOptions limits,
      Observed observed,
      Counting counting,
      AccountMemory memory,
      long now) {
    this.anyServer = anyServer;
    this.oneServer = oneServer;
    this.limits = limits;
    this.observed = observed;
    this.counting = counting;
    this.whole = Books.of(anyServer, limits, observed, now);
    this.answering = new Answering(limits.window().toNanos());
    this.heldUntil = now;
    this.memory = memory;
    memory.begin(whole.ledger(), now);
  }

  /** A wait that was told, with what is added to it against disagreeing clocks. */
  Duration afterSkew(Duration told) {
    return told.plus(oneServer.skewBuffer());
  }

  /** It has lanes to so many servers now; none if to any. */
  void lanes(int number) {
    lanes = number;
  }

  /** Options for its lane to any server, which goes by what all lanes have done. */
  LaneOptions anyServer() {
    return anyServer.withPolicy(now -> new Member(whole, null));
  }

  /** Options for a lane to one server, which has books of its own. */
  LaneOptions oneServer(Server server) {
    return oneServer.withPolicy(now -> new Member(books(server, now), server));
  }

  /** A server as this identity sees it. */
  static final class Server {
    private long answers; // to requests that had not asked for it
    private @Nullable Books books; // kept while it does not answer
  }

  private Books books(Server server, long now) {
    if (server.books == null) {
      server.books = Books.of(oneServer, limits.withServers(1), observed, now);
      memory.beginServer(server.books.ledger(), now);
    }
    return server.books;
  }

  /** A request that any server could take was answered by this one. Any thread may say so. */
  void answered(Server server, Signal signal, long took) {
    unbooked.add(new Answered(server, signal, took));
  }

  /** An answer that is not in its server's books yet. */
  private record Answered(Server server, Signal signal, long took) {}

  private boolean isHeld(long now) {
    return heldUntil - now > 0;
  }

  /** Learns from silence, and books what servers have answered without having been asked for. */
  private void update(long now) {
    if (extra != null && now - extraSentAt >= whole.ledger().refusedWithin()) {
      letIn();
    }
    for (Answered each = unbooked.poll(); each != null; each = unbooked.poll()) {
      Server server = each.server();
      server.answers++;
      answersFromAny++;
      answering.answered(books(server, now), now);
      if (each.signal() instanceof Signal.Success) {
        Map.Entry<Long, Integer> with = outWith.floorEntry(now - each.took());
        double running = (with == null ? 1.0 : with.getValue()) * server.answers / answersFromAny;
        books(server, now).ledger().booked(each.took(), running, now);
      }
    }
    if (counting.hasAllServers() && answering.isChanged(now)) {
      whole.ledger().usable(answering.usable(now));
    }
  }

  /** Whether as many are out as may be. */
  private boolean isFull() {
    if (counting.isSeveralAtOnce() && lanes > 1) {
      return false;
    }
    int most = limits.maxInFlight();
    boolean mayTry = lanes > 1 && counting.isFollowed() && extra == null;
    return inFlight >= (lanes > 1 ? most + beyond : most) + (mayTry ? 1 : 0);
  }

  /**
   * If more than one server runs had been sent before a request that was let in, and were running
   * when it arrived, several servers run them. Otherwise the next one goes further, halfway to
   * where that would have been seen.
   */
  private void letIn() {
    int missing = limits.maxInFlight() + 1 - runningWithExtra;
    if (missing <= 0) {
      counting.severalAtOnce();
    }
    beyond += Math.max(1, missing / 2);
    extra = null;
  }

  /** One lane's policy: its own within what the identity may. */
  private final class Member implements Policy {
    private final Books own;
    private final @Nullable Server server; // null for any
    private int out;
    private boolean throttled; // by a budget, in the settlement that is under way

    Member(Books own, @Nullable Server server) {
      this.own = own;
      this.server = server;
    }

    @Override
    public int level(long now) {
      update(now);
      int level = own.policy().level(now);
      return server == null ? level : Math.max(1, Math.min(level, most(server)));
    }

    /** As many as the server runs, without what may run there that has not asked for it. */
    private int most(Server asked) {
      double likely = outToAny * (asked.answers + 1.0) / (answersFromAny + 1.0);
      double unseen = Math.min(outToAny, likely + 2 * Math.sqrt(likely)); // standard deviations
      return (int) (limits.maxInFlight() - unseen);
    }

    @Override
    public long notBefore(long now) {
      update(now);
      if (server == null && !oneBudget && counting.scope() == Counting.Scope.TOGETHER) {
        oneBudget = true;
        whole.ledger().countedTogether();
      }
      // While lanes to servers spend more than one budget, all of them together have none to keep.
      long pace = server == null && lanes > 0 ? now : own.policy().notBefore(now);
      if (server != null || lanes > 0) {
        pace = Math.max(pace, whole.rampsUpAt(now));
      }
      if (lanes > 1 && !counting.isSeveralAtOnce() && inFlight >= limits.maxInFlight()) {
        pace = Math.max(pace, whole.ledger().fewUnconfirmedAt(now));
      }
      if (isFull() || (server == null && !mayLook())) {
        pace =
            Math.max(
                pace, now + whole.ledger().refusedWithin()); // or as soon as something comes back
      }
      return isHeld(now) && !mayPass() ? Math.max(pace, heldUntil) : pace;
    }

    /** Once servers are known, any of them is asked only to find more. */
    private boolean mayLook() {
      return lanes == 0 || (!counting.isComplete() && sinceLooked >= LOOK_EVERY);
    }

    private boolean mayPass() {
      return server != null
          && switch (counting.scope()) {
            case BY_SERVER -> true; // its own throttle holds the lane itself
            case UNKNOWN -> probe == null && this != holder;
            case TOGETHER -> false;
          };
    }

    @Override
    public void started(Attempt attempt, long now) {
      update(now);
      if (counting.scope() == Counting.Scope.UNKNOWN && server != null && isHeld(now)) {
        probe = attempt;
      }
      out++;
      inFlight++;
      own.started(attempt, now);
      sinceLooked++;
      if (server == null) {
        sinceLooked = 0;
        outToAny++;
        outWith.put(now, inFlight);
        if (outWith.size() > 4 * limits.maxInFlight()) {
          outWith.pollFirstEntry();
        }
      } else {
        whole.started(attempt, now);
        if (lanes > 1 && !counting.isSeveralAtOnce() && inFlight > limits.maxInFlight() + beyond) {
          extra = attempt;
          extraSentAt = now;
          runningWithExtra = inFlight;
        }
      }
    }

    @Override
    public void settled(Attempt attempt, Signal signal, long now) {
      update(now);
      throttled = signal instanceof Signal.Throttled refusal && isOfBudget(refusal.facet());
      learnAtOnce(attempt, signal, now);
      if (server != null) {
        if (signal instanceof Signal.Success || signal instanceof Signal.Throttled) {
          answering.answered(own, now);
        }
        if (counting.scope() == Counting.Scope.UNKNOWN) {
          learnScope(attempt, signal, now);
        }
      }
      back(attempt);
      own.settled(attempt, signal, now);
      if (server != null && signal instanceof Signal.Throttled) {
        whole.abandoned(attempt, now); // one server's refusal says nothing about all of them
      } else if (server != null) {
        whole.settled(attempt, signal, now);
      }
      int servers = counting.hasAllServers() ? answering.servers() : 0;
      memory.answered(whole.ledger(), observed, servers, inFlight == 0, now);
    }

    private boolean isOfBudget(Signal.Facet facet) {
      return facet == Signal.Facet.REQUESTS || facet == Signal.Facet.EXECUTION_TIME;
    }

    private void learnAtOnce(Attempt attempt, Signal signal, long now) {
      boolean tooMany =
          signal instanceof Signal.Throttled refusal && refusal.facet() == Signal.Facet.CONCURRENCY;
      if (tooMany && server != null && lanes > 1 && runsFewOfMany()) {
        counting.scope(Counting.Scope.TOGETHER);
      }
      if (extra == null) {
        return;
      }
      if (attempt.sentAt() - extraSentAt <= 0 && now - extraSentAt <= observed.roundTrip()) {
        runningWithExtra--; // its answer was on its way when the extra one was
      }
      if (!isSame(attempt, extra)) {
        return;
      }
      if (signal instanceof Signal.Throttled) {
        extra = null;
      } else {
        letIn();
      }
    }

    /** Its server runs fewer than it may, all together run as many: then they are counted so. */
    private boolean runsFewOfMany() {
      double nearlyFull = NEARLY * limits.maxInFlight();
      return out + outToAny <= nearlyFull && inFlight > nearlyFull;
    }

    private void learnScope(Attempt attempt, Signal signal, long now) {
      if (throttled && lanes > 1) {
        boolean here = isSpent(own, now);
        boolean together = isSpent(whole, now);
        if (here && !together) {
          counting.scope(Counting.Scope.BY_SERVER);
        } else if (together && !here && isSame(attempt, probe)) {
          counting.scope(Counting.Scope.TOGETHER);
        }
      } else if (isSame(attempt, probe) && signal instanceof Signal.Success && isHeld(now)) {
        counting.scope(Counting.Scope.BY_SERVER);
      }
    }

    /** Whether a server that counts like these books would refuse now, however it charges. */
    private boolean isSpent(Books books, long now) {
      return books.ledger().spent(now) > NEARLY && books.ledger().ended(now) < MORE;
    }

    @Override
    public void abandoned(Attempt attempt, long now) {
      back(attempt);
      own.abandoned(attempt, now);
      if (server != null) {
        whole.abandoned(attempt, now);
      }
    }

    private void back(Attempt attempt) {
      out--;
      inFlight--;
      if (server == null) {
        outToAny--;
      }
      if (isSame(attempt, probe)) {
        probe = null;
      }
      if (isSame(attempt, extra)) {
        extra = null;
      }
    }

    @SuppressWarnings("ReferenceEquality") // two requests may look alike
    private boolean isSame(Attempt attempt, @Nullable Attempt other) {
      return attempt == other;
    }

    @Override
    public void held(long until) {
      if (throttled) {
        throttled = false;
        holder = this;
        heldUntil = until - heldUntil > 0 ? until : heldUntil;
      }
      own.policy().held(until);
    }

    @Override
    public SlowedBy slowedBy(long now) {
      return isHeld(now) && !mayPass() ? SlowedBy.HOLD : own.policy().slowedBy(now);
    }

    @Override
    public String reason(long now) {
      return isHeld(now) && !mayPass()
          ? "held for another %s: a server refused this user, and servers may count together"
              .formatted(Figures.time(heldUntil - now))
          : own.policy().reason(now);
    }

    @Override
    public LevelSearch search(long now) {
      return own.policy().search(now);
    }

    @Override
    public void reset(long now) {
      oneBudget = false; // counted together or not, this is told to the books again
      own.policy().reset(now);
    }

    @Override
    public double rate() {
      return own.policy().rate();
    }
  }
}
