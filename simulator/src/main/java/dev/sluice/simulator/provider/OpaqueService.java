package dev.sluice.simulator.provider;

import dev.sluice.simulator.limit.Limiter;
import dev.sluice.simulator.limit.Several;
import dev.sluice.simulator.provider.Verdict.Kind;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The model of one account at a service that its clients cannot see into: a limit, how it is
 * signalled, and what goes wrong. Whoever drives it calls {@link #arrive} when a request comes in,
 * and {@link #finish} when the duration of an admitted one has passed.
 *
 * <p>An admitted request takes {@code latency × (1 + load / knee)}, load being the requests that
 * run, itself not counted. Equal options, seeds and calls give equal verdicts; what a neighbour
 * asks for depends on the seed alone.
 *
 * <p>Single-threaded; monotonic nanoseconds from an arbitrary origin that do not go back.
 */
public final class OpaqueService {
  /** No one object is asked for. */
  public static final long NO_OBJECT = -1;

  /** How many requests a credit is good for, where it runs out. */
  static final long CREDIT = 1_000;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long LOCK_OUT = 30 * SECOND;
  private static final long LONGEST_WAIT = TimeUnit.HOURS.toNanos(1);
  private static final long LONGEST_TOLD = TimeUnit.DAYS.toNanos(3_660);
  private static final long OBJECT_LOCK = 3 * SECOND;

  /** A request that comes so soon after a refusal was sent before anybody could know of it. */
  private static final long KNOWN_AFTER = SECOND;

  private final ServiceOptions options;
  private final long latency;
  private final long start;
  private final SplittableRandom random;
  private final long objectSalt;
  private final Limiter limiter;
  private final @Nullable SlowQueue queue;
  private final Neighbour neighbour;
  private final Counters counters = new Counters();

  private ThrottleShare throttles;
  private int changed;
  private int inFlight;
  private boolean suspended;
  private long refusedAt;
  private long closedUntil; // refuses everything before, where refusals lock
  private long closure; // the wait that was told for that, which pressing doubles
  private long toldUntil; // how long the client was last told to wait

  /** A service at rest, whose windows on the clock begin at {@code now}. */
  public OpaqueService(ServiceOptions options, long seed, long now) {
    this(options, seed, now, now);
  }

  /**
   * A service at rest.
   *
   * @param seed of all chance
   * @param boundary a time at which windows on the clock begin, past or future
   */
  public OpaqueService(ServiceOptions options, long seed, long boundary, long now) {
    this.options = options;
    this.latency = options.latency().toNanos();
    this.start = now;
    this.random = new SplittableRandom(seed);
    this.neighbour = new Neighbour(options, random.nextLong(), now);
    this.objectSalt = random.nextLong();
    this.queue =
        options.signal() == Signal.SLOW_DOWN ? new SlowQueue(options.limit(), boundary, now) : null;
    this.limiter = queue == null ? options.limit().open(boundary, now) : queue.limiter();
    this.throttles = new ThrottleShare(options.suspension(), now);
    this.refusedAt = now;
    this.closedUntil = now;
    this.toldUntil = now;
  }

  /** A request arrives that asks for no one object. */
  public Verdict arrive(long now) {
    return arrive(NO_OBJECT, now);
  }

  /** A request arrives that asks for an object, known by any number from 0 on. */
  public Verdict arrive(long object, long now) {
    advance(now);
    if (suspended) {
      counters.count(Kind.SUSPENDED);
      return new Verdict(Kind.SUSPENDED, 403, Verdict.NOTHING_TOLD, 0);
    }
    boolean pressed = toldUntil - now > 0 && now - refusedAt > KNOWN_AFTER;
    if (pressed) {
      counters.press();
    }
    if (closedUntil - now > 0) {
      return stillClosed(pressed, now);
    }
    if (options.has(Misbehaviour.CREDIT_RUNS_OUT) && counters.admitted() >= CREDIT) {
      counters.count(Kind.CREDIT_SPENT);
      return new Verdict(Kind.CREDIT_SPENT, 429, Verdict.NOTHING_TOLD, 0);
    }
    if (isLocked(object, now)) {
      counters.count(Kind.OBJECT_LOCKED);
      return new Verdict(Kind.OBJECT_LOCKED, 429, Verdict.NOTHING_TOLD, 0);
    }
    long wait = queue == null ? limiter.admit(now) : queue.join(now);
    if (queue == null ? wait != 0 : wait == Limiter.NEVER) {
      return refuse(wait, now);
    }
    boolean unused = throttles.count(false, now);
    counters.count(Kind.ADMITTED);
    return new Verdict(Kind.ADMITTED, 200, Verdict.NOTHING_TOLD, wait + duration());
  }

  private long duration() {
    double slower = 1 + inFlight++ / options.knee();
    double chance =
        options.jitter() == 0 ? 1 : 1 + options.jitter() * (2 * random.nextDouble() - 1);
    double stretch = queue == null ? 1 : queue.stretch(inFlight);
    return Math.round(latency * slower * chance * stretch);
  }

  /** One of twenty objects at a time, and for a while: chance that needs no memory. */
  private boolean isLocked(long object, long now) {
    if (object < 0 || !options.has(Misbehaviour.OBJECT_LOCKS)) {
      return false;
    }
    long slot = (now - start) / OBJECT_LOCK;
    return new SplittableRandom(objectSalt ^ (object * 31 + slot)).nextInt(20) == 0;
  }

  private Verdict stillClosed(boolean pressed, long now) {
    if (pressed && options.has(Misbehaviour.WAITS_ESCALATE)) {
      closure = Math.min(2 * closure, LONGEST_WAIT);
      closedUntil = now + closure;
    }
    return throttle(closedUntil - now, now);
  }

  private Verdict refuse(long wait, long now) {
    // Nobody knows when a running request ends, so something must be said: the least.
    long known = wait == Limiter.NEVER ? SECOND : wait;
    long told = options.has(Misbehaviour.LOCK_OUT) ? Math.max(known, LOCK_OUT) : known;
    if (options.has(Misbehaviour.LOCK_OUT) || options.has(Misbehaviour.WAITS_ESCALATE)) {
      closure = wholeSeconds(told);
      closedUntil = now + closure;
    }
    return throttle(told, now);
  }

  private Verdict throttle(long wait, long now) {
    counters.count(Kind.THROTTLED);
    suspended = throttles.count(true, now);
    refusedAt = now;
    long whole = wholeSeconds(wait);
    long told = Manners.told(options, whole);
    // Garbled or not, nobody presses who waits as long as it takes.
    toldUntil = now + Math.max(0, Math.min(told, whole));
    counters.tell(told);
    return new Verdict(Kind.THROTTLED, Manners.status(options), told, 0);
  }

  private static long wholeSeconds(long nanos) {
    return (Math.min(nanos, LONGEST_TOLD) + SECOND - 1) / SECOND * SECOND;
  }

  /** An admitted request has had its duration. */
  public void finish(long now) {
    advance(now);
    inFlight--;
    limiter.finish(time(now));
  }

  /** Lets happen what happens by itself: limits change, and the neighbour comes and goes. */
  private void advance(long now) {
    if (neighbour.exists()) {
      skipIdleTime(now);
      while (neighbour.nextAt() - now <= 0) {
        changeUntil(neighbour.nextAt());
        stepNeighbour();
      }
    }
    changeUntil(now);
  }

  private void skipIdleTime(long now) {
    if (limiter.window() < Limiter.NEVER / 4) {
      neighbour.skipTo(now - 2 * limiter.window() - SECOND);
    }
  }

  private void stepNeighbour() {
    long at = neighbour.nextAt();
    if (neighbour.endsNext()) {
      neighbour.end();
      limiter.finish(time(at));
      inFlight--;
      return;
    }
    boolean admitted = queue == null ? limiter.admit(at) == 0 : queue.join(at) != Limiter.NEVER;
    counters.neighbour(admitted);
    inFlight += admitted ? 1 : 0;
    neighbour.sent(admitted);
  }

  private void changeUntil(long now) {
    while (changed < options.changes().size()) {
      Change change = options.changes().get(changed);
      long at = start + change.after().toNanos();
      if (at - now > 0) {
        return;
      }
      changed++;
      scale(change.factor(), at);
    }
  }

  private void scale(double factor, long at) {
    if (queue == null) {
      limiter.scale(factor, at);
    } else {
      queue.scale(factor, at);
    }
  }

  /** The limiter's own time: ahead of the clock while a queue is being kept waiting. */
  private long time(long now) {
    return queue == null ? now : queue.time(now);
  }

  /**
   * Changes all limits to {@code factor} times what they were made with, from now on.
   *
   * @throws IllegalArgumentException if the factor is negative, not finite, or too large to count
   */
  public void changeLimit(double factor, long now) {
    advance(now);
    scale(factor, now);
  }

  /** Lets an account that was thrown out, or kept out, start afresh; its limits stay spent. */
  public void reinstate(long now) {
    advance(now);
    suspended = false;
    closedUntil = now;
    toldUntil = now;
    throttles = new ThrottleShare(options.suspension(), now);
  }

  /** How many requests its limit allows at most. */
  public long limit(long now) {
    advance(now);
    return advertised(now).limit();
  }

  /** How many more requests it would admit at once. */
  public long left(long now) {
    advance(now);
    return advertised(now).left(time(now));
  }

  /** Nanoseconds until the limit is as if unused; {@link Limiter#NEVER} if time won't do. */
  public long untilReset(long now) {
    advance(now);
    return advertised(now).untilReset(time(now));
  }

  /** Nanoseconds over which the limit counts; 0 if it does not count by time. */
  public long window(long now) {
    advance(now);
    return advertised(now).window();
  }

  /** The limit that is spoken of: of several the tightest. */
  private Limiter advertised(long now) {
    return limiter instanceof Several several ? several.tightest(time(now)) : limiter;
  }

  /** The share of its limit that is used, 0 to 1; 0 if there is none. */
  public double used(long now) {
    advance(now);
    Limiter limit = advertised(now);
    return limit.limit() == 0 ? 1 : 1 - (double) limit.left(time(now)) / limit.limit();
  }

  /** Whether the account was thrown out. */
  public boolean suspended() {
    return suspended;
  }

  /** How many requests run, a neighbour's among them. */
  public int inFlight() {
    return inFlight;
  }

  /** What became of all requests so far. */
  public Counters counters() {
    return counters;
  }

  /** What it was made with. */
  public ServiceOptions options() {
    return options;
  }
}
