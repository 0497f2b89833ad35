package dev.sluice.gate;

import dev.sluice.control.budget.Verdict;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.lane.Lane;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.routing.SelectionStrategy;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Refusal.Held.Bound;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who goes through the gate next, through which lane, and who is sent away: the gate's whole state,
 * without locks or waiting.
 *
 * <p>Waiters hold nothing and are promised nothing: each time something changes, {@link #sweep}
 * answers all that can be answered at {@code now}, in their order, and {@link #nextEvent} says when
 * time alone will change something. Guarded by the gate's lock; given times do not go back.
 */
final class Admission {
  /** While background work waits, it gets at least every tenth permit. */
  static final int BACKGROUND_EVERY = 10;

  /** A shorter wait, in nanoseconds, is over before anybody has read why. */
  private static final long NOTABLE = 1_000_000_000L;

  private final Gate gate;
  private final SelectionStrategy strategy;
  private final long tolerance;

  private final Lanes lanes = new Lanes();
  private final WaitQueue steady = new WaitQueue();
  private final WaitQueue background = new WaitQueue();
  private final Alarms alarms = new Alarms();
  private final HeldTime heldTime = new HeldTime();
  private final List<GateEvent.CircuitMoved> moves = new ArrayList<>();
  private final WaitQueue delayed = new WaitQueue();
  private int bounded;
  private int steadyInRow;
  private int inFlight;
  private long sequence;
  private long throttleEvents;
  private boolean closed;

  /**
   * @param tolerance the longest hold that anybody waits for; {@link Time#NEVER} for any
   */
  Admission(Gate gate, SelectionStrategy strategy, long tolerance) {
    this.gate = gate;
    this.strategy = strategy;
    this.tolerance = tolerance;
  }

  Lanes lanes() {
    return lanes;
  }

  int inFlight() {
    return inFlight;
  }

  /** How many callers wait, those included who wait for a time of their own. */
  int waiting() {
    return queued() + delayed.size();
  }

  /** How many callers stand in line: newcomers go behind them. */
  int queued() {
    return steady.size() + background.size();
  }

  /** A permit for a caller whose turn it is, if one can be had now; allocates only a grant. */
  @Nullable Permit tryStart(Run run, Ask ask, long now) {
    if (closed) {
      return null;
    }
    int chosen = lanes.select(strategy, now);
    if (chosen < 0 || run.budget().tryReserve(now) != Verdict.GRANTED) {
      return null;
    }
    return start(lanes.get(chosen), run, ask, now);
  }

  /** Why nothing can be had however long one waits; null if that is not so. */
  @Nullable Refusal refusal(Run run, long now) {
    if (closed) {
      return Refusal.Closed.CLOSED;
    }
    Verdict verdict = run.budget().ask(now);
    return verdict == Verdict.GRANTED ? lanes.shut(now) : Refusal.Budget.of(verdict);
  }

  /** The outcome of a caller whose turn it is; null if it must wait. */
  @Nullable Outcome decide(Run run, Ask ask, long now) {
    Permit permit = tryStart(run, ask, now);
    return permit != null ? permit : refusal(run, now);
  }

  private Permit start(Lane lane, Run run, Ask ask, long now) {
    Permit permit = new Permit(gate, lane, run, ask, now);
    permit.circuitTicket(lane.start(permit, ++sequence, now));
    inFlight++;
    noteMove(lane);
    return permit;
  }

  private void noteMove(Lane lane) {
    CircuitTransition move = lane.takeMove();
    if (move != null) {
      moves.add(new GateEvent.CircuitMoved(lane.name(), move));
    }
  }

  /** The circuits' moves since the last call, in their order. */
  List<GateEvent.CircuitMoved> takeMoves() {
    if (moves.isEmpty()) {
      return List.of();
    }
    List<GateEvent.CircuitMoved> latest = List.copyOf(moves);
    moves.clear();
    return latest;
  }

  /** Why it makes no sense for this caller to wait at all; null if it may. */
  @Nullable Refusal hopeless(Run run, long notBefore, long deadline, long now) {
    Lane free = lanes.firstFree(now);
    Lane ready = lanes.firstReady(now);
    if (free == null || ready == null) {
      return null;
    }
    long hold = free.heldUntil() - now;
    long own = run.longestHold().isEmpty() ? Time.NEVER : Time.after(0, run.longestHold().get());
    if (tolerance <= own && free.askedUntil() - now > tolerance) {
      return held(free, hold, tolerance, Bound.TOLERANCE);
    }
    if (hold > own) {
      return held(free, hold, own, Bound.LONGEST_HOLD);
    }
    long earliest = Math.max(ready.readyAt(now), notBefore);
    long end = Math.min(deadline, run.budget().deadline(now));
    if (end != Time.NEVER && earliest > now && earliest >= end) { // at its end a caller is late
      return tooLate(run, deadline, free, hold, ready, earliest - now, now);
    }
    return null;
  }

  /** The wait ends after the caller's deadline or its run's clock: whose fault is that? */
  private static Refusal tooLate(
      Run run, long deadline, Lane free, long hold, Lane ready, long wait, long now) {
    long left = timeLeft(run, deadline, now);
    if (hold > 0 && hold >= left) {
      return held(free, hold, left, Bound.TIME_LEFT);
    }
    return run.budget().deadline(now) <= deadline
        ? new Refusal.OutOfTime(ready.name(), Duration.ofNanos(wait), Duration.ofNanos(left))
        : new Refusal.TooLate(ready.name(), Duration.ofNanos(wait), Duration.ofNanos(left));
  }

  private static Refusal held(Lane lane, long wait, long longest, Bound bound) {
    return new Refusal.Held(lane.name(), Duration.ofNanos(wait), Duration.ofNanos(longest), bound);
  }

  private static long timeLeft(Run run, long deadline, long now) {
    long end = Math.min(deadline, run.budget().deadline(now));
    return end == Time.NEVER ? Time.NEVER : Math.max(0, end - now);
  }

  /** The outcome of a caller that arrives; null if it must wait, behind those who do already. */
  @Nullable Outcome arrive(Run run, Ask ask, long deadline, long now) {
    Outcome outcome =
        queued() == 0 && ask.notBefore() <= now ? decide(run, ask, now) : refusal(run, now);
    return outcome != null ? outcome : hopeless(run, ask.notBefore(), deadline, now);
  }

  /** A caller that must wait takes its place. */
  void enter(Waiter waiter, long now) {
    waiter.enteredAt = now;
    if (waiter.ask.notBefore() > now) {
      delayed.add(waiter);
    } else {
      queue(waiter, now);
    }
    if (isBounded(waiter)) {
      bounded++;
    }
    setAlarm(waiter, now);
  }

  /** Whether a hold can be too long for this waiter. */
  private static boolean isBounded(Waiter waiter) {
    return waiter.deadline != Time.NEVER
        || waiter.run.longestHold().isPresent()
        || waiter.run.budget().wallClock().isPresent();
  }

  private void queue(Waiter waiter, long now) {
    waiter.queuedAt = now;
    waiter.heldBefore = heldTime.total(now);
    (waiter.run.priority() == Priority.STEADY ? steady : background).add(waiter);
  }

  /** A waiter leaves, answered or not. Does nothing if it has left. */
  void leave(Waiter waiter) {
    if (waiter.queue == null) {
      return;
    }
    waiter.queue.remove(waiter);
    if (isBounded(waiter)) {
      bounded--;
    }
    alarms.remove(waiter);
  }

  private boolean isDelayed(Waiter waiter) {
    return waiter.queue == delayed;
  }

  private void setAlarm(Waiter waiter, long now) {
    alarms.remove(waiter);
    long end = Math.min(waiter.deadline, waiter.run.budget().deadline(now));
    waiter.alarm =
        Math.min(end, isDelayed(waiter) ? waiter.ask.notBefore() : patienceEnds(waiter, now));
    if (waiter.alarm != Time.NEVER) {
      alarms.add(waiter);
    }
  }

  /** When a queued waiter gives up on a slot, if no further hold comes in between. */
  private long patienceEnds(Waiter waiter, long now) {
    return waiter.patience == Time.NEVER
        ? Time.NEVER
        : waiter.queuedAt + waiter.patience + heldTime.totalOnceFree(now) - waiter.heldBefore;
  }

  /** Answers all that can be answered now, in their order. */
  void sweep(long now, List<Waiter> answered) {
    for (Waiter due = alarms.first(); due != null && due.alarm <= now; due = alarms.first()) {
      ring(due, now, answered);
    }
    for (Waiter next = turn(); next != null; next = turn()) {
      if (next.isGone()) {
        leave(next);
        continue;
      }
      next = betterProbe(next, now);
      Outcome outcome = decide(next.run, next.ask, now);
      if (outcome == null) {
        return;
      }
      if (outcome instanceof Permit) {
        steadyInRow = next.run.priority() == Priority.STEADY ? steadyInRow + 1 : 0;
      }
      answer(next, outcome, answered);
    }
    refuseDelayedIfShut(now, answered);
  }

  /** While nothing can be sent at all, it makes no sense to wait for a time of one's own. */
  private void refuseDelayedIfShut(long now, List<Waiter> answered) {
    Refusal shut = delayed.size() == 0 ? null : lanes.shut(now);
    for (Waiter next = delayed.first(); shut != null && next != null; next = delayed.first()) {
      answer(next, shut, answered);
    }
  }

  /** Whose turn it is among those that could be sent now. */
  private @Nullable Waiter turn() {
    if (background.size() == 0) {
      steadyInRow = 0;
      return steady.first();
    }
    return steady.size() == 0 || steadyInRow >= BACKGROUND_EVERY - 1
        ? background.first()
        : steady.first();
  }

  /**
   * Somebody else who waits, if this waiter's call failed on a lane that is half-open now: one bad
   * record must not decide for all. The waiter itself if there is nobody.
   */
  private Waiter betterProbe(Waiter waiter, long now) {
    if (!lanes.isPoorProbe(waiter.ask, now)) {
      return waiter;
    }
    for (WaitQueue queue : List.of(steady, background)) {
      for (Waiter other = queue.first(); other != null; other = other.next) {
        if (!other.isGone() && !lanes.isPoorProbe(other.ask, now)) {
          return other;
        }
      }
    }
    return waiter;
  }

  /** A waiter's alarm went off: it joins the queue, is too late, or waits on. */
  private void ring(Waiter waiter, long now, List<Waiter> answered) {
    if (waiter.run.budget().deadline(now) <= now) {
      answer(waiter, Refusal.Budget.of(waiter.run.budget().ask(now)), answered);
    } else if (waiter.deadline <= now) {
      answer(waiter, timedOut(waiter, now), answered);
    } else if (isDelayed(waiter)) {
      delayed.remove(waiter);
      queue(waiter, now);
      setAlarm(waiter, now);
    } else if (patienceEnds(waiter, now) <= now) {
      answer(waiter, timedOut(waiter, now), answered);
    } else {
      setAlarm(waiter, now);
    }
  }

  private Refusal timedOut(Waiter waiter, long now) {
    Lane ready = lanes.firstReady(now);
    return new Refusal.TimedOut(
        Duration.ofNanos(now - waiter.enteredAt),
        lanes.size(),
        inFlight,
        ready == null ? "" : ready.statistics(now).reason());
  }

  private void answer(Waiter waiter, Outcome outcome, List<Waiter> answered) {
    leave(waiter);
    waiter.answer(outcome);
    answered.add(waiter);
  }

  /** When time alone changes something for those who wait; {@link Time#NEVER} if it does not. */
  long nextEvent(long now) {
    Waiter first = alarms.first();
    long next = first == null ? Time.NEVER : first.alarm;
    return queued() == 0 ? next : Math.min(next, lanes.wakeAt(now));
  }

  /** Settles a permit on its lane; the caller sweeps afterwards. */
  void settle(Permit permit, Signal signal, long now) {
    inFlight--;
    if (signal instanceof Signal.Throttled) {
      throttleEvents++;
    }
    int ticket = permit.circuitTicket();
    permit.markSettled(); // first: a policy that throws must not have it settled twice
    try {
      permit.lane.settle(permit, ticket, signal, now);
    } finally {
      noteMove(permit.lane);
    }
  }

  /** Takes an unused permit back; the caller sweeps afterwards. */
  void abandon(Permit permit, long now) {
    inFlight--;
    int ticket = permit.circuitTicket();
    permit.markSettled();
    permit.run.budget().giveBack();
    permit.lane.abandon(permit, ticket, now);
  }

  /** Holds or lanes have changed: sends away whoever cannot wait that long. */
  void holdsChanged(long now, List<Waiter> answered) {
    Lane first = lanes.firstFree(now);
    long free = first == null ? now : first.heldUntil();
    heldTime.heldUntil(lanes.freeAt(now), now);
    if (free <= now || (bounded == 0 && free - now <= tolerance)) {
      return;
    }
    for (WaitQueue queue : List.of(steady, background, delayed)) {
      for (Waiter waiter = queue.first(); waiter != null; ) {
        Waiter after = waiter.next;
        Refusal refusal = hopeless(waiter.run, waiter.ask.notBefore(), waiter.deadline, now);
        if (refusal != null) {
          answer(waiter, refusal, answered);
        }
        waiter = after;
      }
    }
  }

  /** A throttle that did not come through a permit. */
  void recordThrottle(String name, Duration retryAfter, long now) {
    lanes.require(name).recordThrottle(retryAfter, now);
    throttleEvents++;
  }

  /** Lifts a lane's stop and closes its circuit. */
  void reopen(String name, long now) {
    Lane lane = lanes.require(name);
    lane.reopen(now);
    noteMove(lane);
  }

  PoolStatistics statistics(long now) {
    List<LaneStatistics> each = lanes.all().stream().map(lane -> lane.statistics(now)).toList();
    return new PoolStatistics(
        each.size(),
        (int) each.stream().filter(LaneStatistics::isThrottled).count(),
        throttleEvents,
        inFlight,
        waiting(),
        reason(now),
        sequence,
        each);
  }

  /** For how long all lanes were held at the same time up to {@code now}. */
  long heldTime(long now) {
    return heldTime.total(now);
  }

  /** Why callers wait for a second or more, for people; empty if none does. */
  private String reason(long now) {
    Lane first = queued() == 0 ? null : lanes.firstReady(now);
    return first == null || first.readyAt(now) - now < NOTABLE
        ? ownWaits(now)
        : first.name() + ": " + first.statistics(now).reason();
  }

  /** How many wait for a time of their own, for people; empty if nobody does. */
  private String ownWaits(long now) {
    long first = Time.NEVER;
    for (Waiter waiter = delayed.first(); waiter != null; waiter = waiter.next) {
      first = Math.min(first, waiter.ask.notBefore());
    }
    return switch (delayed.size()) {
      case 0 -> "";
      case 1 -> "1 call waits %s before it may start".formatted(Figures.time(first - now));
      default ->
          "%d calls wait before they may start, the first one for %s"
              .formatted(delayed.size(), Figures.time(first - now));
    };
  }

  /** Lets nobody in any more, and sends away all who wait. */
  void close(List<Waiter> answered) {
    closed = true;
    for (WaitQueue queue : List.of(steady, background, delayed)) {
      for (Waiter waiter = queue.first(); waiter != null; waiter = queue.first()) {
        answer(waiter, Refusal.Closed.CLOSED, answered);
      }
    }
  }

  boolean isClosed() {
    return closed;
  }
}
