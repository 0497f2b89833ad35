package dev.sluice.control.lane;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.circuit.CircuitBreaker;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.parallelism.AdaptiveRateStatistics;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.routing.ThrottleState;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One account at a provider: what its callers share. It says whether a request may start now, and
 * learns from every settlement: the table of signals, row by row, is {@link #settle}.
 *
 * <p>It answers and never waits. Waits combine by maximum: hold, pace and release spacing give one
 * earliest time, {@link #readyAt}. Single-threaded: a gate calls it under its lock, with times that
 * do not go back. Every {@link #start} is followed by exactly one {@link #settle} or {@link
 * #abandon}.
 */
public final class Lane {
  private final String name;
  private final LaneOptions options;
  private final Policy policy;
  private final CircuitBreaker circuit;
  private final LaneHold hold;
  private final Headroom headroom = new Headroom();
  private final SendRate sendRate;
  private final Activity activity;

  private Signal.Stopped.@Nullable Reason stopped;
  private @Nullable CircuitTransition moved;
  private int inFlight;
  private long granted;
  private long lastUsed;
  private SlowedBy told = SlowedBy.NOTHING;

  /** A lane that has done nothing until {@code now}. */
  public Lane(String name, LaneOptions options, RandomGenerator random, long now) {
    if (requireNonNull(name, "name").isBlank()) {
      throw new IllegalArgumentException("a lane needs a name: it appears in logs and statistics");
    }
    this.name = name;
    this.options = requireNonNull(options, "options");
    this.policy = options.policy().create(now);
    this.circuit = new CircuitBreaker(options.circuit(), now);
    this.hold = new LaneHold(options, policy, random, now);
    this.sendRate = new SendRate(now);
    this.activity = new Activity(now);
  }

  /** The name it was given: it appears in logs and statistics. */
  public String name() {
    return name;
  }

  /** Whether a request may start now. */
  public boolean admits(long now) {
    return stopped == null
        && hold.admits(now)
        && inFlight < policy.level(now)
        && policy.notBefore(now) - now <= 0
        && circuit.admits(now);
  }

  /** Whether nothing can be sent however long one waits for slots and pace: open or stopped. */
  public boolean isShut(long now) {
    return stopped != null || circuit.state(now) == CircuitState.OPEN;
  }

  /**
   * Whether another call should be sent first: the circuit is half-open, and this call is one of
   * those that failed before.
   */
  public boolean isPoorProbe(Object call, long now) {
    return circuit.state(now) == CircuitState.HALF_OPEN && circuit.hasFailed(call);
  }

  /** The earliest time that hold and pace allow; {@code now} if at once. Ignores slots. */
  public long readyAt(long now) {
    return Math.max(hold.readyAt(now), policy.notBefore(now));
  }

  /** When time alone will let a request start; {@link Long#MAX_VALUE} if only an answer can. */
  public long wakeAt(long now) {
    if (stopped != null || hold.isProbeOut() || inFlight >= policy.level(now)) {
      return Long.MAX_VALUE;
    }
    if (circuit.state(now) == CircuitState.OPEN) {
      return Math.max(circuit.triedAgainAt(now), readyAt(now));
    }
    return circuit.admits(now) ? readyAt(now) : Long.MAX_VALUE;
  }

  /**
   * A request starts; only if {@link #admits} says so.
   *
   * @param sequence a number that grows with every start at the gate, to tell who was used last
   * @return the circuit's ticket, to be given back with the settlement
   */
  public int start(Attempt attempt, long sequence, long now) {
    noteMove(circuit.start(now));
    hold.started(now);
    policy.started(attempt, now);
    sendRate.sent(now);
    inFlight++;
    granted++;
    activity.happened(now);
    lastUsed = sequence;
    return circuit.generation();
  }

  /**
   * An answer came, or failed to. The policy learns first, so that what a hold does next goes by
   * the level and the pace that are left.
   */
  public void settle(Attempt attempt, int circuitTicket, Signal signal, long now) {
    ended(attempt);
    try {
      policy.settled(attempt, signal, now);
    } finally { // whatever a policy does, the lane keeps the provider's rules
      heed(attempt, circuitTicket, signal, now);
    }
  }

  private void ended(Attempt attempt) {
    inFlight--;
    hold.ended(attempt.sentAt());
  }

  private void heed(Attempt attempt, int circuitTicket, Signal signal, long now) {
    activity.happened(now);
    headroom.told(signal.quota(), now);
    boolean newEpisode = false;
    switch (signal) {
      case Signal.Throttled throttled -> {
        activity.throttled(now);
        newEpisode = hold.throttled(throttled, attempt.sentAt(), now);
      }
      case Signal.Success success -> {
        activity.succeeded();
        hold.succeeded(attempt.sentAt(), success.durationSince(attempt.sentAt(), now));
        hold.told(success.quota(), now);
      }
      case Signal.Stopped stop -> stopped = stop.reason();
      case Signal.Rejected rejected when rejected.isServed() -> {
        hold.served(attempt.sentAt());
        hold.told(rejected.quota(), now);
      }
      default -> hold.told(signal.quota(), now);
    }
    noteMove(circuit.settled(signal, newEpisode, attempt.call(), circuitTicket, now));
  }

  private void noteMove(@Nullable CircuitTransition transition) {
    moved = transition == null ? moved : transition;
  }

  /** The request was never sent: its slot and its place in the pace are free again. */
  public void abandon(Attempt attempt, int circuitTicket, long now) {
    ended(attempt);
    sendRate.unsent();
    policy.abandoned(attempt, now);
    circuit.abandoned(circuitTicket);
  }

  /**
   * Whether it was throttled again right after each wait, with no success between: then others are
   * used first, for twice as long each time. It is used if no other could send now.
   */
  public boolean rests(long now) {
    return hold.rests(now);
  }

  /** Whether there is no other lane to use in its place; true unless its gate says otherwise. */
  public void onlyLane(boolean isOnlyLane) {
    hold.onlyLane(isOnlyLane);
  }

  /** Until when a throttle asks to stay away, or until when a bare one is taken to. */
  public long toldUntil(Signal.Throttled throttled, long now) {
    return hold.toldUntil(throttled, now);
  }

  /** Whether a throttle holds the whole lane; if not, only the throttled call waits. */
  public boolean holdsWhenThrottled() {
    return options.holdWhenThrottled();
  }

  /** A throttle that did not come through a permit: counted, and held like any other. */
  public void recordThrottle(Duration retryAfter, long now) {
    activity.happened(now);
    activity.throttled(now);
    hold.throttled(retryAfter, now);
  }

  /** Searches for its level anew; see {@link Policy#reset}. Holds, circuit and totals stay. */
  public void reset(long now) {
    policy.reset(now);
    activity.reset();
  }

  /** Where the search for its level stands; the wall clock says {@code wall} at {@code now}. */
  public AdaptiveRateStatistics adaptiveRate(long now, Instant wall) {
    return activity.statistics(name, policy.level(now), policy.search(now), now, wall);
  }

  /** The hold in force for people; empty if there is none. */
  public Optional<ThrottleState> throttleState(long now, Instant wall) {
    return hold.state(name, now, wall);
  }

  /** Sends nothing before {@code until}; a hold that lasts longer stays. */
  public void holdUntil(long until, long now) {
    hold.toldElsewhere(until, now);
  }

  /** A person has acted: lifts a stop and closes the circuit. A hold stays. */
  public void reopen(long now) {
    stopped = null;
    noteMove(circuit.reset(now));
  }

  /**
   * Takes up where the circuit of an earlier process left off; see {@link CircuitBreaker#restore}.
   * Nothing happens once something was sent through the lane: it knows better by then.
   */
  public void restoreCircuit(CircuitTransition fact, Duration age, long now) {
    if (!circuit.isUsed()) {
      circuit.restore(fact, age, now);
    }
  }

  /** The circuit's latest move since the last call; null if it has not moved. */
  public @Nullable CircuitTransition takeMove() {
    CircuitTransition latest = moved;
    moved = null;
    return latest;
  }

  /** Why the lane is closed until a person acts; null if it is not. */
  public Signal.Stopped.@Nullable Reason stopped() {
    return stopped;
  }

  /** Until when nothing is sent; in the past if there is no hold. */
  public long heldUntil() {
    return hold.until();
  }

  /** The same without the buffer that was added to what the provider asked for. */
  public long askedUntil() {
    return hold.askedUntil();
  }

  /** When an open circuit is tried again; {@code now} if it is not open. */
  public long triedAgainAt(long now) {
    return circuit.triedAgainAt(now);
  }

  /** What opened the circuit, if it is not closed; empty if it is. */
  public Optional<CircuitTransition.Reason> circuitReason() {
    CircuitTransition last = circuit.lastTransition();
    return last == null || last.state() == CircuitState.CLOSED
        ? Optional.empty()
        : Optional.of(last.reason());
  }

  /** How many requests may be in flight. */
  public int level(long now) {
    return policy.level(now);
  }

  /** How many requests are in flight. */
  public int inFlight() {
    return inFlight;
  }

  /** The sequence number of the latest start; 0 if there was none. */
  public long lastUsed() {
    return lastUsed;
  }

  /** Permits per second that the lane paces at; infinite if it does not pace. */
  public double rate() {
    return policy.rate();
  }

  /** The share of its quota that is left, as far as it was told: 0 to 1. */
  public double headroom(long now) {
    return headroom.at(now);
  }

  /** Throttles so far. */
  public long throttleEvents() {
    return activity.throttles();
  }

  /** What decides how fast this lane goes, for its own statistics. */
  public Policy policy() {
    return policy;
  }

  /** What makes it slower than it could be. Cheap. */
  public SlowedBy slowedBy(long now) {
    if (stopped != null) {
      return SlowedBy.STOP;
    }
    if (circuit.state(now) != CircuitState.CLOSED) {
      return SlowedBy.CIRCUIT;
    }
    if (hold.isProbing()) {
      return SlowedBy.PROBING;
    }
    return hold.isActive(now) || rests(now) ? SlowedBy.HOLD : policy.slowedBy(now);
  }

  /** The same if it has changed since the last call; null if it has not. */
  public @Nullable SlowedBy takeSlowedBy(long now) {
    SlowedBy present = slowedBy(now);
    if (present == told) {
      return null;
    }
    told = present;
    return present;
  }

  /** Why it is slower than it could be, in one sentence; empty if nothing makes it so. */
  public String reason(long now) {
    if (stopped != null) {
      return switch (stopped) {
        case SUSPENDED -> "stopped until somebody reopens it: the account is suspended";
        case QUOTA_SPENT -> "stopped until somebody reopens it: the quota is spent";
        case AUTH_FAILURE -> "stopped until somebody reopens it: the credentials were refused";
      };
    }
    if (circuit.state(now) == CircuitState.OPEN) {
      return "the circuit is open for another %s: %s"
          .formatted(Figures.time(circuit.triedAgainAt(now) - now), circuit.why());
    }
    if (circuit.state(now) == CircuitState.HALF_OPEN && !hold.isActive(now)) {
      return "one request at a time finds out whether it works again: " + circuit.why();
    }
    if (hold.isActive(now) || rests(now) || hold.isProbing()) {
      return hold.reason(now);
    }
    return policy.reason(now);
  }

  /**
   * The same, or else why a request could not start at this very moment. That comes and goes with
   * every request, so it is shown to whoever looks, and is no event.
   */
  private String shownReason(long now) {
    String reason = reason(now);
    if (!reason.isEmpty()) {
      return reason;
    }
    int level = policy.level(now);
    if (inFlight >= level) {
      return level == 1
          ? "1 request at a time: the next one waits for its answer"
          : level
              + " at once: all of these are in flight, and the next request waits for an answer";
    }
    long wait = readyAt(now) - now;
    return wait == 0
        ? ""
        : "the next request is sent in %s: after a wait they start one after another"
            .formatted(Figures.time(wait));
  }

  /** What it does now and did so far. */
  public LaneStatistics statistics(long now) {
    return new LaneStatistics(
        name,
        policy.level(now),
        inFlight,
        policy.rate(),
        sendRate.at(now),
        Duration.ofNanos(hold.isActive(now) ? hold.until() - now : 0),
        circuit.state(now),
        Optional.ofNullable(stopped),
        granted,
        activity.throttles(),
        slowedBy(now),
        shownReason(now),
        Duration.ofNanos(Math.max(0, readyAt(now) - now)));
  }
}
