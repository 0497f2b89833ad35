package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.retry.Decision;
import dev.sluice.control.retry.RecentCalls;
import dev.sluice.control.retry.Retries;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one call path: waits for its turn, sends, settles, and goes on until the call is done or
 * given up, by the table of signals. Every attempt passes the gate, and every attempt is settled,
 * the last one too. Nothing is held while it waits. Used by one thread.
 */
final class Caller<T extends @Nullable Object, E extends Exception> {
  private static final Logger log = LoggerFactory.getLogger(Gate.class);

  private final Gate gate;
  private final Run run;
  private final CallOptions options;
  private final Call<T, E> call;
  private final Patience patience;

  private final Ask plain; // every attempt is one of this call
  private Set<String> renewed = Set.of(); // lanes whose credentials were
  private final Retries retries;
  private int reopenings;
  private long place = RecentCalls.NO_PLACE; // tells whether a quick retry makes sense
  private Ask ask;
  private Call.@Nullable Reply<T> reply;
  private @Nullable Exception failure;
  private long alone = Ask.AT_ONCE; // until when this call waits by itself
  private boolean renews; // the next attempt carries other credentials than the last
  private Signal.@Nullable Throttled throttled;
  private volatile boolean timedOut;

  Caller(Gate gate, Run run, CallOptions options, Call<T, E> call) {
    this.gate = gate;
    this.run = requireNonNull(run, "run");
    this.options = requireNonNull(options, "options");
    this.call = requireNonNull(call, "call");
    this.retries = new Retries(options.retries(), gate.backoff(), run.retryBudget().orElse(null));
    // Circuits remember the last calls: by an object that keeps no answer alive.
    this.plain = options.ask().call() == null ? options.ask().onBehalfOf(retries) : options.ask();
    this.ask = plain;
    this.patience = new Patience(run, options.deadline(), gate.time());
  }

  /** A timer has run out: a request that is interrupted from now on has failed. */
  void timedOut() {
    timedOut = true;
  }

  T call() throws E, InterruptedException {
    boolean returned = false;
    try {
      T value = untilDone();
      returned = true;
      return value;
    } finally {
      if (!returned) {
        discardReply();
      }
    }
  }

  private T untilDone() throws E, InterruptedException {
    while (true) {
      Permit permit = acquire();
      if (permit == null) {
        return result();
      }
      if (!retries.granted(permit.lane())) {
        permit.abandon();
        throw protection(new Refusal.GivenUp(permit.lane()), permit.lane(), toldWait());
      }
      Signal signal = attempt(permit);
      if (signal == null) {
        continue; // not sent
      }
      if (signal instanceof Signal.Success) {
        return result();
      }
      long now = gate.time().nanos();
      Decision decision =
          renews
              ? retries.renewed()
              : retries.settled(signal, now, () -> alone == Ask.AT_ONCE && canReroute(permit));
      Ask next = next(decision, permit, alone);
      log(permit, signal, decision, next);
      if (decision instanceof Decision.Done || isInPart(signal)) {
        return result();
      }
      if (decision instanceof Decision.GiveUp(Decision.Reason reason)
          && reason != Decision.Reason.RETRY_BUDGET) {
        return giveUp(reason, permit.lane(), alone);
      }
      // The gate is asked before the retry budget: a call that an open circuit stops ends for that
      // reason, or waits for it, and spends no token.
      Refusal refusal = gate.refusal(run);
      if (refusal != null) {
        retries.notSent();
        if (!waitForCircuit(refusal, next)) {
          throw refused(refusal);
        }
        continue;
      }
      if (decision instanceof Decision.GiveUp(Decision.Reason reason)) {
        return giveUp(reason, permit.lane(), alone);
      }
      if (alone != Ask.AT_ONCE && !patience.mayWait(alone)) {
        retries.notSent();
        throw postponed(alone, true);
      }
      boolean toldTooLong =
          signal instanceof Signal.Transient failed && patience.isTooLong(failed.retryAfter());
      if (toldTooLong || patience.isOver(next, now)) { // the caller gets what there is
        retries.notSent();
        return signal instanceof Signal.Throttled
            ? giveUp(Decision.Reason.THROTTLE_RETRIES, permit.lane(), alone)
            : result();
      }
      logWait(permit, signal, decision, next);
      again(permit, signal, next, now);
    }
  }

