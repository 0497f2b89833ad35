package dev.sluice.control.quota;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.Signal;
import java.util.IdentityHashMap;
import java.util.Objects;

/**
 * Spends documented limits exactly: sends while its own books say that there is room.
 *
 * <p>How many servers count the account's requests may be unknown. Then it goes on until it is
 * throttled for the first time: what it had spent by then measures the budget. Afterwards the
 * budget is trimmed: by 1 % down at every episode of throttles, and up so slowly by requests that
 * were accepted near the limit that about one request in {@value #PER_EPISODE} meets a throttle.
 *
 * <p>Single-threaded, as every policy.
 */
public final class QuotaPolicy implements Policy {
  /** About so many requests for each episode of throttles. */
  private static final double PER_EPISODE = 500;

  private static final double TRIM = 0.01;
  private static final double EDGE = 0.9;
  private static final double NEAR = 0.97;

  private final QuotaOptions options;
  private final Observed observed;
  private final Ledger ledger;
  private final IdentityHashMap<Attempt, Double> inFlightAtStart = new IdentityHashMap<>();
  private final LatencyModel latency = new LatencyModel();
  private final Plan plan;
  private final double most; // budgets; infinite while the number of servers is unknown
  private double budgets; // NaN until known
  private double highest;
  private double proven;
  private long trimmedAt;
  private boolean trimmed;
  private int cap;
  private int sincePlanned;
  private long lastStart;

  /** A policy for an account that has spent nothing until {@code now}. */
  public QuotaPolicy(QuotaOptions options, Observed observed, long now) {
    this.options = options;
    this.observed = observed;
    this.ledger = new Ledger(options, now);
    this.plan = new Plan(options);
    this.most =
        options.servers().isPresent() ? options.servers().getAsInt() : Double.POSITIVE_INFINITY;
    this.budgets = options.servers().isPresent() ? most : Double.NaN;
    this.proven = options.maxInFlight();
    this.cap = cap(now);
  }

  @Override
  public int level(long now) {
    return cap;
  }

  @Override
  public long notBefore(long now) {
    if (Double.isNaN(budgets)) {
      return now;
    }
    if (!ledger.hasRoom(budgets, now)) {
      return ledger.roomAt(budgets, now);
    }
    // Where the budget is a guess, one at a time near its end: an episode costs one request.
    return options.servers().isEmpty()
            && ledger.inFlight() > 0
            && ledger.level(now) > NEAR * budgets
        ? lastStart + (long) Math.min(1.2 * observed.roundTrip(), plan.spacing(latency, budgets))
        : now;
  }

  @Override
  public void started(Attempt attempt, long now) {
    ledger.started(now);
    inFlightAtStart.put(attempt, (double) ledger.inFlight());
    lastStart = now;
    highest = Math.max(highest, ledger.level(now));
    attempt.work().left().ifPresentOrElse(plan::left, plan::endless);
    if (++sincePlanned >= 8) {
      sincePlanned = 0;
      cap = cap(now);
    }
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    int inFlight = ledger.inFlight();
    double before = Objects.requireNonNullElse(inFlightAtStart.remove(attempt), (double) inFlight);
    if (signal instanceof Signal.Throttled throttled) {
      throttled(attempt, throttled, now);
    } else {
      long took =
          signal instanceof Signal.Success success
              ? success.durationSince(attempt.sentAt(), now)
              : now - attempt.sentAt();
      long service = Math.max(0, took - observed.roundTrip());
      ledger.ended(service, took - service, now);
      if (signal instanceof Signal.Success) {
        latency.answered(before, (double) service);
        plan.done();
        grow(inFlight, now);
      }
    }
    if (signal instanceof Signal.Throttled) {
      cap = cap(now);
    }
  }

  /**
   * Books an answer that was sent some other way, but counts here.
   *
   * @param inFlight how many were probably running here when it was sent, itself included
   */
  public void booked(Attempt attempt, Signal signal, double inFlight, long now) {
    ledger.started(now);
    inFlightAtStart.put(attempt, inFlight);
    settled(attempt, signal, now);
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
    if (throttled.facet() == Signal.Facet.CONCURRENCY) {
      proven = Math.max(1, proven * 0.95);
    } else if (Double.isNaN(budgets)) {
      budgets = measured(Math.max(0.1, committed), Math.max(0.1, ended));
    } else {
      budgets *= 1 - TRIM;
    }
  }

  /**
   * How many budgets there are if the first throttle came when so much was spent: a whole number if
   * either way of counting is near one, otherwise something between the two.
   */
  private static double measured(double committed, double ended) {
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
    if (inFlight >= cap - 1) {
      proven = Math.min(options.maxInFlight() * servers(), proven + 1.0 / Math.max(1, proven));
    }
    if (ledger.level(now) > EDGE * budgets) { // never while it is unknown
      budgets = Math.min(most, budgets * (1 + TRIM / PER_EPISODE));
    }
  }

  private double servers() {
    return Double.isNaN(budgets) ? 1 : Math.max(1, budgets);
  }

  private int cap(long now) {
    double slots = Math.min(proven, options.maxInFlight());
    double wanted =
        Double.isNaN(budgets)
            ? plan.isEndless() ? 20 * Math.max(1, highest) : slots
            : plan.inFlight(
                latency, (double) observed.roundTrip(), budgets, ledger.level(now), slots);
    return Math.clamp(Math.round(Math.min(slots, wanted)), 1, options.maxInFlight());
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
