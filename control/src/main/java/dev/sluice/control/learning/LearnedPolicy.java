package dev.sluice.control.learning;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.Signal;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rate of a provider that says nothing about its limits.
 *
 * <p>It starts with one request at a time and doubles its rate every round trip until the first
 * refusal. What was granted between two refusals then gives the rate. A rate that went well for a
 * while is proven, and only then is more tried, in small steps: a step that fails falls back to
 * what is proven, and the next one waits longer. All refusals of requests that were sent before the
 * first of them came back are one episode and one decision. No error ever makes it faster.
 *
 * <p>Single-threaded, as every policy.
 */
public final class LearnedPolicy implements Policy {
  private static final double COLD_RATE = 1;
  private static final double SLOWEST = 1 / 300.0;
  private static final double FASTEST = 1_000;
  private static final int MOST_SLOTS = 128;

  /** Of what was granted, a little is left. */
  private static final double SHARE = 0.98;

  private static final double FIRST_STEP = 0.02;
  private static final double LONGEST_STEP = 0.25;
  private static final int CLEAN = 30;
  private static final long FIRST_PAUSE = 5_000_000_000L;
  private static final long LONGEST_PAUSE = 900_000_000_000L;
  private static final long SHORT_CLOSURE = 2_000_000_000L;

  private final Harvest harvest;
  private final Governor governor = new Governor();
  private final Latency latency = new Latency();

  private double rate;
  private double proven; // 0 until there is one
  private double learned; // the rate that was proven last
  private boolean starting;
  private double step = FIRST_STEP;
  private double patience = 1;
  private int clean;
  private long cleanSince;
  private long nextAt;
  private long grownAt;

  private int slots;
  private int slotLimit = MOST_SLOTS;
  private int inFlight;
  private int mostGranted;
  private int slotCuts;
  private int heldBySlots;
  private int slotPatience = 4;
  private boolean slotProbe;
  private int atRefusal; // how many were in flight when the episode began
  private boolean atRecord;
  private long refusedAt;

  private long decidedAt;
  private boolean decided;
  private boolean closed; // refused without a told wait, and not granted again since
  private long closedAt;
  private long pause = FIRST_PAUSE;
  private long probeAt;
  private long openedAt;
  private double longestClosure;

  /** A policy that knows nothing, or what an earlier run has learned. */
  public LearnedPolicy(@Nullable Profile profile, long now) {
    this.harvest = new Harvest(now);
    this.rate = profile == null ? COLD_RATE : profile.rate();
    this.proven = profile == null ? 0 : profile.rate();
    this.learned = proven;
    this.starting = profile == null;
    this.slots = MOST_SLOTS;
    this.slotLimit = profile == null ? MOST_SLOTS : Math.min(profile.inFlight(), MOST_SLOTS);
    this.cleanSince = now;
    this.nextAt = profile == null ? now + interval() : now;
    this.grownAt = now;
    this.decidedAt = now;
    this.openedAt = now;
  }

  @Override
  public int level(long now) {
    return closed ? 1 : Math.min(slots, governor.slots(now));
  }

  @Override
  public long notBefore(long now) {
    return Math.max(Math.max(nextAt, closed ? probeAt : now), governor.notBefore(now));
  }

  @Override
  public double rate() {
    return rate;
  }

  @Override
  public void started(Attempt attempt, long now) {
    inFlight++;
    governor.sent(now);
    nextAt = Math.max(nextAt, now - interval() / 2) + interval();
  }

  @Override
  public void abandoned(Attempt attempt, long now) {
    inFlight--;
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    int atOnce = inFlight--;
    switch (signal) {
      case Signal.Success success -> granted(attempt, success, atOnce, now);
      case Signal.Throttled throttled ->
          refused(attempt, throttled.retryAfter().map(wait -> wait.toNanos()).orElse(0L), now);
      case Signal.Transient failure -> {
        if (failure.kind() == Signal.Transient.Kind.SERVER_ERROR) {
          refused(attempt, 0, now);
        }
      }
      default -> {}
    }
  }

  private void granted(Attempt attempt, Signal.Success success, int atOnce, long now) {
    long took = success.durationSince(attempt.sentAt(), now);
    latency.answered(took, now);
    mostGranted = Math.max(mostGranted, atOnce);
    if (closed && attempt.sentAt() - closedAt >= 0) {
      closed = false;
      pause = FIRST_PAUSE;
      // It opened at some time between the last refusal and this success.
      reopen(closedAt, refusedAt + (attempt.sentAt() - refusedAt) / 2, false);
    }
    harvest.granted(attempt.sentAt());
    clean++;
    if (starting) {
      grow(took, now);
    } else {
      tryMore(now);
    }
    fitSlots();
  }

