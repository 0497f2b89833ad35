package dev.sluice.control.learning;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how fast a provider may be asked that says nothing about its limits.
 *
 * <ul>
 *   <li><b>Start.</b> Rate and requests at once grow quickly until the first refusal.
 *   <li><b>Episode.</b> All refusals until the first success of a request that was sent after the
 *       first of them are one episode and one decision. Nothing is sent before the time that the
 *       provider told; if it told none, single requests find out when it is open again.
 *   <li><b>What limits</b> is taken for a {@link Cap} on requests at once if the provider was
 *       closed only briefly, and for a rate if that is refuted. A rate is what was granted between
 *       two {@link Exhaustions}, and is then raised in small steps ({@link Ladder}).
 *   <li><b>Slow-down.</b> While answers take notably longer than lately, the rate is lowered, to
 *       half at most ({@link Latency}).
 *   <li><b>Guard.</b> Never are more in flight than may be refused without being suspended ({@link
 *       Guard}).
 * </ul>
 *
 * Only throttles and an unavailable service (503 and its like) are refusals. No error ever makes it
 * faster. Single-threaded, as every policy.
 */
public final class LearnedPolicy implements Policy {
  /** Requests per second before anything is known, and the bounds of what can be learned. */
  private static final double COLD_RATE = 4;

  private static final double SLOWEST = 1 / 60.0;
  private static final double FASTEST = 20_000;
  private static final int MOST_SLOTS = 1_000;

  // The start: steps are a round trip apart, or this. Once there is something to lose, doubling
  // would let a quarter of all requests be refused when the limit is met.
  private static final double SHORTEST_STEP = 250e6;
  private static final double LITTLE = 64;
  private static final double GROWTH = 2;
  private static final double CAREFUL_GROWTH = 1.4;
  private static final int FIRST_SLOTS = 8;
  private static final double SLOT_GROWTH = 1.25;

  /** A refusal that is over so soon may come from a limit on requests at once. */
  private static final long BRIEF = 2_000_000_000L;

  /** A service that is closed for so long, and does not say for how long, may be maintained. */
  private static final long MAINTENANCE = 30_000_000_000L;

  /** How often, and how long after the last time, a rate is taken for a cap after all. */
  private static final int CAP_TRIALS = 3;

  private static final long CAP_TRIAL_REST = 300_000_000_000L;

  /** Of what was granted, a little is left: at the very limit, every hiccup is a refusal. */
  private static final double SHARE = 0.98;

  /** Where a profile is trusted this far, it is where a run goes on. */
  private static final double TRUSTED = 0.4;

  /** What a refusal leaves of a rate of which nothing else is known. */
  private static final double BLIND_SHARE = 0.96;

  /** The least that one episode leaves of a rate, and a slow-down. */
  private static final double HALF = 0.5;

  /** What a slow window of answers leaves of the rate. */
  private static final double SLOW_SHARE = 0.93;

  /** The first step of a rate that is only a guess. */
  private static final double SEARCH_STEP = 0.1;

  private static final long SECOND = 1_000_000_000L;
  private static final Duration LONGEST_WAIT = Duration.ofDays(7);

  /** A wake-up may be late by this without loss of rate. */
  private static final long LATE = 5_000_000L;

  /** What is known about the limit. */
  private enum Mode {
    STARTING,
    CAPPED,
    PACED
  }

  private final Guard guard = new Guard();
  private final Latency latency = new Latency();
  private final Closure closure = new Closure();
  private final Starts starts = new Starts();
  private final Cap cap = new Cap();
  private final Exhaustions exhaustions;
  private final Ladder rate;
  private final RaiseSchedule raises;

  private Mode mode;
  private double slots = 1; // while starting
  private double slowed = 1; // the share of the rate that a slow-down leaves
  private long grownAt;
  private long nextAt;
  private long startedAt;
  private long nextBefore; // what nextAt was before that
  private long openedAt;
  private int inFlight;
  private int probesOut; // of those in flight, sent since the provider closed
  private double paced = 1; // the share of the latest starts that waited for the pace
  private int mostGranted; // in flight, of those that were granted
  private int refusedAt; // in flight, when the first of the episode was sent
  private boolean isTold; // in this episode, for how long
  private boolean decided; // about the episode
  private long closedUntil; // as far as was known when that was decided
  private int capTrials;
  private long capTriedAt;

