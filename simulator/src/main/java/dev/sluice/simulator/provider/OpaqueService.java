package dev.sluice.simulator.provider;

import dev.sluice.simulator.limit.Limiter;
import dev.sluice.simulator.provider.Verdict.Kind;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The model of one account at a service that its clients cannot see into: a limit, how it is
 * signalled, and what goes wrong. Whoever drives it calls {@link #arrive} when a request comes in,
 * and {@link #finish} when the duration of an admitted one has passed.
 *
 * <p>An admitted request takes {@code latency × (1 + load / knee)}, load being the requests that
 * run, itself not counted; what disturbs the service may lengthen that. Equal options, seeds and
 * calls give equal verdicts; what a neighbour asks for depends on the seed alone.
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
  private static final int[] ERRORS = {500, 502, 504, Verdict.NO_ANSWER, Verdict.LOST};

  // What may happen to an object: different chances for each.
  private static final long BROKEN = -1;
  private static final long LATE = -2;
  private static final long HEAVY = -3;
  private static final long FAILS = -4;

  /** A request that comes so soon after a refusal was sent before anybody could know of it. */
  private static final long KNOWN_AFTER = SECOND;

  private final long start;
  private final long boundary;
  private final SplittableRandom random;
  private final long objectSalt;
  private final Neighbour neighbour;
  private final Counters counters = new Counters();

  private ServiceOptions options;
  private long latency;
  private Door door;
  private ThrottleShare throttles;
  private int changed;
  private int latencyChanged;
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
    this.boundary = boundary;
    this.door = Door.open(options, boundary, now);
    this.throttles = new ThrottleShare(rule(options), now);
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
    return arrive(object, options.disturbances().errors() == 0 ? 0 : random.nextLong(), now);
  }

  /**
   * The same where chance is not to depend on the order of requests.
   *
   * @param attempt whether the request fails by chance depends on this and the object alone
   */
  public Verdict arrive(long object, long attempt, long now) {
    advance(now);
    if (suspended) {
      counters.count(Kind.SUSPENDED);
      return Verdict.end(Kind.SUSPENDED, options.has(Misbehaviour.SUSPENSION_AS_429) ? 429 : 403);
    }
    boolean pressed = toldUntil - now > 0 && now - refusedAt > KNOWN_AFTER;
    if (pressed) {
      counters.press();
    }
    if (isInMaintenance(now)) {
      suspended = throttles.count(false, now);
      counters.count(Kind.UNAVAILABLE);
      return Verdict.end(Kind.UNAVAILABLE, 503);
    }
    if (closedUntil - now > 0) {
      return stillClosed(pressed, now);
    }
    if (options.has(Misbehaviour.CREDIT_RUNS_OUT) && counters.admitted() >= CREDIT) {
      counters.count(Kind.CREDIT_SPENT);
      return Verdict.end(Kind.CREDIT_SPENT, 429);
    }
    if (isLocked(object, now)) {
      counters.count(Kind.OBJECT_LOCKED);
      return new Verdict(Kind.OBJECT_LOCKED, 429, untilUnlocked(now), Verdict.NOTHING_TOLD, 0);
    }
    long delay = door.enter(now);
    if (delay < 0) {
      return refuse(-delay, now);
    }
    suspended = throttles.count(false, now);
    if (happensTo(object, HEAVY, options.disturbances().heavy())) {
      door.charge(Disturbances.HEAVY_COST - 1, now);
    }
    int status = isBroken(object) ? 500 : status(object, attempt);
    Kind kind = status == 200 ? Kind.ADMITTED : Kind.FAILED;
    counters.count(kind);
    long late =
        happensTo(object, LATE, options.disturbances().late()) ? Disturbances.LATE_BY.toNanos() : 0;
    return new Verdict(kind, status, 0, Verdict.NOTHING_TOLD, delay + duration() + late);
  }

  private int status(long object, long attempt) {
    if (options.disturbances().errors() == 0) {
      return 200;
    }
    SplittableRandom chance =
        new SplittableRandom(objectSalt ^ (object * 31 + FAILS) ^ (attempt * 0x9E3779B97F4A7C15L));
    return chance.nextDouble() < options.disturbances().errors()
        ? ERRORS[chance.nextInt(ERRORS.length)]
        : 200;
  }

  private long duration() {
    double slower = 1 + inFlight++ / options.knee();
    double chance =
        options.jitter() == 0 ? 1 : 1 + options.jitter() * (2 * random.nextDouble() - 1);
    if (options.disturbances().noise() > 0) {
      chance *= StrictMath.exp(options.disturbances().noise() * random.nextGaussian());
    }
    return Math.round(latency * slower * chance * door.stretch(inFlight));
  }

  /** Whether an object always fails. */
  public boolean isBroken(long object) {
    return happensTo(object, BROKEN, options.disturbances().broken());
  }

  /** Chance that depends on the object alone, and on what might happen to it. */
  private boolean happensTo(long object, long what, double share) {
    return share > 0
        && object >= 0
        && new SplittableRandom(objectSalt ^ (object * 31 + what)).nextDouble() < share;
  }

  /** Whether everybody is answered 503 now. */
  public boolean isInMaintenance(long now) {
    for (Disturbances.Maintenance maintenance : options.disturbances().maintenance()) {
      long since = now - start - maintenance.after().toNanos();
      if (since >= 0 && since < maintenance.length().toNanos()) {
        return true;
      }
    }
    return false;
  }

  /** One of twenty objects at a time, and for a while: chance that needs no memory. */
  private boolean isLocked(long object, long now) {
    if (object < 0 || !options.has(Misbehaviour.OBJECT_LOCKS)) {
      return false;
    }
    long slot = (now - start) / OBJECT_LOCK;
    return new SplittableRandom(objectSalt ^ (object * 31 + slot)).nextInt(20) == 0;
  }

  private long untilUnlocked(long now) {
    return OBJECT_LOCK - (now - start) % OBJECT_LOCK;
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
    return new Verdict(Kind.THROTTLED, Manners.status(options), whole, told, 0);
  }

  private static long wholeSeconds(long nanos) {
    return (Math.min(nanos, LONGEST_TOLD) + SECOND - 1) / SECOND * SECOND;
  }

  /** An admitted request has had its duration. */
  public void finish(long now) {
    advance(now);
    inFlight--;
    door.finish(now);
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
    stepLatency(now);
  }

  private void skipIdleTime(long now) {
    if (door.memory() < Limiter.NEVER / 4) {
      neighbour.skipTo(now - 2 * door.memory() - SECOND);
    }
  }

  private void stepNeighbour() {
    long at = neighbour.nextAt();
    if (neighbour.endsNext()) {
      neighbour.end();
      door.finish(at);
      inFlight--;
      return;
    }
    boolean admitted = door.enter(at) >= 0;
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
      door.scale(change.factor(), at);
    }
  }

  private void stepLatency(long now) {
    List<Change> steps = options.disturbances().latencySteps();
    while (latencyChanged < steps.size()
        && now - start >= steps.get(latencyChanged).after().toNanos()) {
      latency = Math.round(options.latency().toNanos() * steps.get(latencyChanged++).factor());
    }
  }

  /**
   * Changes all limits to {@code factor} times what they were made with, from now on.
   *
   * @throws IllegalArgumentException if the factor is negative, not finite, or too large to count
   */
  public void changeLimit(double factor, long now) {
    advance(now);
    door.scale(factor, now);
  }

  /**
   * Other options from now on. Another limit, or a slow-down instead of refusals or the reverse,
   * starts unused but for what runs; of a limit that stays, what was spent stays spent. Changes
   * that were scheduled with the first options stay, and so does the neighbour.
   */
  public void change(ServiceOptions changed, long now) {
    advance(now);
    boolean sameDoor =
        changed.limit().equals(options.limit())
            && (changed.signal() == Signal.SLOW_DOWN) == (options.signal() == Signal.SLOW_DOWN)
            && changed.has(Misbehaviour.WRONG_LIMIT_TOLD)
                == options.has(Misbehaviour.WRONG_LIMIT_TOLD);
    boolean sameRule = rule(changed).equals(rule(options));
    options = changed.withChanges(options.changes().toArray(Change[]::new));
    latency = options.latency().toNanos();
    if (!sameDoor) {
      door = Door.open(options, boundary, now);
      for (int i = 0; i < inFlight; i++) {
        door.takeOver(now);
      }
    }
    if (!sameRule) {
      throttles = new ThrottleShare(rule(options), now);
    }
  }

  private static Suspension rule(ServiceOptions options) {
    return options.suspension().equals(Suspension.NEVER)
            && options.has(Misbehaviour.SUSPENSION_AS_429)
        ? Suspension.USUAL
        : options.suspension();
  }

  /** Lets an account that was thrown out, or kept out, start afresh; its limits stay spent. */
  public void reinstate(long now) {
    advance(now);
    suspended = false;
    closedUntil = now;
    toldUntil = now;
    throttles = new ThrottleShare(rule(options), now);
  }

  /** How many requests the limit that it tells of allows at most. */
  public long limit(long now) {
    advance(now);
    return door.limit(now);
  }

  /** How many more requests that limit would admit at once. */
  public long left(long now) {
    advance(now);
    return door.left(now);
  }

  /** Nanoseconds until that limit is as if unused; {@link Limiter#NEVER} if time won't do. */
  public long untilReset(long now) {
    advance(now);
    return door.untilReset(now);
  }

  /** Nanoseconds over which that limit counts; 0 if it does not count by time. */
  public long window(long now) {
    advance(now);
    return door.window(now);
  }

  /** The share of that limit that is used, 0 to 1; 0 if nothing is limited. */
  public double used(long now) {
    advance(now);
    long limit = door.limit(now);
    return limit == 0 ? 1 : 1 - (double) door.left(now) / limit;
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

  /** Its options as they are now. */
  public ServiceOptions options() {
    return options;
  }
}