  /** At the start: twice as fast every round trip. */
  private void grow(long took, long now) {
    if (now - grownAt >= took && !latency.isSlow()) {
      grownAt = now;
      // Slots may be what holds it back: then a higher rate would mean nothing.
      rate = Math.min(FASTEST, Math.min(rate * 2, 2e9 * level(now) / Math.max(1, took)));
    }
  }

  /** A rate that went well for a while is proven; only then a little more is tried. */
  private void tryMore(long now) {
    boolean quiet = now - openedAt > 1.1 * patience * longestClosure;
    if (clean < CLEAN * Math.min(patience, 2) || !quiet || latency.isSlow()) {
      return;
    }
    double used = clean * 1e9 / (now - cleanSince);
    clean = 0;
    cleanSince = now;
    if (used < 0.8 * rate) { // what was not used is not proven
      tryMoreSlots();
      return;
    }
    proven = rate;
    learned = rate;
    slotCuts = 0;
    rate = Math.min(FASTEST, rate * (1 + step));
    step = Math.min(LONGEST_STEP, 2 * step);
  }

  /** Slots are what holds it back: one more is tried, each time after a longer while. */
  private void tryMoreSlots() {
    slotProbe = false;
    if (slots == slotLimit && slotLimit < MOST_SLOTS && ++heldBySlots >= slotPatience) {
      heldBySlots = 0;
      slotLimit++;
      slotProbe = true;
    }
  }

  private void fitSlots() {
    if (!starting) {
      double wanted = Math.ceil(1.5 * rate * latency.smoothed() / 1e9 + 2);
      slots = (int) Math.max(1, Math.min(wanted, slotLimit));
    }
  }

  private void refused(Attempt attempt, long told, long now) {
    governor.refused(now);
    refusedAt = now;
    clean = 0;
    cleanSince = now;
    if (closed && attempt.sentAt() - closedAt >= 0) { // a probe came too early
      pause = Math.min(LONGEST_PAUSE, (long) (2.5 * pause));
      probeAt = now + pause;
      return;
    }
    if (decided && attempt.sentAt() - decidedAt < 0) {
      return; // the same episode
    }
    decided = true;
    decidedAt = now;
    atRefusal = inFlight + 1;
    atRecord = atRefusal >= mostGranted;
    if (told > 0) {
      reopen(now, now + told, true);
    } else {
      closed = true;
      closedAt = now;
      probeAt = now + pause;
    }
  }

  /** A closure is over, or it is known when it will be: the one decision of its episode. */
  private void reopen(long from, long until, boolean told) {
    long closure = until - from;
    boolean wasStarting = starting;
    starting = false;
    openedAt = until;
    longestClosure = Math.max(longestClosure, (double) closure);
    double before = rate;
    double granted = harvest.closed(from, until);
    if (slotProbe && atRefusal >= slotLimit) {
      slotProbe = false;
      slotPatience = Math.min(64, 2 * slotPatience);
      slotLimit--;
      slots = Math.min(slots, slotLimit);
      return;
    }
    if (closure <= (told ? SHORT_CLOSURE : FIRST_PAUSE) && atRecord && slotCuts < 3 && slots > 1) {
      slotCuts++; // near a record in flight: it may be that, and not the rate
      slotLimit = Math.max(1, Math.min(slotLimit, atRefusal - 1));
      slots = Math.min(slots, slotLimit);
      rate = wasStarting ? Math.min(rate, 2e9 * slots / Math.max(1, latency.smoothed())) : rate;
      return;
    }
    double measured = Double.isNaN(granted) ? 0.7 * rate : SHARE * granted;
    if (proven > 0 && before > proven && measured > 0.9 * proven) {
      rate = proven;
      patience = Math.min(4, 2 * patience);
    } else {
      double least = Math.max(SLOWEST, 0.5 * rate);
      rate = Math.min(rate, Math.max(measured, least));
      learned = Math.min(learned, rate);
      proven = 0;
    }
    step = FIRST_STEP;
  }

  private long interval() {
    return (long) (1e9 / rate);
  }

  /** What the next run may start with; null if nothing is proven. */
  public @Nullable Profile profile() {
    return learned > 0 ? new Profile(learned, slotLimit) : null;
  }
}
