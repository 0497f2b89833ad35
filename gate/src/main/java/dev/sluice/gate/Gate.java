package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.lane.Lane;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.parallelism.AdaptiveRateStatistics;
import dev.sluice.control.retry.Backoff;
import dev.sluice.control.retry.RecentCalls;
import dev.sluice.control.retry.RetryBudget;
import dev.sluice.control.routing.ThrottleTracker;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The only place that queues and waits: before one lane, or before many (a connection pool).
 *
 * <p>A caller acquires a permit, makes its call, and settles the permit with what came back. While
 * it waits it holds nothing; hold, pace and its own not-before combine by maximum. First come,
 * first served among those that could be sent now, steady work before background work. Whoever
 * waits is re-planned whenever something changes, and is refused as soon as waiting makes no sense.
 *
 * <p>Thread-safe. One lock, held for moments and never over a wait, guards all state.
 */
public final class Gate implements AutoCloseable {
  private final Time time;
  private final RandomGenerator random;
  private final RecentCalls recentCalls = new RecentCalls();
  private final Backoff backoff;
  private final long patience;
  private final Listeners listeners;
  private final BriefLock lock = new BriefLock();
  private final Admission admission;
  private final Dispatcher dispatcher;
  private final List<Time.Bell> drainers = new ArrayList<>();

  /** Until when each route is held, in monotonic nanoseconds: setting a clock shortens no hold. */
  private final Map<String, Long> routes = new ConcurrentHashMap<>();

  Gate(GateBuilder builder) {
    this.time = builder.time;
    this.random = builder.random != null ? builder.random : new LockedRandom(time.random());
    this.backoff = new Backoff(random, recentCalls);
    this.patience = Time.after(0, builder.options.acquireTimeout());
    this.listeners = new Listeners(builder.listeners);
    this.admission =
        new Admission(
            this,
            builder.strategy(),
            builder.options.maxRetryAfterTolerance().map(t -> Time.after(0, t)).orElse(Time.NEVER));
    this.dispatcher = new Dispatcher(time, this::sweep);
    builder.lanes.forEach(this::addLane);
  }

  /** A gate before lanes that are added now or later. */
  public static GateBuilder builder() {
    return new GateBuilder();
  }

  /** A gate before one lane, in real time. */
  public static Gate over(String lane, LaneOptions options) {
    return builder().lane(lane, options).build();
  }

  /** Waits for a permit on nobody's account. */
  public Permit acquire() throws InterruptedException {
    return acquire(Run.unbounded(), Ask.plain());
  }

  /** Waits for a permit on a run's account. */
  public Permit acquire(Run run) throws InterruptedException {
    return acquire(run, Ask.plain());
  }

  /**
   * Waits for a permit. An interrupted caller leaves nothing behind: a permit that came meanwhile
   * is handed back.
   *
   * @throws RefusedException if waiting makes no sense, or no more: a {@link
   *     ServiceProtectionException} for a hold that is too long, a {@link PoolExhaustedException}
   *     if no slot came free in time
   */
  public Permit acquire(Run run, Ask ask) throws InterruptedException {
    Entry entry = enter(run, ask, Waiter.Blocked::new);
    if (entry instanceof Waiter.Blocked waiter) {
      try {
        boolean unused = waiter.bell.await(Time.NEVER);
      } catch (InterruptedException e) {
        withdraw(waiter);
        throw e;
      }
      entry = requireNonNull(waiter.outcome(), "a rung waiter has its outcome");
    }
    return switch (entry) {
      case Permit permit -> permit;
      case Refusal refusal -> throw RefusedException.of(run, refusal);
      case Waiter waiter -> throw new AssertionError(waiter);
    };
  }

  /** A permit if one can be had at once and nobody else waits; null otherwise. Never waits. */
  public @Nullable Permit tryAcquire(Run run) {
    return tryAcquire(run, Ask.plain());
  }

  /** The same, saying for what and on behalf of which call; its time-out does not matter. */
  public @Nullable Permit tryAcquire(Run run, Ask ask) {
    requireNonNull(run, "run");
    requireNonNull(ask, "ask");
    Permit permit;
    List<GateEvent.CircuitMoved> moves;
    lock.lock();
    try {
      permit = admission.queued() > 0 ? null : admission.tryStart(run, ask, time.nanos());
      moves = admission.takeMoves();
    } finally {
      lock.unlock();
    }
    moves.forEach(listeners::tell);
    return permit;
  }