  /**
   * A policy that knows nothing, or what an earlier run has learned. A trusted rate is where it
   * goes on; of any other rate, and of a cap, half is where the search begins.
   */
  public LearnedPolicy(@Nullable Profile profile, long now) {
    this.exhaustions = new Exhaustions(now);
    this.rate = new Ladder(SLOWEST, FASTEST, COLD_RATE);
    this.raises = new RaiseSchedule(rate, now);
    this.mode = Mode.STARTING;
    this.nextAt = now;
    this.nextBefore = now;
    this.startedAt = now;
    this.grownAt = now;
    this.openedAt = now;
    this.capTriedAt = now;
    if (profile != null) {
      goOnWith(profile, now);
    }
  }

  private void goOnWith(Profile profile, long now) {
    if (profile.cap() > 0) {
      slots = Math.max(1, HALF * profile.cap());
      return;
    }
    rate.set(Math.max(COLD_RATE, HALF * profile.rate()));
    if (profile.sure() >= TRUSTED) {
      rate.set(Math.max(SLOWEST, profile.rate()));
      pace(profile.rate(), now);
      capTriedAt = now - CAP_TRIAL_REST; // what looked like a rate may have been a cap
    }
  }

  @Override
  public int level(long now) {
    return closure.isProbed()
        ? inFlight - probesOut + 1 // what was sent before it closed does not matter
        : Math.min(wanted(), guard.slots(now));
  }

  private int wanted() {
    return switch (mode) {
      case STARTING -> (int) slots;
      case CAPPED -> cap.value();
      // Twice what the rate needs by Little's law: a few late answers must not hold it back.
      case PACED -> (int) Math.min(MOST_SLOTS, 2 * rate.value() * latency.held() / 1e9 + 3);
    };
  }

  @Override
  public long notBefore(long now) {
    long pace =
        Math.max(mode == Mode.CAPPED ? now : nextAt, guard.notBefore(closure.isOn(), isTold, now));
    return closure.isOn() ? Math.max(pace, closure.probeAt()) : pace;
  }

  @Override
  public boolean probes() {
    return true;
  }

  @Override
  public double rate() {
    return mode == Mode.CAPPED ? Double.POSITIVE_INFINITY : pacedRate();
  }

  @Override
  public void started(Attempt attempt, long now) {
    long late = now - Math.max(nextAt, openedAt);
    if (late > SECOND && inFlight == 0 && !closure.isOn()) {
      exhaustions.idle(late);
    }
    if (closure.isOn() && !closure.isProbed() && !decided) {
      // By now all that was granted before it closed has been answered.
      decided = true;
      decide(closure.from(), closure.probeAt(), now);
    }
    inFlight++;
    probesOut += closure.isOn() ? 1 : 0;
    starts.add(now, inFlight);
    guard.sent(now);
    paced += 0.1 * ((now - nextAt > LATE ? 0 : 1) - paced);
    startedAt = now;
    nextBefore = nextAt;
    nextAt = Math.max(nextAt, now - Math.min(LATE, interval() / 2)) + interval();
  }

  @Override
  public void abandoned(Attempt attempt, long now) {
    ended(attempt);
    guard.unsent(now);
    if (attempt.sentAt() == startedAt) { // otherwise its place has passed
      nextAt = nextBefore;
    }
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    ended(attempt);
    long sentAt = attempt.sentAt();
    switch (signal) {
      case Signal.Success success -> succeeded(sentAt, success.durationSince(sentAt, now), now);
      case Signal.Throttled throttled ->
          refused(sentAt, throttled.retryAfter().map(LearnedPolicy::cut).orElse(0L), now);
      case Signal.Transient failure -> {
        switch (failure.kind()) {
          case UNAVAILABLE -> refused(sentAt, 0, now);
          case NOT_SENT -> {}
          default -> {
            latency.failed(now - sentAt);
            exhaustions.granted(); // the limit let it through
          }
        }
      }
      case Signal.Rejected rejected when rejected.isServed() -> served(sentAt, now);
      case Signal.Rejected rejected -> exhaustions.granted();
      case Signal.Answered answered -> exhaustions.granted();
      case Signal.Stopped stopped -> {}
      case Signal.Cancelled cancelled -> {}
    }
  }

