package dev.sluice.control.pacing;

import dev.sluice.control.signal.Signal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rate that a provider sustains, from below: additive increase on success, multiplicative
 * decrease on pressure, and an error never shortens the delay, however fast it came.
 *
 * <ul>
 *   <li><b>Start.</b> The first request waits one interval of the cold-start rate, counted from the
 *       first question; with a fresh {@link WarmStart} it goes at once, at the proven rate, and the
 *       burst counts as spent.
 *   <li><b>Success</b> adds {@code increase} per second of sustained success: the time since the
 *       previous success or decrease, at most 1 s for one success, never more than doubling the
 *       rate, and only if the pace was used, that is, if the last two sends lie at most two
 *       intervals apart, and the pace, not a lack of slots, held the next one back. Idle time, and
 *       answers to requests sent at or before the last decrease, earn nothing.
 *   <li><b>Throttle</b> multiplies by {@code throttleFactor}, once per episode: it ends with the
 *       first success of a request sent after the decrease, and one that answers a request sent
 *       before is counted and changes nothing. So does a service that is unavailable (503).
 *   <li><b>Slow-down</b> multiplies by {@code slowDownFactor}, at most once a window, judged by the
 *       latency of successes alone: an error may come fast or late for reasons of its own. While
 *       answers are slow the rate does not rise.
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
  private static final long MOST_PAID_AT_ONCE = 1_000_000_000;
  private static final double NOT_PROVEN = 0;

  private final PacerOptions options;
  private final LatencyWatch latency;
  private final QuotaCeiling quota;

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

  private double provenRate = NOT_PROVEN;
  private long provenAt;

  private long throttles;
  private long episodes;
  private long slowDowns;

  /** A pacer that knows nothing yet. */
  public AdaptivePacer(PacerOptions options, long now) {
    this(options, null, now);
  }

  /**
   * A pacer that starts with what was proven before; one that is too old to be trusted (see {@link
   * PacerOptions#warmStartMaxAge}) counts as none.
   */
  public AdaptivePacer(PacerOptions options, @Nullable WarmStart warmStart, long now) {
    this.options = options;
    this.latency =
        new LatencyWatch(
            options.slowDownWindow(),
            options.slowDownRatio(),
            options.slowDownMemory().toNanos(),
            now);
    this.quota = new QuotaCeiling(now);
    if (warmStart != null && warmStart.isFresh(now, options.warmStartMaxAge().toNanos())) {
      this.rate = options.within(warmStart.rate());
      this.asked = true; // so nobody waits for the first interval
    } else {
      this.rate = options.within(options.coldStart());
    }
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
    long allowed = Gcra.earliest(theoreticalArrival, now, tolerance());
    double ceiling = quota.at(now);
    // Also where it lies above the rate: a burst must not go past it.
    return knownSends > 0 && ceiling < Double.POSITIVE_INFINITY
        ? later(allowed, lastSend + Gcra.interval(ceiling))
        : allowed;
  }

  /** A request is sent. */
  public void sent(long now) {
    asked = true;
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
    quota.heard(signal, now);
    switch (signal) {
      case Signal.Success success -> succeeded(success, sentAt, full && hasPlacePassed(now), now);
      case Signal.Throttled throttled -> {
        throttles++;
        pressed(sentAt, now);
      }
      case Signal.Transient failure when failure.kind() == Signal.Transient.Kind.UNAVAILABLE ->
          pressed(sentAt, now);
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

  /** Nanoseconds between requests at that rate. */
  public long interval() {
    return interval;
  }

  /** The theoretical arrival time of the next request, for storing. */
  public long theoreticalArrival() {
    return theoreticalArrival;
  }

  /**
   * The last rate at which a success was seen since the last decrease while the pace was used, and
   * when; empty if there is none. What was stored before then still stands.
   */
  public Optional<WarmStart> proven() {
    return provenRate == NOT_PROVEN
        ? Optional.empty()
        : Optional.of(new WarmStart(provenRate, provenAt));
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
    latency.record(success.durationSince(sentAt, now), now);
    if (answersBeforeLastDecrease(sentAt)) {
      return;
    }
    pressed = false;
    boolean watched = options.slowDownFactor() < 1;
    if (watched && latency.isSlowDownDue()) {
      latency.slowedDown();
      slowDowns++;
      decrease(options.slowDownFactor(), now);
    } else if (isPaceUsed() && !crowded && !(watched && latency.isSlow())) {
      provenRate = rate;
      provenAt = now;
      long sustained = Math.clamp(now - paidUntil, 0, MOST_PAID_AT_ONCE);
      increase(options.increase() * sustained / NANOS_PER_SECOND, now);
    }
    paidUntil = now;
  }

  private void pressed(long sentAt, long now) {
    if (!pressed && !answersBeforeLastDecrease(sentAt)) {
      pressed = true;
      episodes++;
      decrease(options.throttleFactor(), now);
    }
  }

  private boolean answersBeforeLastDecrease(long sentAt) {
    return decreased && sentAt - decreasedAt <= 0;
  }

  private boolean isPaceUsed() {
    return knownSends == 2 && lastSend - sendBefore <= 2 * interval;
  }

  private void increase(double step, long now) {
    double wanted = options.within(Math.min(rate + step, 2 * rate));
    // A quota's ceiling keeps the rate from rising past it; it does not lower what was learned.
    changeTo(Math.min(wanted, Math.max(rate, quota.at(now))), now);
  }

  private void decrease(double factor, long now) {
    changeTo(options.within(rate * factor), now);
    decreased = true;
    decreasedAt = now;
    paidUntil = now;
    provenRate = NOT_PROVEN;
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
