package dev.sluice.control.pacing;

import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.Signal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rate that a provider sustains, from below: an increase in proportion on success, a
 * decrease in proportion on pressure, and an error never shortens the delay, however fast it came.
 *
 * <ul>
 *   <li><b>Start.</b> The first request waits one interval of the cold-start rate, counted from the
 *       first question; with a {@link WarmStart} it goes at once, at a rate between the proven and
 *       the cold-start one, the nearer to the latter the older it is, and the burst counts as
 *       spent.
 *   <li><b>Success</b> raises the rate by the share {@code increase} per second of sustained
 *       success, and by a tenth of that where the last pressure came: between 0.9 and 1.1 times
 *       that rate. Sustained is the time since the previous success or decrease, at most 1 s or one
 *       interval for one success, which never more than doubles the rate, and only if the pace was
 *       used, that is, if the last two sends lie at most two intervals apart, and the pace, not a
 *       lack of slots, held the next one back. Idle time, and answers to requests sent at or before
 *       the last decrease, earn nothing.
 *   <li><b>Throttle, or an unavailable service (503, 509, 529)</b> multiplies by {@code
 *       throttleFactor}, once per episode: it ends with the first success of a request sent after
 *       the decrease, and one that answers a request sent before is counted and changes nothing.
 *   <li><b>Slow-down</b> multiplies by {@code slowDownFactor}, at most once a window and not below
 *       half of the proven rate, judged by the latency of successes alone: an error may come fast
 *       or late for reasons of its own. While answers are slow the rate does not rise.
 *   <li><b>Quota hints</b> put a ceiling over the pace or a time before it; they never raise it.
 *   <li>A wait told by the provider is no rate: the lane holds, and nothing is stored here.
 * </ul>
 *
 * <p>It paces by {@link Gcra} with an interval that changes. When the rate changes, the theoretical
 * arrival time moves with it, so a time that was promised to a waiter is moved when the pace drops:
 * ask again before sending. In any span at most {@code floor(span / I) + burst} requests pass, with
 * I the smallest interval in force during it.
 *
 * <p>Single-threaded; settling allocates nothing. Times are monotonic nanoseconds whose origin may
 * be negative; rates are permits per second.
 */
public final class AdaptivePacer {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long SECOND = 1_000_000_000;
  private static final double NONE = 0;

  /** Within these shares of the rate at which pressure came, the rate rises a tenth as fast. */
  private static final double NEAR = 0.9;

  private static final double PAST = 1.1;
  private static final double CAREFULLY = 0.1;

  /** Slow answers never lower the rate below this share of the proven one. */
  private static final double SLOWEST = 0.5;

  /** A proven rate falls to the rate in use within about this time of success. */
  private static final double PROVEN_FOR = 600 * NANOS_PER_SECOND;

  private final PacerOptions options;
  private final LatencyWatch latency;
  private final QuotaCeiling quota = new QuotaCeiling();

  private double rate;
  private long interval;
  private long theoreticalArrival;
  private boolean asked;

  private int knownSends; // how many of the last two sends are known: 0, 1 or 2
  private long lastSend;
  private long sendBefore;

  private boolean decreased;
  private long decreasedAt;
  private boolean pressed; // by throttles, and no later request has succeeded since
  private long paidUntil; // success up to here has been turned into rate, or never will be

  private double pressedAt = NONE; // the rate at which pressure last came
  private double provenRate = NONE;
  private long provenAt;

  private long throttles;
  private long episodes;
  private long slowDowns;

  /** A pacer that knows nothing yet. */
  public AdaptivePacer(PacerOptions options, long now) {
    this(options, null, now);
  }

  /**
   * A pacer that starts with what was proven before, the nearer to the cold-start rate the older
   * that is (see {@link PacerOptions#warmStartMaxAge}); null for nothing.
   */
  public AdaptivePacer(PacerOptions options, @Nullable WarmStart warmStart, long now) {
    this.options = options;
    this.latency =
        new LatencyWatch(
            options.slowDownWindow(),
            options.slowDownRatio(),
            options.slowDownMemory().toNanos(),
            now);
    double trust =
        warmStart == null ? 0 : warmStart.trust(now, options.warmStartMaxAge().toNanos());
    double known = warmStart == null ? 0 : warmStart.rate();
    this.rate = options.within(trust * known + (1 - trust) * options.coldStart());
    this.asked = trust > 0; // so nobody waits for the first interval
    this.interval = Gcra.interval(rate);
    this.theoreticalArrival = now + tolerance();
    this.paidUntil = now;
  }

