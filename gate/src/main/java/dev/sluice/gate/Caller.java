package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.retry.Backoff;
import dev.sluice.control.retry.Decision;
import dev.sluice.control.retry.Retries;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one call through a gate, with the retries of the table of signals. Every attempt passes the
 * gate, and every attempt is settled, the last one too. Used by one thread.
 */
final class Caller<T, E extends Exception> {
  private static final Logger log = LoggerFactory.getLogger(Gate.class);

  private final Gate gate;
  private final Run run;
  private final CallOptions options;
  private final Call<T, E> call;
  private final Retries retries;

  private final Ask plain; // every attempt is one of this call
  private Ask ask;
  private Call.@Nullable Reply<T> reply;
  private @Nullable Exception failure;
  private Signal.@Nullable Throttled throttled;

  Caller(Gate gate, Run run, CallOptions options, Call<T, E> call, Backoff backoff) {
    this.gate = gate;
    this.run = requireNonNull(run, "run");
    this.options = requireNonNull(options, "options");
    this.call = requireNonNull(call, "call");
    this.plain = options.ask().onBehalfOf(this);
    this.ask = plain;
    this.retries = new Retries(options.retries(), backoff, run.retryBudget().orElse(null));
  }

  T call() throws E, InterruptedException {
    while (true) {
      Permit permit = acquire();
      if (!retries.granted(permit.lane())) {
        permit.abandon();
        throw protection(new Refusal.GivenUp(permit.lane()), permit.lane(), toldWait());
      }
      Signal signal = attempt(permit);
      throttled = signal instanceof Signal.Throttled told ? told : throttled;
      long now = gate.time().nanos();
      Decision decision = retries.settled(signal, now, () -> canReroute(permit));
      log(permit, signal, decision);
      failIfRefused(decision);
      switch (decision) {
        case Decision.Done() -> {
          return result();
        }
        case Decision.GiveUp(Decision.Reason reason) -> {
          return giveUp(reason, permit.lane());
        }
        case Decision.Reroute() -> again(permit, signal, plain, Duration.ZERO);
        case Decision.AwaitLane() -> again(permit, signal, waitOut(permit), Duration.ZERO);
        case Decision.RetryAt(long notBefore) ->
            again(
                permit,
                signal,
                plain.notBefore(notBefore),
                Duration.ofNanos(Math.max(0, notBefore - now)));
      }
    }
  }

  /**
   * A retry that the gate refuses was never sent: its token comes back, and the refusal tells what
   * the attempts before it came to.
   */
  private Permit acquire() throws InterruptedException {
    try {
      return gate.acquire(run, ask);
    } catch (InterruptedException e) {
      retries.notSent();
      throw e;
    } catch (RefusedException e) {
      retries.notSent();
      if (e.refusal() instanceof Refusal.Held held && retries.attempts() > 0) {
        throw protection(held, held.lane(), held.remaining());
      }
      throw withCause(e);
    }
  }

  /** A lane that is not held when it throttles would be chosen again: no reroute without holds. */
  private boolean canReroute(Permit permit) {
    return permit.lane.holdsWhenThrottled() && gate.hasFreeLane(retries::isTried);
  }

  /**
   * The gate is asked before the retry budget: a call that an open circuit stops ends for that
   * reason, and spends no token.
   */
  private void failIfRefused(Decision decision) {
    boolean ends =
        decision instanceof Decision.Done
            || (decision instanceof Decision.GiveUp(Decision.Reason reason)
                && reason != Decision.Reason.RETRY_BUDGET);
    Refusal refusal = ends ? null : gate.refusal(run);
    if (refusal != null) {
      retries.notSent();
      throw refused(refusal);
    }
  }

  private RefusedException refused(Refusal refusal) {
    gate.listeners().tellRefused(run, refusal);
    return withCause(RefusedException.of(run, refusal));
  }

  private <X extends RefusedException> X withCause(X refused) {
    if (failure != null) {
      refused.initCause(failure);
    }
    return refused;
  }

  /** Sends once and settles, whatever happens. */
  private Signal attempt(Permit permit) throws InterruptedException {
    reply = null;
    failure = null;
    try (permit) {
      Signal signal;
      try {
        reply = requireNonNull(call.send(permit), "the call's reply");
        signal = reply.signal();
      } catch (InterruptedException | RuntimeException e) {
        throw e; // not an answer: closing the permit counts it as a failure
      } catch (Exception e) {
        failure = e;
        signal = options.failures().orElse(CallOptions.UNKNOWN).apply(e);
      }
      permit.settle(signal);
      return signal;
    }
  }

  /** A lane that does not hold itself back leaves the wait to the call. */
  private Ask waitOut(Permit permit) {
    return throttled == null || permit.lane.holdsWhenThrottled()
        ? plain
        : plain.notBefore(gate.toldUntil(permit.lane, throttled));
  }

  private void again(Permit permit, Signal signal, Ask next, Duration backoff) {
    ask = next;
    gate.listeners().tellRetried(permit.lane(), signal, retries.attempts(), backoff);
  }

  private T giveUp(Decision.Reason reason, String lane) throws E {
    return switch (reason) {
      case THROTTLE_RETRIES -> throw protection(new Refusal.GivenUp(lane), lane, toldWait());
      case RETRY_BUDGET -> throw refused(Refusal.Budget.RETRY_BUDGET);
      case ATTEMPTS, OUTCOME_UNKNOWN -> result();
    };
  }

  private ServiceProtectionException protection(Refusal refusal, String lane, Duration retryAfter) {
    gate.listeners().tellRefused(run, refusal);
    return withCause(
        new ServiceProtectionException(
            refusal,
            lane,
            throttled == null ? 0 : code(throttled.code()),
            retryAfter,
            retries.attempts()));
  }

  /** What the last throttle asked for, or how long lanes are held if it did not say. */
  private Duration toldWait() {
    return throttled == null
        ? Duration.ZERO
        : throttled.retryAfter().orElseGet(() -> gate.throttleTracker().shortestExpiry());
  }

  /** A hexadecimal error code as the number that it is; 0 for any other code. */
  private static int code(String text) {
    return text.matches("0x[0-9a-fA-F]{1,8}") ? Integer.parseUnsignedInt(text.substring(2), 16) : 0;
  }

  @SuppressWarnings("unchecked") // a call throws nothing but its E, interrupts and bugs
  private T result() throws E {
    if (failure != null) {
      throw (E) failure;
    }
    return requireNonNull(reply, "an attempt without failure has a reply").value();
  }

  private void log(Permit permit, Signal signal, Decision decision) {
    if (signal instanceof Signal.Throttled throttled) {
      log.warn(
          "throttled connection={} facet={} code={} retry-after={} attempt={} waits={}/{} next={}",
          permit.lane(),
          throttled.facet().wireName(),
          throttled.code(),
          throttled.retryAfter().map(Waits::show).orElse("none"),
          retries.attempts(),
          retries.throttleRetries(),
          options.retries().maxThrottleRetries(),
          decision.getClass().getSimpleName());
    }
  }
}