  /**
   * When time alone may let {@link #tryAcquire(Run, Ask)} grant what it does not grant now; {@link
   * Time#NEVER} if only an answer can change that, or nothing will.
   */
  public long readyAt() {
    return look(now -> admission.isClosed() ? Time.NEVER : admission.lanes().wakeAt(now));
  }

  /** The same as {@link #acquireAsync(Run, Ask)} with nothing special asked. */
  public CompletableFuture<Permit> acquireAsync(Run run) {
    return acquireAsync(run, Ask.plain());
  }

  /**
   * Promises a permit: {@link #acquire(Run, Ask)} without blocking. A refusal completes the future
   * with its exception. Cancelling gives up the caller's turn. Continuations run on a task of their
   * own, or at once on the caller's thread if the outcome is known by then; never on a thread that
   * settles another permit.
   *
   * <p>Cancel this future, not one that depends on it: {@code acquireAsync(run).thenApply(f)} does
   * not pass its own cancellation on, and a permit that comes all the same is never settled. Keep
   * the future of the permit, or let {@link #callAsync} do it all.
   */
  public CompletableFuture<Permit> acquireAsync(Run run, Ask ask) {
    return switch (enter(run, ask, Waiter.Promised::new)) {
      case Permit permit -> CompletableFuture.completedFuture(permit);
      case Refusal refusal -> CompletableFuture.failedFuture(RefusedException.of(run, refusal));
      case Waiter.Promised waiter -> waiter.future;
      case Waiter waiter -> throw new AssertionError(waiter);
    };
  }

  private Entry enter(Run run, Ask ask, Waiter.Factory factory) {
    requireNonNull(run, "run");
    requireNonNull(ask, "ask");
    Turn turn = null;
    Entry entry;
    List<GateEvent.CircuitMoved> moves = List.of();
    lock.lock();
    try {
      long now = time.nanos();
      long deadline = ask.timeout().isEmpty() ? Time.NEVER : Time.after(now, ask.timeout().get());
      entry = admission.arrive(run, ask, deadline, now);
      if (entry == null) {
        Waiter waiter =
            factory.create(
                this, run, ask, deadline, ask.timeout().isEmpty() ? patience : Time.NEVER);
        admission.enter(waiter, now);
        turn = follow(new Turn(), now);
        entry = waiter;
      } else {
        moves = admission.takeMoves();
      }
    } finally {
      lock.unlock();
    }
    if (turn != null) {
      finish(turn);
    }
    moves.forEach(listeners::tell);
    if (entry instanceof Refusal refusal) {
      listeners.tellRefused(run, refusal);
    }
    return entry;
  }

  /** A waiter has lost interest: it leaves, and a permit that it was granted is handed back. */
  void withdraw(Waiter waiter) {
    Permit late = null;
    Turn turn;
    lock.lock();
    try {
      admission.leave(waiter);
      late = waiter.outcome() instanceof Permit permit ? permit : null;
      turn = follow(new Turn(), time.nanos());
    } finally {
      lock.unlock();
    }
    finish(turn);
    if (late != null) {
      boolean unused = abandon(late);
    }
  }

  /**
   * Settles a permit; false if it was settled or abandoned before. What a policy throws reaches the
   * caller once everybody else has been served.
   */
  boolean settle(Permit permit, Signal signal) {
    requireNonNull(signal, "signal");
    Turn turn = null;
    RuntimeException thrown = null;
    lock.lock();
    try {
      if (permit.isSettled()) {
        return false;
      }
      long now = time.nanos();
      Lane lane = permit.lane;
      long heldUntil = lane.heldUntil();
      boolean shut = lane.isShut(now);
      LaneWatch watch = listeners.isEmpty() ? null : new LaneWatch(lane, now);
      try {
        admission.settle(permit, signal, now);
      } catch (RuntimeException e) {
        thrown = e;
      }
      boolean moved = lane.heldUntil() != heldUntil || lane.isShut(now) != shut;
      if (moved || watch != null || isAwaited()) {
        turn = new Turn();
        if (watch != null) {
          watch.report(signal, now, turn.events);
        }
        if (moved) {
          admission.holdsChanged(now, turn.answered);
        }
        noteMoves(turn, permit.run);
        follow(turn, now);
      }
    } finally {
      lock.unlock();
    }
    if (signal instanceof Signal.Success && permit.run.retryBudget().isPresent()) {
      permit.run.retryBudget().get().deposit();
    }
    if (turn != null) {
      finish(turn);
    }
    if (thrown != null) {
      throw thrown;
    }
    return true;
  }