  /** The earliest time at which the next request may be sent, {@code now} or later. */
  public long earliest(long now) {
    if (!asked) {
      asked = true;
      theoreticalArrival = now + interval + tolerance();
    }
    return later(Gcra.earliest(theoreticalArrival, now, tolerance()), quota.notBefore(now));
  }

  /** A request is sent. */
  public void sent(long now) {
    asked = true;
    quota.started(now);
    if (knownSends == 0 || now - lastSend > 2 * interval) {
      paidUntil = now;
    }
    theoreticalArrival = Gcra.next(theoreticalArrival, now, interval);
    sendBefore = lastSend;
    lastSend = now;
    knownSends = Math.min(knownSends + 1, 2);
  }

  /**
   * The request of {@code sentAt} was never sent: its place is given back, one interval off the
   * theoretical arrival time.
   *
   * <p>Only the latest place can be: once another request has been sent after it, a place lies in
   * the past, and giving it back would let two requests go closer together than the pace allows.
   */
  public void unsent(long sentAt) {
    quota.abandoned(sentAt);
    if (knownSends > 0 && sentAt == lastSend) {
      theoreticalArrival -= interval;
      lastSend = sendBefore;
      knownSends--;
    }
  }

  /** What came back for the request of {@code sentAt}, where slots are never short. */
  public void settled(long sentAt, Signal signal, long now) {
    settled(sentAt, signal, false, now);
  }

  /**
   * What came back for the request of {@code sentAt}.
   *
   * @param full whether every slot was taken until now. If the pace would have let another request
   *     go in that time, the rate was not used in full, and a success proves nothing about it
   */
  public void settled(long sentAt, Signal signal, boolean full, long now) {
    quota.settled(sentAt, signal, now);
    switch (signal) {
      case Signal.Success success -> succeeded(success, sentAt, full && hasPlacePassed(now), now);
      case Signal.Throttled throttled -> {
        throttles++;
        if (pressed(sentAt, now)) {
          provenRate = Math.min(provenRate, rate);
        }
      }
      case Signal.Transient failure when failure.kind() == Signal.Transient.Kind.UNAVAILABLE -> {
        boolean unused = pressed(sentAt, now);
      }
      // Not a word about the rate in these; they must not make it faster, so they leave it.
      case Signal.Answered answered -> {}
      case Signal.Transient failure -> {}
      case Signal.Rejected rejected -> {}
      case Signal.Stopped stopped -> {}
      case Signal.Cancelled cancelled -> {}
    }
  }

  /** The rate that was found so far. */
  public double rate() {
    return rate;
  }

  /** What makes it slower than it could be. */
  public SlowedBy slowedBy(long now) {
    if (quota.rate() < rate) {
      return SlowedBy.TOLD_LIMIT;
    }
    if (options.slowDownFactor() < 1 && latency.isSlow()) {
      return SlowedBy.SLOW_ANSWERS;
    }
    if (rate >= options.ceiling().orElse(Double.POSITIVE_INFINITY)) {
      return SlowedBy.DECLARED_LIMIT;
    }
    return pressedAt == NONE ? SlowedBy.START : SlowedBy.REFUSALS;
  }

  /** The same in one sentence, with figures. */
  public String reason(long now) {
    String shown = Figures.rate(rate);
    return switch (slowedBy(now)) {
      case TOLD_LIMIT -> quota.reason();
      case SLOW_ANSWERS -> shown + ": " + latency.reason();
      case DECLARED_LIMIT -> shown + ": that is the declared ceiling";
      case REFUSALS ->
          "%s: pressure came at %s; it rises while requests succeed"
              .formatted(shown, Figures.rate(pressedAt));
      default -> shown + ": no limit was met yet; it rises while requests succeed";
    };
  }

  /** Nanoseconds between requests at that rate. */
  public long interval() {
    return interval;
  }

