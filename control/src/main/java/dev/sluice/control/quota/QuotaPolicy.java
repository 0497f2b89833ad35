package dev.sluice.control.quota;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.LevelSearch;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Spends documented limits exactly: sends while its own books say that there is room.
 *
 * <p>How many servers count the account's requests may be unknown. Where answers name their server,
 * whoever keeps the books of each one tells what can be used. Where they do not, or if a throttle
 * comes much sooner than that, what was spent by the first throttle measures the budget, which is
 * never less than one server's. Afterwards the budget is trimmed: by 1 % down at every episode of
 * throttles, and up so slowly by requests that were accepted near the limit that about one request
 * in {@value #PER_EPISODE} meets a throttle.
 *
 * <p>A service that lets requests in again before this policy's own first ones are forgotten has
 * counted what somebody spent before, such as a process that was killed. What such a throttle
 * measures is forgotten a window after the start.
 *
 * <p>It starts with as many at once as the service recommends, and goes up to what it plans by
 * doubling, at most once in the time in which a refusal would have come back.
 *
 * <p>Single-threaded, as every policy.
 */
public final class QuotaPolicy implements Policy {
  /** About so many requests for each episode of throttles. */
  private static final double PER_EPISODE = 500;

  private static final double TRIM = 0.01;
  private static final double EDGE = 0.9;
  private static final double NEAR = 0.97;

  /** After so many requests the plan is made anew. */
  private static final int REPLAN = 8;

  /** A refusal is on its way for no longer than this beyond two round trips. */
  private static final long REFUSED_WITHIN = TimeUnit.MILLISECONDS.toNanos(20);

  /** Below this no budget is expected to end. */
  private static final double HALF = 0.5;

  /**
   * Services suspend a user who was refused 10 times in a minute and more than 10 % of the time.
   */
  private static final int FEW = 8;

  private static final double FEW_OF_MANY = 0.08;
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  /** What a service says of times is right to within this. */
  private static final long INEXACT = TimeUnit.SECONDS.toNanos(3);

  /** So many servers an account has at most where nobody knows. */
  private static final int MOST = 8;

  private final QuotaOptions options;
  private final Observed observed;
  private final Ledger ledger;
  private final IdentityHashMap<Attempt, Double> inFlightAtStart = new IdentityHashMap<>();
  private final LatencyModel latency = new LatencyModel();
  private final Plan plan;
  private final long since;
  private double servers; // whose budgets can be used up; NaN until known
  private double share = 1; // of them, that is used
  private boolean measured; // by a throttle
  private boolean doubted; // what was spent before counted, too
  private double highest;
  private double proven;
  private long trimmedAt;
  private boolean trimmed;
  private double planned; // how many at once
  private int levelWhenThrottled; // 0 if it was not
  private OptionalLong lastIncrease = OptionalLong.empty();
  private int sincePlanned = REPLAN; // the first request tells what it is part of
  private final Deque<Long> unconfirmed = new ArrayDeque<>(); // when they were sent
  private final SpendWindow recent;
  private long lookedAt;
  private int mostOut; // until refusals could be back
  private long lastStart;
  private long lastFraction;

  /** A policy for an account that has spent nothing until {@code now}. */
  public QuotaPolicy(QuotaOptions options, Observed observed, long now) {
    this.options = options;
    this.observed = observed;
    this.since = now;
    this.recent = new SpendWindow(MINUTE, now);
    this.lastStart = now - options.window().toNanos();
    this.ledger = new Ledger(options, observed, now);
    this.plan = new Plan(options, latency, observed, now);
    reset(now);
  }

  /** {@inheritDoc} What throttles taught it of budgets is forgotten; what was spent is not. */
  @Override
  public void reset(long now) {
    servers = options.servers().isPresent() ? options.servers().getAsInt() : Double.NaN;
    share = 1;
    measured = false;
    doubted = false;
    trimmed = false;
    levelWhenThrottled = 0;
    proven = options.maxInFlight();
    lookedAt = now - options.window().toNanos();
    plan(now);
  }

  /**
   * Begins where an earlier user of this account ended. Called before anything is sent.
   *
   * @param share of what was spent that counts here
   */
  public void remember(QuotaProfile earlier, double share, long now) {
    latency.remember(earlier.costs());
    if (earlier.servers() > 0) {
      usable(earlier.servers());
    }
    double servers = options.servers().orElse(earlier.servers() > 0 ? earlier.servers() : MOST);
    ledger.remember(earlier.spent(), share, servers, now);
    plan(now);
  }

  /** What whoever uses this account next should know, but for the network and the servers. */
  public QuotaProfile learned(long now) {
    return new QuotaProfile(Duration.ZERO, 0, latency.costs(), ledger.spent(now));
  }

  /** All servers count together: there is one budget. */
  public void countedTogether() {
    servers = 1;
    share = 1;
    measured = false;
    doubted = false;
  }

  /**
   * So many budgets can be used up until the fullest server refuses. This is not heeded once a
   * throttle came much sooner: servers count together, or somebody else spends the same budgets.
   * Nor is it where the number of servers was declared.
   */
  public void usable(double budgets) {
    if (!measured && options.servers().isEmpty()) {
      servers = budgets;
    }
  }

  private boolean isUnknown() {
    return Double.isNaN(servers);
  }

  private double budgets() {
    return servers * share;
  }

  @Override
  public int level(long now) {
    return (int) Math.ceil(planned);
  }

  @Override
  public long notBefore(long now) {
    if (doubted && now - since > options.window().toNanos()) {
      doubted = false;
      measured = false;
      share = 1;
      servers = Double.NaN;
    }
    long start = Math.max(now, rampsUpAt(now));
    if (isUnknown()) {
      return start;
    }
    double budgets = budgets();
    if (!ledger.hasRoom(budgets, now)) {
      return ledger.mayDoubtMemory(budgets, now)
          ? Math.max(start, lastStart + refusedWithin())
          : ledger.roomAt(budgets, now);
    }
    if (latency.isKnown() && ledger.inFlight() >= (int) planned) {
      double each = latency.at(planned) + observed.roundTrip();
      double fraction = Math.max(0.001, planned - (int) planned);
      return Math.max(start, lastFraction + (long) (each / fraction));
    }
    // Where the budget is a guess, one at a time near its end: an episode costs one request.
    return options.servers().isEmpty()
            && ledger.inFlight() > 0
            && ledger.level(now) > NEAR * budgets
        ? Math.max(
            start, lastStart + (long) Math.min(1.2 * observed.roundTrip(), plan.spacing(budgets)))
        : start;
  }

  /**
   * When one more may be out by what is known of those before it: at most twice as many each time
   * that a refusal could be back; and once half of a budget is spent, so that it could end, only so
   * many whose refusal could be on its way that these refusals cannot suspend the user.
   */
  public long rampsUpAt(long now) {
    if (ledger.level(now) < HALF) {
      return now - lookedAt >= refusedWithin() || ledger.inFlight() < mostOut
          ? Long.MIN_VALUE
          : lookedAt + refusedWithin();
    }
    return fewUnconfirmedAt(now);
  }

  /** When so few refusals can be on their way that they cannot suspend the user. */
  public long fewUnconfirmedAt(long now) {
    forget(now);
    return unconfirmed.size() < Math.max(FEW, FEW_OF_MANY * recent.sum(now))
        ? Long.MIN_VALUE
        : unconfirmed.element() + refusedWithin();
  }

  private void forget(long now) {
    while (!unconfirmed.isEmpty() && now - unconfirmed.element() >= refusedWithin()) {
      unconfirmed.remove();
    }
  }

  /** As many as the service recommends, or one server can bear if there are no more. */
  public int firstAtOnce() {
    double bearable = servers * options.executionTime().toNanos() / options.window().toNanos();
    int degree = observed.degree();
    return Math.max(1, isUnknown() ? degree : (int) Math.min(degree, Math.ceil(bearable)));
  }

  /** How long a refusal may take to come back. */
  public long refusedWithin() {
    return 2 * observed.roundTrip() + REFUSED_WITHIN;
  }

  @Override
  public void started(Attempt attempt, long now) {
    if (now - lookedAt >= refusedWithin()) {
      lookedAt = now;
      mostOut = Math.max(2 * ledger.inFlight(), firstAtOnce());
    }
    forget(now);
    unconfirmed.add(now);
    recent.add(1, now, now);
    ledger.started(now);
    inFlightAtStart.put(attempt, (double) ledger.inFlight());
    lastStart = now;
    if (ledger.inFlight() > (int) planned) {
      lastFraction = now;
    }
    highest = Math.max(highest, ledger.level(now));
    plan.started(attempt.work());
    if (++sincePlanned >= REPLAN) {
      sincePlanned = 0;
      plan(now);
    }
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    int inFlight = ledger.inFlight();
    double before = Objects.requireNonNullElse(inFlightAtStart.remove(attempt), (double) inFlight);
    if (signal instanceof Signal.Throttled throttled) {
      throttled(attempt, throttled, now);
      plan(now);
      return;
    }
    if (signal instanceof Signal.Transient failure
        && failure.kind() == Signal.Transient.Kind.NOT_SENT) {
      ledger.undone(attempt.sentAt(), now); // the service has seen nothing of it
      return;
    }
    long took =
        signal instanceof Signal.Success success
            ? success.durationSince(attempt.sentAt(), now)
            : now - attempt.sentAt();
    long service = Math.max(0, took - observed.roundTrip());
    ledger.ended(service, took - service, now);
    if (signal instanceof Signal.Success) {
      latency.answered(attempt.work().operation(), before, (double) service);
      plan.done();
      grow(inFlight, now);
    }
  }

  /**
   * Books a request that was sent some other way and has succeeded, but counts here.
   *
   * @param took nanoseconds until its answer came
   * @param inFlight how many were probably running here when it was sent, itself included
   */
  public void booked(long took, double inFlight, long now) {
    long service = Math.max(0, took - observed.roundTrip());
    ledger.booked(service, now);
    latency.answered(Work.UNKNOWN.operation(), inFlight, (double) service);
    plan.done();
  }

  private void throttled(Attempt attempt, Signal.Throttled throttled, long now) {
    double committed = ledger.level(now);
    double ended = ledger.endedLevel(now);
    ledger.undone(attempt.sentAt(), now);
    boolean sameEpisode = trimmed && attempt.sentAt() - trimmedAt < 0;
    if (sameEpisode) {
      return;
    }
    trimmed = true;
    trimmedAt = now;
    levelWhenThrottled = level(now);
    if (throttled.facet() == Signal.Facet.CONCURRENCY) {
      proven = Math.max(1, proven * 0.95);
      return;
    }
    ledger.confirmMemory();
    if (isUnknown() || (!measured && options.servers().isEmpty() && committed < EDGE * budgets())) {
      servers = Math.max(1, measuredBudgets(committed, ended));
      share = 1;
      measured = true;
      doubted = isAlsoOfEarlier(throttled, now) || ledger.remembered(now) > 0;
    } else if (!doubted && !isAlsoOfEarlier(throttled, now)) {
      share *= 1 - TRIM;
    }
  }

  /** Whether room returns before anything that was spent here is forgotten. */
  private boolean isAlsoOfEarlier(Signal.Throttled throttled, long now) {
    long ownReturns = since + options.window().toNanos();
    return throttled
        .retryAfter()
        .filter(wait -> ownReturns - now - INEXACT > wait.toNanos())
        .isPresent();
  }

  /**
   * How many budgets there are if a throttle came when so much was spent: a whole number if either
   * way of counting is near one, otherwise something between the two.
   */
  private static double measuredBudgets(double committed, double ended) {
    if (isWhole(committed)) {
      return Math.rint(committed);
    }
    return isWhole(ended) ? Math.rint(ended) : (committed + ended) / 2;
  }

  private static boolean isWhole(double number) {
    double near = Math.max(1, Math.rint(number));
    return Math.abs(number - near) < 0.04 * near;
  }

  private void grow(int inFlight, long now) {
    if (inFlight >= level(now) - 1) {
      double known = isUnknown() ? 1 : Math.max(1, budgets());
      proven = Math.min(options.maxInFlight() * known, proven + 1.0 / Math.max(1, proven));
    }
    if (ledger.level(now) > EDGE * budgets()) { // never while it is unknown
      share *= 1 + TRIM / PER_EPISODE;
      share = measured ? share : Math.min(1, share);
    }
  }

  private void plan(long now) {
    double slots = Math.min(proven, options.maxInFlight());
    double wanted =
        isUnknown()
            ? plan.inFlightUnknown(highest, slots, now)
            : plan.inFlight(budgets(), ledger.level(now), slots, now);
    int before = level(now);
    planned = Math.clamp(wanted, 1, slots);
    if (before > 0 && level(now) > before) {
      lastIncrease = OptionalLong.of(now);
    }
  }

  /** {@inheritDoc} What was planned when a throttle came is its last known good. */
  @Override
  public LevelSearch search(long now) {
    boolean throttled = levelWhenThrottled > 0;
    return new LevelSearch(
        options.maxInFlight(),
        throttled ? levelWhenThrottled : level(now),
        throttled && now - trimmedAt > options.window().toNanos(),
        OptionalLong.empty(),
        lastIncrease);
  }

  @Override
  public SlowedBy slowedBy(long now) {
    return isUnknown() ? SlowedBy.START : SlowedBy.DECLARED_LIMIT;
  }

  @Override
  public String reason(long now) {
    if (isUnknown()) {
      return "%d at once: the limit is unknown until all servers have answered or one of them throttles"
          .formatted(level(now));
    }
    double budgets = budgets();
    return ledger.hasRoom(budgets, now)
        ? "%d at once: %s".formatted(level(now), ledger.limit(budgets, now))
        : "waits %s, because %s"
            .formatted(Figures.time(ledger.roomAt(budgets, now) - now), ledger.spent(budgets, now));
  }

  /** How many servers' budgets are used up now. */
  public double spent(long now) {
    return ledger.level(now);
  }

  /** The same without what is running. */
  public double ended(long now) {
    return ledger.endedLevel(now);
  }

  @Override
  public void abandoned(Attempt attempt, long now) {
    inFlightAtStart.remove(attempt);
    ledger.undone(attempt.sentAt(), now);
  }
}