  private void ended(Attempt attempt) {
    inFlight--;
    probesOut -= closure.isAnsweredBy(attempt.sentAt()) ? 1 : 0;
  }

  private static long cut(Duration wait) {
    return (wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait).toNanos();
  }

  private void succeeded(long sentAt, long took, long now) {
    if (latency.answered(sentAt, took, now)) {
      double share = latency.isSlow() ? SLOW_SHARE * slowed : slowed / SLOW_SHARE;
      slowed = Math.clamp(share, HALF, 1);
    }
    served(sentAt, now);
    raises.succeeded(now);
    mostGranted = Math.max(mostGranted, starts.inFlightAt(sentAt));
    switch (mode) {
      case STARTING -> grow(now);
      case CAPPED -> cap.granted(inFlight, now);
      case PACED -> tryMore(now);
    }
  }

  /** The provider is open: it has served a request. */
  private void served(long sentAt, long now) {
    if (closure.isAnsweredBy(sentAt)) {
      long from = closure.from();
      long end = closure.end(sentAt);
      if (!decided) {
        decide(from, end, now);
      }
      exhaustions.idle(Math.max(0, sentAt - closedUntil)); // our own pause, or a wrong wait
      openedAt = now;
    }
    exhaustions.granted();
  }

  /** At the start: faster every round trip, until that only makes answers slower. */
  private void grow(long now) {
    if (slots < FIRST_SLOTS) {
      slots++;
    }
    if (latency.isCrowded()) {
      become(Math.max(2, mostGranted * 2 / 3), now);
    } else if (now - grownAt >= Math.max(latency.usual(), SHORTEST_STEP)) {
      grownAt = now;
      if (slots >= FIRST_SLOTS) {
        slots = Math.min(MOST_SLOTS, slots * SLOT_GROWTH);
      }
      double next = rate.value() * (rate.value() < LITTLE ? GROWTH : CAREFUL_GROWTH);
      // Slots may be what holds it back: then a higher rate would mean nothing.
      double most = 2e9 * Math.max(FIRST_SLOTS, slots) / Math.max(1, latency.usual());
      rate.set(Math.max(rate.value(), Math.min(next, most)));
    }
  }

  /** What went well for a while is proven, if it was used; only then is more tried. */
  private void tryMore(long now) {
    if (raises.isDue(now) && paced > 0.5 && slowed == 1) {
      raises.raise(now);
    }
  }

  private void refused(long sentAt, long told, long now) {
    guard.refused(now);
    raises.refused(!closure.isOn());
    isTold = told > 0 || (closure.isOn() && isTold);
    if (closure.isRefusedAgainBy(sentAt)) {
      closure.lasts(told, now);
    } else if (closure.isOn()) {
      closure.repeated(told, now);
    } else {
      refusedAt = starts.inFlightAt(sentAt);
      probesOut = 0;
      closure.begin(told, latency.usual(), now);
      decided = false;
    }
  }

