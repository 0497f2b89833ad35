package dev.sluice.control.learning;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rate of a provider that says nothing about its limits.
 *
 * <p>It starts slowly and doubles its rate every round trip until the first refusal. What was
 * granted until then gives the rate ({@link Harvest}), and from there it is raised in small steps
 * and lowered in small steps ({@link Ladder}). All refusals of requests that were sent before the
 * first of them came back are one episode and one decision. After a refusal without a told wait,
 * single requests find out when the provider is open again. How many are in flight follows from the
 * rate, within what the {@link Governor} allows. No error ever makes it faster.
 *
 * <p>Single-threaded, as every policy.
 */
public final class LearnedPolicy implements Policy {
  private static final double COLD_RATE = 1;
  private static final double SLOWEST = 1 / 300.0;
  private static final double FASTEST = 1_000;
  private static final int MOST_SLOTS = 128;

  /** Of what was granted, a little is left: at the very quota, every hiccup is a refusal. */
  private static final double SHARE = 0.99;

  /** What a refusal leaves while nothing was ever measured. */
  private static final double BLIND_SHARE = 0.7;

  // Successes before more is tried: of what is proven, of what is on trial, of what is searched.
  private static final int CLEAN = 100;
  private static final int TRIAL = 50;
  private static final int SEARCH = 20;

  /** Steps are apart by this, and by a closure: sooner, a window would not have felt the last. */
  private static final double LEAST_REST = 15e9;

  /** A first step that fails costs an outage; so it waits for this many, of 5 s at most. */
  private static final double COST = 20;

  /** How fast closures are forgotten that were longer than the latest. */
  private static final double FADE = 0.7;

  private static final long SECOND = 1_000_000_000L;
  private static final Duration LONGEST_WAIT = Duration.ofDays(7);

  /** A wake-up may be late by this without loss of rate. */
  private static final long LATE = 5_000_000L;

  private final Harvest harvest;
  private final Governor governor = new Governor();
  private final Latency latency = new Latency();
  private final Closure closure = new Closure();
  private final Ladder rate;

  private boolean starting;
  private boolean measured; // whether what is granted was ever measured
  private long grownAt;
  private long steppedAt;
  private long nextAt;
  private long startedAt;
  private long nextBefore; // what nextAt was before that
  private int inFlight;
  private double paced = 1; // the share of the latest starts that waited for the pace
  private int clean; // successes since the last step or refusal
  private boolean decided;
  private long decidedAt;
  private int refusals = 1; // in the latest episode
  private long openedAt;
  private double lasting; // how long it stays closed once exhausted, as far as seen lately
  private double outage; // how long nothing could be sent the last time

  /** A policy that knows nothing, or what an earlier run has learned. */
  public LearnedPolicy(@Nullable Profile profile, long now) {
    this.harvest = new Harvest(now);
    this.starting = profile == null;
    this.measured = profile != null;
    this.rate = new Ladder(SLOWEST, FASTEST, profile == null ? COLD_RATE : profile.rate());
    this.lasting = profile == null ? 0 : profile.closure().toSeconds() * 1e9;
    this.nextAt = now + (profile == null ? interval() : 0);
    this.nextBefore = nextAt;
    this.startedAt = now;
    this.grownAt = now;
    this.steppedAt = now;
    this.openedAt = now;
  }

  @Override
  public int level(long now) {
    return closure.isOn() ? 1 : Math.min(wanted(), governor.slots(now));
  }

  /** As many as the rate needs by Little's law, and some: more would only lengthen a queue. */
  private int wanted() {
    double needed = 1.5 * rate.value() * latency.reasonable() / 1e9 + 2;
    return starting ? MOST_SLOTS : (int) Math.min(needed + 1, MOST_SLOTS);
  }

  @Override
  public long notBefore(long now) {
    return Math.max(
        Math.max(nextAt, closure.isOn() ? closure.probeAt() : now), governor.notBefore(now));
  }

  @Override
  public double rate() {
    return rate.value();
  }

  @Override
  public void started(Attempt attempt, long now) {
    long late = now - nextAt;
    long idle = Math.min(late, now - openedAt);
    if (inFlight == 0 && !closure.isOn() && idle > SECOND) {
      harvest.idle(idle, now);
    }
    inFlight++;
    governor.sent(now);
    paced += 0.1 * ((late > LATE ? 0 : 1) - paced);
    startedAt = now;
    nextBefore = nextAt;
    nextAt = Math.max(nextAt, now - Math.min(LATE, interval() / 2)) + interval();
  }