  /** The theoretical arrival time of the next request, for storing. */
  public long theoreticalArrival() {
    return theoreticalArrival;
  }

  /**
   * The highest rate of the last minutes at which successes were seen while the pace was used, and
   * when; empty if there is none. A throttle lowers it with the rate; slow answers and a service
   * that is unavailable do not.
   */
  public Optional<WarmStart> proven() {
    return provenRate == NONE ? Optional.empty() : Optional.of(new WarmStart(provenRate, provenAt));
  }

  /** How many throttles were seen. */
  public long throttles() {
    return throttles;
  }

  /** How many episodes of throttles, or of being unavailable, lowered the rate. */
  public long episodes() {
    return episodes;
  }

  /** How many slow-downs lowered the rate. */
  public long slowDowns() {
    return slowDowns;
  }

  /** Whether the next request could have been sent before {@code now}. */
  private boolean hasPlacePassed(long now) {
    return Gcra.conforms(theoreticalArrival, now - 1, tolerance());
  }

  private void succeeded(Signal.Success success, long sentAt, boolean crowded, long now) {
    latency.record(success.durationSince(sentAt, now), sentAt, now);
    if (answersBeforeLastDecrease(sentAt)) {
      return;
    }
    pressed = false;
    boolean watched = options.slowDownFactor() < 1;
    if (watched && latency.isSlowDownDue()) {
      latency.slowedDown();
      slowDowns++;
      double least = Math.min(rate, SLOWEST * provenRate);
      decreaseTo(Math.max(least, rate * options.slowDownFactor()), now);
    } else if (isPaceUsed() && !crowded && !(watched && latency.isSlow())) {
      long sustained = Math.clamp(now - paidUntil, 0, Math.max(SECOND, interval));
      double forgotten = Math.min(1, sustained / PROVEN_FOR);
      provenRate = Math.max(rate, provenRate + forgotten * (rate - provenRate));
      provenAt = now;
      increase(sustained / NANOS_PER_SECOND, now);
    }
    paidUntil = now;
  }

  private boolean pressed(long sentAt, long now) {
    if (pressed || answersBeforeLastDecrease(sentAt)) {
      return false;
    }
    pressed = true;
    episodes++;
    decreaseTo(rate * options.throttleFactor(), now);
    return true;
  }

  private boolean answersBeforeLastDecrease(long sentAt) {
    return decreased && sentAt - decreasedAt <= 0;
  }

  private boolean isPaceUsed() {
    return knownSends == 2 && lastSend - sendBefore <= 2 * interval;
  }

  private void increase(double seconds, long now) {
    if (rate > PAST * pressedAt) {
      pressedAt = NONE;
    }
    boolean near = pressedAt != NONE && rate >= NEAR * pressedAt;
    double share = options.increase() * seconds * (near ? CAREFULLY : 1);
    double wanted = options.within(Math.min(rate * (1 + share), 2 * rate));
    // A quota's ceiling keeps the rate from rising past it; it does not lower what was learned.
    changeTo(Math.min(wanted, Math.max(rate, quota.rate())), now);
  }

  private void decreaseTo(double lower, long now) {
    pressedAt = rate;
    changeTo(options.within(lower), now);
    decreased = true;
    decreasedAt = now;
    paidUntil = now;
  }

  /**
   * Moves the theoretical arrival time with the rate: with a burst of 1 the next place lies one new
   * interval after the last send, whichever way the rate went.
   */
  private void changeTo(double newRate, long now) {
    long old = interval;
    rate = newRate;
    interval = Gcra.interval(newRate);
    long change = interval - old;
    long ahead = theoreticalArrival - now;
    if (change >= 0) {
      // The tolerance grows by (burst - 1) changes, so the next place moves by exactly one.
      theoreticalArrival += options.burst() * change;
    } else if (ahead <= old) {
      theoreticalArrival += change;
    } else {
      // Part of the burst is spent: the number of requests spent stays, or a faster rate would
      // hand out a second burst.
      theoreticalArrival = now + (long) Math.ceil(ahead * ((double) interval / old));
    }
  }

  private long tolerance() {
    return Gcra.tolerance(interval, options.burst());
  }

  private static long later(long one, long other) {
    return other - one > 0 ? other : one;
  }
}