  /**
   * Waits for a permit. A retry that the gate refuses was never sent: its token comes back, and the
   * refusal tells what the attempts before it came to.
   *
   * @return null if no permit can be had in the caller's time, and the last attempt says why
   */
  private @Nullable Permit acquire() throws InterruptedException {
    while (true) {
      long route = gate.routeHeldUntil(options.route());
      if (route != Ask.AT_ONCE && !patience.mayWait(route)) {
        retries.notSent();
        throw postponed(route, false);
      }
      try {
        Permit permit = gate.acquire(run, patience.within(ask, route));
        if (gate.routeHeldUntil(options.route()) <= permit.sentAt()) {
          return permit;
        }
        permit.abandon(); // held meanwhile
      } catch (InterruptedException e) {
        retries.notSent();
        throw e;
      } catch (RefusedException e) {
        retries.notSent();
        if (waitForCircuit(e.refusal(), ask)) {
          continue;
        }
        if (failure != null
            && (e.refusal() instanceof Refusal.TooLate
                || e.refusal() instanceof Refusal.TimedOut)) {
          return null;
        }
        if (e.refusal() instanceof Refusal.Held held && retries.attempts() > 0) {
          throw protection(held, held.lane(), held.remaining());
        }
        throw withCause(e);
      }
    }
  }

  /** Sends once and settles, whatever happens; returns null if it was not sent. */
  @SuppressWarnings("ReferenceEquality") // a reply that says "not yet" is that very object
  private @Nullable Signal attempt(Permit permit) throws InterruptedException {
    reply = null;
    failure = null;
    try (permit) {
      Signal signal;
      try {
        reply = requireNonNull(call.send(permit), "the call's reply");
        if (reply == Call.Reply.<T>notYet()) {
          reply = null;
          boolean unused = gate.abandon(permit);
          return null;
        }
        signal = reply.signal();
      } catch (InterruptedException e) {
        Signal signalled = timedOut ? CallOptions.UNKNOWN_OUTCOME : Signal.CANCELLED;
        boolean unused = gate.settle(permit, signalled);
        throw e;
      } catch (RuntimeException e) {
        throw e; // not an answer: closing the permit counts it as a failure
      } catch (Exception e) {
        failure = e;
        signal = options.failures().orElse(CallOptions.UNKNOWN).apply(e);
      }
      signal = afterRenewal(signal, permit.lane());
      alone = alone(permit, signal); // first: a caller of this route may take the slot at once
      permit.settle(isNarrow(signal) ? requireNonNull(reply).forLane() : signal);
      if (signal instanceof Signal.Throttled throttle) {
        throttled = throttle;
      }
      place = gate.recentCalls().settled(place, signal);
      return signal;
    }
  }

  /** What is not accepted with fresh credentials will not be by asking again. */
  private Signal afterRenewal(Signal signal, String lane) {
    boolean refused =
        signal instanceof Signal.Rejected rejected
            && rejected.kind() == Signal.Rejected.Kind.UNAUTHORIZED;
    renews = refused && !renewed.contains(lane) && call.renew();
    if (renews) {
      renewed = new HashSet<>(renewed);
      renewed.add(lane);
    }
    return refused && !renews && options.stopsUnauthorized()
        ? Signal.stopped(Signal.Stopped.Reason.AUTH_FAILURE)
        : signal;
  }

  /** Whether a throttle is about less than the lane. */
  private boolean isNarrow(Signal signal) {
    return signal instanceof Signal.Throttled && reply != null && reply.isNarrow(options.route());
  }

  /** Until when a throttle lets this call wait alone, or its route; {@link Ask#AT_ONCE} if none. */
  private long alone(Permit permit, Signal signal) {
    if (!isNarrow(signal) || !(signal instanceof Signal.Throttled throttle)) {
      return Ask.AT_ONCE;
    }
    long until = gate.toldUntil(permit.lane, throttle);
    if (requireNonNull(reply).reach() == Reach.ROUTE) {
      gate.holdRouteUntil(options.route(), until);
    }
    return until;
  }

  private boolean isInPart(Signal signal) {
    return signal instanceof Signal.Throttled && reply != null && reply.inPart();
  }

  /** A lane that is not held when it throttles would be chosen again: no reroute without holds. */
  private boolean canReroute(Permit permit) {
    return permit.lane.holdsWhenThrottled() && gate.hasFreeLane(retries::isTried);
  }

  /** What is asked of the gate for the next attempt, if there is one. */
  private Ask next(Decision decision, Permit permit, long alone) {
    return switch (decision) {
      case Decision.RetryAt(long notBefore) -> plain.notBefore(notBefore);
      case Decision.AwaitLane() when alone != Ask.AT_ONCE -> plain.notBefore(alone);
      // A lane that does not hold itself back leaves the wait to the call.
      case Decision.AwaitLane() when throttled != null && !permit.lane.holdsWhenThrottled() ->
          plain.notBefore(gate.toldUntil(permit.lane, throttled));
      default -> plain;
    };
  }

  /** Waits until an open circuit is tried again, if the call and its run may; false otherwise. */
  private boolean waitForCircuit(Refusal refusal, Ask next) throws InterruptedException {
    if (reopenings == options.reopenings()
        || !(refusal instanceof Refusal.CircuitOpen open)
        || !patience.mayWait(gate.time().deadline(open.triedAgainIn()))
        || !patience.mayWait(next.notBefore())) {
      return false;
    }
    reopenings++;
    retries.startAgain();
    ask = next;
    discardReply();
    call.retrying();
    gate.time().sleep(open.triedAgainIn());
    return true;
  }