  /** Takes an unused permit back; false if it was settled or abandoned before. */
  boolean abandon(Permit permit) {
    Turn turn = null;
    lock.lock();
    try {
      if (permit.isSettled()) {
        return false;
      }
      long now = time.nanos();
      admission.abandon(permit, now);
      if (isAwaited()) {
        turn = follow(new Turn(), now);
      }
    } finally {
      lock.unlock();
    }
    if (turn != null) {
      finish(turn);
    }
    return true;
  }

  /** Whether anybody waits for what happens here. */
  private boolean isAwaited() {
    return admission.waiting() > 0 || !drainers.isEmpty();
  }

  /** Something has changed: answers whom it can, and plans for the rest. Under the lock. */
  private Turn follow(Turn turn, long now) {
    admission.sweep(now, turn.answered);
    noteMoves(turn, Run.unbounded());
    turn.action = dispatcher.plan(admission.nextEvent(now));
    if (admission.inFlight() == 0) {
      drainers.forEach(Time.Bell::ring);
      drainers.clear();
    }
    return turn;
  }

  /** The circuits' moves, with what is left in the retry budget of the run that saw them. */
  private void noteMoves(Turn turn, Run run) {
    OptionalLong tokens = run.retryBudget().stream().mapToLong(RetryBudget::tokens).findFirst();
    for (GateEvent.CircuitMoved move : admission.takeMoves()) {
      turn.events.add(tokens.isEmpty() ? move : move.withRetryTokens(tokens.getAsLong()));
    }
  }

  /** The dispatcher's own look: answers whom it can and says when to look again. */
  private long sweep() {
    Turn turn = new Turn();
    long next;
    lock.lock();
    try {
      long now = time.nanos();
      next = dispatcher.next(Time.NEVER); // should the sweep fail, another dispatcher can start
      admission.sweep(now, turn.answered);
      noteMoves(turn, Run.unbounded());
      if (isToldOf(turn)) {
        // Those who listen may take their time, or ask this very gate for a permit: another task
        // goes on for those who wait.
        turn.action = dispatcher.plan(admission.nextEvent(now));
      } else {
        next = dispatcher.next(admission.nextEvent(now));
      }
    } finally {
      lock.unlock();
    }
    finish(turn);
    return next;
  }

  /** Whether somebody listens and will be told something when this turn is finished. */
  private boolean isToldOf(Turn turn) {
    return !listeners.isEmpty()
        && (!turn.events.isEmpty()
            || turn.answered.stream().anyMatch(waiter -> waiter.outcome() instanceof Refusal));
  }

  /** What a turn left to do, outside the lock: everybody is told before anybody who listens is. */
  private void finish(Turn turn) {
    dispatcher.act(turn.action);
    for (Waiter waiter : turn.answered) {
      waiter.deliver(requireNonNull(waiter.outcome(), "an answered waiter has its outcome"));
    }
    turn.events.forEach(listeners::tell);
    for (Waiter waiter : turn.answered) {
      if (waiter.outcome() instanceof Refusal refusal) {
        listeners.tellRefused(waiter.run, refusal);
      }
    }
  }

  Listeners listeners() {
    return listeners;
  }

  /** Why this run would be refused now, however long it waited; null if it would not. */
  @Nullable Refusal refusal(Run run) {
    return look(now -> admission.refusal(run, now));
  }

  /** Until when a throttle asks a call to stay away. */
  long toldUntil(Lane lane, Signal.Throttled throttled) {
    return look(now -> lane.toldUntil(throttled, now));
  }

  /** Makes a call whose repeat might do harm; see {@link #call(Run, CallOptions, Call)}. */
  public <T extends @Nullable Object, E extends Exception> T call(Run run, Call<T, E> call)
      throws E, InterruptedException {
    return call(run, CallOptions.DEFAULTS, call);
  }