  @Override
  public void abandoned(Attempt attempt, long now) {
    inFlight--;
    governor.unsent(now);
    if (attempt.sentAt() == startedAt) { // otherwise its place has passed
      nextAt = nextBefore;
    }
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    inFlight--;
    switch (signal) {
      case Signal.Success success ->
          granted(attempt.sentAt(), success.durationSince(attempt.sentAt(), now), now);
      case Signal.Throttled throttled ->
          refused(attempt.sentAt(), throttled.retryAfter().map(LearnedPolicy::cut).orElse(0L), now);
      case Signal.Transient failure -> {
        if (failure.kind() == Signal.Transient.Kind.UNAVAILABLE) {
          refused(attempt.sentAt(), 0, now); // some say so when exhausted
        }
      }
      default -> {}
    }
  }

  private static long cut(Duration wait) {
    return (wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait).toNanos();
  }

  private void granted(long sentAt, long took, long now) {
    latency.answered(took, now);
    if (closure.isAnsweredBy(sentAt)) {
      reopen(closure.from(), closure.end(sentAt), sentAt - closure.from());
    }
    harvest.granted(sentAt, now);
    clean++;
    if (starting) {
      grow(took, now);
    } else {
      tryMore(now);
    }
  }

  /** At the start: twice as fast every round trip, until that only makes answers slower. */
  private void grow(long took, long now) {
    if (latency.isSlow()) {
      starting = false;
      rate.set(Math.min(rate.value(), (inFlight + 1) * 1e9 / latency.smoothed()));
    } else if (now - grownAt >= took) {
      grownAt = now;
      // Slots may be what holds it back: then a higher rate would mean nothing.
      double held = 2e9 * level(now) / Math.max(1, took);
      rate.set(Math.max(rate.value(), Math.min(2 * rate.value(), held)));
    }
  }

  /** What went well for a while is proven, if it was used; only then is more tried. */
  private void tryMore(long now) {
    int needed = CLEAN * rate.patience() * refusals;
    double rest = Math.max(LEAST_REST, lasting);
    if (rate.isSearching()) {
      needed = SEARCH;
    } else if (rate.isTrying()) {
      needed = TRIAL;
    } else {
      rest = rate.patience() * Math.max(rest, COST * Math.min(outage, 5e9));
    }
    if (clean >= needed && now - steppedAt >= rest && paced > 0.5 && !latency.isSlow()) {
      clean = 0;
      steppedAt = now;
      rate.rise();
    }
  }

  private void refused(long sentAt, long told, long now) {
    governor.refused(now);
    clean = 0;
    if (closure.isAnsweredBy(sentAt)) {
      closure.lasts(told, now);
    } else if (decided && sentAt - decidedAt <= 0) {
      refusals++; // the same episode
    } else {
      decided = true;
      decidedAt = now;
      refusals = 1;
      if (told == 0) {
        closure.begin(now);
      } else {
        reopen(now, now + told, told);
      }
    }
  }

  /** A closure is over, or it is known when it will be: the one decision of its episode. */
  private void reopen(long from, long until, long lost) {
    double granted = harvest.closed(from, until);
    double right =
        Double.isNaN(granted) ? (measured ? 1 : BLIND_SHARE) * rate.value() : SHARE * granted;
    if (!Double.isNaN(granted) && !measured) {
      rate.search(Math.min(rate.value(), right));
      measured = true;
    } else if (rate.isTrying() && !Harvest.isLong(until - from)) {
      rate.retreat();
    } else {
      rate.fall(right);
    }
    starting = false;
    openedAt = until;
    steppedAt = until;
    lasting = Math.max(FADE * lasting, (double) (until - from));
    outage = lost;
  }

  private long interval() {
    return (long) (1e9 / rate.value());
  }

  /** What the next run may start with; null if nothing was learned yet. */
  public @Nullable Profile profile() {
    return starting && rate.proven() == COLD_RATE
        ? null
        : new Profile(rate.proven(), Duration.ofSeconds((long) (lasting / 1e9)));
  }
}