  private void again(Permit permit, Signal signal, Ask next, long now) throws InterruptedException {
    discardReply();
    try {
      call.retrying();
    } catch (InterruptedException e) {
      retries.notSent();
      throw e;
    }
    ask = next;
    Duration wait = Duration.ofNanos(Math.max(now, next.notBefore()) - now);
    gate.listeners().tellRetried(permit.lane(), signal, retries.attempts(), wait);
  }

  private T giveUp(Decision.Reason reason, String lane, long alone) throws E {
    if (alone != Ask.AT_ONCE) {
      throw postponed(alone, true);
    }
    return switch (reason) {
      case THROTTLE_RETRIES -> throw protection(new Refusal.GivenUp(lane), lane, toldWait());
      case RETRY_BUDGET -> throw refused(Refusal.Budget.RETRY_BUDGET);
      case ATTEMPTS, OUTCOME_UNKNOWN -> result();
    };
  }

  private RefusedException postponed(long until, boolean told) {
    Time time = gate.time();
    return refused(new Refusal.Postponed(time.instant().plusNanos(until - time.nanos()), told));
  }

  private RefusedException refused(Refusal refusal) {
    gate.listeners().tellRefused(run, refusal);
    return withCause(RefusedException.of(run, refusal));
  }

  private ServiceProtectionException protection(Refusal refusal, String lane, Duration retryAfter) {
    gate.listeners().tellRefused(run, refusal);
    return withCause(
        new ServiceProtectionException(
            refusal,
            lane,
            throttled == null ? 0 : ServiceProtectionException.errorCode(throttled.code()),
            retryAfter,
            retries.attempts()));
  }

  private <X extends RefusedException> X withCause(X refused) {
    if (failure != null) {
      refused.initCause(failure);
    }
    return refused;
  }

  /** What the last throttle asked for, or how long lanes are held if it did not say. */
  private Duration toldWait() {
    return throttled == null
        ? Duration.ZERO
        : throttled.retryAfter().orElseGet(() -> gate.throttleTracker().shortestExpiry());
  }

  @SuppressWarnings("unchecked") // a call throws nothing but its E, interrupts and bugs
  private T result() throws E {
    if (failure != null) {
      throw (E) failure;
    }
    return requireNonNull(reply, "an attempt without failure has a reply").value();
  }

  private void discardReply() {
    Call.Reply<T> unwanted = reply;
    reply = null;
    if (unwanted != null) {
      discard(unwanted.value());
    }
  }

  /** Nobody gets this value. */
  void discard(T value) {
    try {
      call.discard(value);
    } catch (RuntimeException e) { // of no meaning for the call
      log.debug("an answer that nobody wants cannot be closed", e);
    }
  }

  private void log(Permit permit, Signal signal, Decision decision, Ask next) {
    if (signal instanceof Signal.Throttled throttle) {
      log.warn(
          "throttled connection={} facet={} code={} retry-after={} attempt={} waits={}/{} next={}"
              + " reach={}",
          permit.lane(),
          throttle.facet().wireName(),
          throttle.code(),
          throttle.retryAfter().map(Waits::show).orElse("none"),
          retries.attempts(),
          retries.throttleRetries(),
          options.retries().maxThrottleRetries(),
          decision.getClass().getSimpleName(),
          isNarrow(signal) ? requireNonNull(reply).reach() : Reach.PROVIDER);
      if (throttle.retryAfter().isEmpty()) {
        log.warn(
            "service protection error without Retry-After, using fallback {}: connection={} code={}",
            Waits.show(gate.until(Math.max(gate.heldUntil(permit.lane), next.notBefore()))),
            permit.lane(),
            throttle.code());
      }
    } else if (decision instanceof Decision.RetryAt
        && signal instanceof Signal.Transient failed
        && failed.retryAfter().isPositive()) {
      log.warn(
          "failed connection={} kind={} retry-after={} attempt={}: only this call waits",
          permit.lane(),
          failed.kind().wireName(),
          Waits.show(failed.retryAfter()),
          retries.attempts());
    }
  }

  /** A throttled call goes on: through another connection, or after a wait. */
  private void logWait(Permit permit, Signal signal, Decision decision, Ask next) {
    if (!(signal instanceof Signal.Throttled)) {
      return;
    }
    if (decision instanceof Decision.Reroute) {
      log.debug(
          "other connections available, retrying immediately on a different one: connection={}",
          permit.lane());
    } else if (log.isInfoEnabled()) {
      Duration wait = gate.until(Math.max(gate.freeAt(), next.notBefore()));
      if (wait.isPositive()) {
        log.info(
            "{}, waiting {} before retry: connection={} attempt={}",
            next.notBefore() == Ask.AT_ONCE ? "all connections throttled" : "one call throttled",
            Waits.show(wait),
            permit.lane(),
            retries.attempts());
      }
    }
  }
}