  /** It is known how long the provider is closed, or was: the one decision of the episode. */
  private void decide(long from, long until, long now) {
    closedUntil = until;
    long length = Math.max(0, until - from);
    double latest = exhaustions.sinceOpened(length, until);
    double granted = exhaustions.closed(length, until);
    if (Double.isNaN(granted) && raises.isGuess()) {
      granted = latest;
    }
    boolean brief = length <= BRIEF;
    boolean maintenance = !isTold && length > MAINTENANCE;
    switch (mode) {
      case STARTING -> {
        if (brief && refusedAt >= 2) {
          become(refusedAt - 1, now);
        } else if (maintenance && Double.isNaN(granted)) {
          rate.set(HALF * rate.value()); // the next time will tell
        } else {
          pace(exhaustions.sinceStart(until), now);
        }
      }
      case CAPPED -> {
        if (!maintenance || !cap.isBelieved()) {
          lowerCap(brief, Double.isNaN(granted) ? exhaustions.sinceStart(until) : granted, now);
        }
      }
      case PACED -> {
        if (brief
            && refusedAt >= Math.max(3, 0.8 * mostGranted)
            && capTrials < CAP_TRIALS
            && now - capTriedAt > CAP_TRIAL_REST) {
          become(refusedAt - 1, now);
        } else if (!maintenance || !Double.isNaN(granted)) {
          lowerRate(granted, brief);
        }
      }
    }
    raises.rest(now);
  }

  /** A cap that is refuted becomes a rate; one that was believed is a lower one now. */
  private void lowerCap(boolean brief, double granted, long now) {
    int lower = Math.min(cap.value(), refusedAt - 1);
    if (!brief || (refusedAt <= cap.value() && !cap.isBelieved()) || lower < 1) {
      pace(granted, now);
    } else if (!cap.refused(now)) {
      cap.set(lower, now);
    }
  }

  private void lowerRate(double granted, boolean brief) {
    raises.guessed(false);
    double value = rate.value();
    double right = Double.isNaN(granted) ? BLIND_SHARE * value : SHARE * granted;
    if (rate.isTrying()) {
      rate.fail();
      right = Double.isNaN(granted) || brief ? Math.max(right, rate.proven()) : right;
    }
    rate.set(Math.clamp(right, HALF * value, SHARE * value));
  }

  private void become(int atOnce, long now) {
    mode = Mode.CAPPED;
    raises.guessed(false);
    capTrials++;
    capTriedAt = now;
    cap.set(atOnce, now);
  }

  private void pace(double granted, long now) {
    mode = Mode.PACED;
    raises.guessed(true);
    mostGranted = 0;
    rate.set(Double.isNaN(granted) ? HALF * rate.value() : Math.min(rate.value(), SHARE * granted));
    rate.stepBy(SEARCH_STEP);
    nextAt = now + interval();
  }

  private long interval() {
    return (long) (1e9 / pacedRate());
  }

  private double pacedRate() {
    return mode == Mode.PACED ? slowed * rate.value() : rate.value();
  }

  @Override
  public SlowedBy slowedBy(long now) {
    if (closure.isOn()) {
      return SlowedBy.PROBING;
    }
    if (mode == Mode.STARTING) {
      return SlowedBy.START;
    }
    return mode == Mode.PACED && slowed < 1 ? SlowedBy.SLOW_ANSWERS : SlowedBy.REFUSALS;
  }

  @Override
  public String reason(long now) {
    long rest = guard.notBefore(closure.isOn(), isTold, now) - now;
    if (rest > 0) {
      return guard.reason(now)
          + "; the next one is sent in %s, because more could suspend the account"
              .formatted(Figures.time(rest));
    }
    return switch (slowedBy(now)) {
      case PROBING -> {
        long wait = notBefore(now) - now;
        yield "the provider refuses; one request is tried "
            + (wait > 0 ? "in " + Figures.time(wait) : "now");
      }
      case START ->
          "%s and %d at once: the limit is not known yet; it rises while requests succeed"
              .formatted(Figures.rate(rate.value()), level(now));
      case SLOW_ANSWERS -> Figures.rate(rate()) + ": " + latency.reason();
      default ->
          mode == Mode.CAPPED
              ? cap.value() + " at once: " + refusals(now)
              : Figures.rate(rate.value()) + ": " + refusals(now) + raises.next(now);
    };
  }

  private String refusals(long now) {
    return guard.refusals(now) == 0 ? "a higher limit was refused before" : guard.reason(now);
  }

  /** What the next run may start with; null if nothing was learned yet. */
  public @Nullable Profile profile() {
    return mode == Mode.STARTING
        ? null
        : new Profile(raises.proven(), mode == Mode.CAPPED ? cap.value() : 0, raises.sure());
  }
}