  /**
   * Makes a call: acquires, sends, settles, and tries again as the table of signals says, every
   * attempt through this gate. An interrupted call says nothing about the service.
   *
   * @return what the last attempt returned: a success, a rejection, a terminal answer, or a
   *     transient failure that was an answer and is out of attempts or of time
   * @throws E what the last attempt threw, if no answer came and attempts or time are out
   * @throws ServiceProtectionException if the call is out of throttle retries
   * @throws RefusedException if the gate refuses, or the run's retry budget is empty
   */
  public <T extends @Nullable Object, E extends Exception> T call(
      Run run, CallOptions callOptions, Call<T, E> call) throws E, InterruptedException {
    return new Caller<>(this, run, callOptions, call).call();
  }

  /**
   * Promises what {@link #call(Run, CallOptions, Call)} returns or throws, without blocking: the
   * call is made on a task of its own, where continuations run too. Cancelling the future
   * interrupts that task, wherever it is, and leaves nothing behind. Completed in any other way, as
   * by {@link CompletableFuture#orTimeout}, it is interrupted, too, and what was sent counts as a
   * failure.
   */
  public <T extends @Nullable Object, E extends Exception> CompletableFuture<T> callAsync(
      Run run, CallOptions callOptions, Call<T, E> call) {
    return AsyncCaller.start(time, new Caller<>(this, run, callOptions, call));
  }

  RecentCalls recentCalls() {
    return recentCalls;
  }

  /**
   * How long failed calls wait here: from 200 ms while most calls succeed, otherwise from 1 s. For
   * those who repeat by themselves what a call must not.
   */
  public Backoff backoff() {
    return backoff;
  }

  /**
   * Makes no call on a route for so long from now; a hold that lasts longer stays, and nothing but
   * time ends it. Routes are names of the callers' own ({@link CallOptions#route}).
   */
  public void holdRoute(String route, Duration length) {
    holdRouteUntil(route, time.deadline(length));
  }

  void holdRouteUntil(String route, long until) {
    long now = time.nanos();
    routes.values().removeIf(end -> end <= now);
    Long unused = routes.merge(route, until, Math::max);
  }

  /** How long a route is held from now; zero if it is free. */
  public Duration routeHeld(String route) {
    return until(routeHeldUntil(route));
  }

  /** Until when a route is held, perhaps in the past; {@link Ask#AT_ONCE} if nobody held it. */
  long routeHeldUntil(String route) {
    return route.isEmpty() ? Ask.AT_ONCE : routes.getOrDefault(route, Ask.AT_ONCE);
  }

  /** Whether some lane that the caller has not tried is neither held nor shut. */
  boolean hasFreeLane(Predicate<String> tried) {
    return look(now -> admission.lanes().hasFree(tried, now));
  }

  /** When not every lane is held back any more; now if that is so. */
  long freeAt() {
    return look(now -> admission.lanes().freeAt(now));
  }

  long heldUntil(Lane lane) {
    return look(now -> lane.heldUntil());
  }

  /** How long until a time; zero if it is over. */
  Duration until(long nanos) {
    long now = time.nanos();
    return Duration.ofNanos(Math.max(now, nanos) - now);
  }

  <T extends @Nullable Object> T look(LongFunction<T> question) {
    lock.lock();
    try {
      return question.apply(time.nanos());
    } finally {
      lock.unlock();
    }
  }

  /** Adds a lane while the gate runs. Its name must be new here. */
  public void addLane(String name, LaneOptions options) {
    change(now -> admission.lanes().add(new Lane(name, options, random, now)));
  }

  /** Takes a lane away. What is in flight on it settles as usual; nothing new is sent on it. */
  public void removeLane(String name) {
    change(now -> admission.lanes().remove(admission.lanes().require(name)));
  }

  /**
   * Sends nothing through a lane for this long from now, as after a throttle that was told
   * elsewhere; nothing is counted. A hold that lasts longer stays.
   *
   * @param length cut to {@link ThrottleTracker#LONGEST_HOLD}; nothing happens unless it is
   *     positive
   */
  public void hold(String name, Duration length) {
    requireNonNull(length, "length");
    Duration longest = ThrottleTracker.LONGEST_HOLD;
    Duration cut = length.compareTo(longest) > 0 ? longest : length;
    change(
        now -> {
          Lane lane = admission.lanes().require(name);
          if (cut.isPositive()) {
            lane.holdUntil(now + cut.toNanos(), now);
          }
        });
  }

  /**
   * Takes up where the circuit of an earlier process left off: what was open stays so for the rest
   * of its time, and is then tried with a few requests. Nothing happens once something was sent
   * through the lane.
   *
   * @param fact the circuit's last move
   * @param age how long ago that was
   */
  public void restoreCircuit(String name, CircuitTransition fact, Duration age) {
    requireNonNull(fact, "fact");
    requireNonNull(age, "age");
    change(now -> admission.lanes().require(name).restoreCircuit(fact, age, now));
  }

  /** A person has acted: lifts a lane's stop and closes its circuit. */
  public void reopen(String name) {
    change(now -> admission.reopen(name, now));
  }

  /**
   * Searches anew for how many requests at once a lane sustains, as if nothing had been learned of
   * that; for aimd that is its initial share of the maximum. Totals stay, and so do holds and what
   * was spent by a ledger, because they are the service's. Where a number is fixed, only {@link
   * AdaptiveRateStatistics#successesSinceThrottle} changes.
   *
   * @throws IllegalArgumentException if there is no such lane
   */
  public void reset(String connection) {
    change(now -> admission.lanes().require(connection).reset(now));
  }

  /**
   * Where the search for a lane's parallelism stands, whatever its policy.
   *
   * @throws IllegalArgumentException if there is no such lane
   */
  public AdaptiveRateStatistics adaptiveRateStatistics(String connection) {
    return look(now -> admission.lanes().require(connection).adaptiveRate(now, time.instant()));
  }

  /** The same of every lane, in the order in which they were added. */
  public List<AdaptiveRateStatistics> adaptiveRateStatistics() {
    return look(
        now ->
            admission.lanes().all().stream()
                .map(lane -> lane.adaptiveRate(now, time.instant()))
                .toList());
  }

  /** Applies a change to the lanes under the lock, and lets those who wait have the benefit. */
  void change(LongConsumer body) {
    Turn turn = new Turn();
    lock.lock();
    try {
      long now = time.nanos();
      body.accept(now);
      if (!listeners.isEmpty()) {
        admission.lanes().all().forEach(lane -> LaneWatch.reportReason(lane, now, turn.events));
      }
      admission.holdsChanged(now, turn.answered);
      follow(turn, now);
    } finally {
      lock.unlock();
    }
    finish(turn);
  }

  /**
   * For how long all lanes were held back at the same time so far: told to wait, or with an open
   * circuit. Cheap.
   */
  public Duration heldTime() {
    return Duration.ofNanos(look(admission::heldTime));
  }

  /** What the gate and its lanes do now and did so far. */
  public PoolStatistics statistics() {
    return look(admission::statistics);
  }

  /**
   * The lanes' holds as a throttle tracker. It is live: recording a throttle there holds the lane
   * here. A name that is no lane's is refused with an {@link IllegalArgumentException}.
   */
  public ThrottleTracker throttleTracker() {
    return new GateThrottles(this, admission);
  }

  /** Adds somebody to be told what happens here. */
  public void addListener(GateListener listener) {
    listeners.add(listener);
  }

  /** The time that this gate runs on. */
  public Time time() {
    return time;
  }

  /**
   * Closes the gate and waits until every permit has been settled.
   *
   * @return whether they all were, within {@code longest}
   */
  public boolean drain(Duration longest) throws InterruptedException {
    close();
    Time.Bell bell = time.bell();
    lock.lock();
    try {
      if (admission.inFlight() == 0) {
        return true;
      }
      drainers.add(bell);
    } finally {
      lock.unlock();
    }
    try {
      return bell.await(time.deadline(longest));
    } finally {
      boolean unused = look(now -> drainers.remove(bell));
    }
  }

  /**
   * Lets nobody in any more and refuses all who wait. Permits that are out stay valid and are
   * settled as usual. Closing twice does nothing.
   */
  @Override
  public void close() {
    Turn turn = new Turn();
    lock.lock();
    try {
      admission.close(turn.answered);
      follow(turn, time.nanos());
    } finally {
      lock.unlock();
    }
    finish(turn);
  }
}
