package dev.sluice.collect.run;

import dev.sluice.collect.connector.NoProofException;
import dev.sluice.collect.connector.Provider;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.control.retry.RetryBudget;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Ask;
import dev.sluice.gate.Call;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.HoldCause;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.Run;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Reading;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.AnswerTooLargeException;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A run's requests to its provider. Thread-safe. */
final class GatedRequests {
  private static final Logger log = LoggerFactory.getLogger(GatedRequests.class);
  private static final int BODY_READ = 64 * 1024;

  /** A circuit that was tried again so often without a success stays open for this run. */
  private static final int MOST_REOPENINGS = 8;

  /** Every request of a collection only reads. */
  private static final CallOptions READS =
      CallOptions.DEFAULTS.withAsk(Ask.patient()).withFailures(GatedRequests::meaning).repeatable();

  private final Provider provider;
  private final Transport transport;
  private final Gate gate;
  private final Run run;
  private final LaneUse lane;
  private final LaneHolds holds;

  GatedRequests(Provider provider, Transport transport, Gate gate, Run run, LaneUse lane) {
    this.provider = provider;
    this.transport = transport;
    this.gate = gate;
    this.run = run;
    this.lane = lane;
    this.holds = lane.holds();
  }

  /** Without a proof nothing was sent; a proof that is refused will not be given later either. */
  private static Signal meaning(Exception failure) {
    if (failure instanceof NoProofException unissued) {
      return unissued.signal();
    }
    if (!(failure instanceof ProviderException refused)) {
      return Signals.failed(failure);
    }
    return refused.reason() == Reason.Failure.AUTH_FAILURE
        ? Signal.stopped(Signal.Stopped.Reason.AUTH_FAILURE)
        : Signal.rejected(Signal.Rejected.Kind.INVALID);
  }

  /** Nothing was sent: the lane or the stream is held since the gate let the request through. */
  private static final class HeldMeanwhileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HeldMeanwhileException() {
      super("the lane is held since", null, false, false);
    }
  }

  /** As {@link Requests#send}. */
  WebAnswer send(WebRequest request, Turn turn)
      throws ProviderException, IOException, InterruptedException {
    Exchange exchange = exchange(request, turn, true);
    if (exchange.isUnauthorized()) {
      exchange = exchange(request, turn, false);
    }
    return exchange.served();
  }

  /**
   * Waits for a circuit to reopen, and for what is held besides the lane, as long as the run may;
   * and for holds of the lane as long as it takes.
   */
  private Exchange exchange(WebRequest request, Turn turn, boolean mayRenew)
      throws ProviderException, IOException, InterruptedException {
    int reopenings = 0;
    OwnWaits waits = new OwnWaits(holds.bareWait(), READS.retries().maxThrottleRetries());
    while (true) {
      sitOut(holds.held(turn.stream()), turn, PutOffException::standing);
      try {
        Exchange exchange = gatedExchange(request, turn, mayRenew, waits);
        if (exchange.alone().isZero()) {
          return exchange;
        }
        if (waits.areTooMany() || !mayRetry()) {
          throw PutOffException.told(turn.stream(), after(exchange.alone()));
        }
        sitOut(exchange.alone(), turn, PutOffException::told);
      } catch (HeldMeanwhileException e) {
        turn.queue(); // what is held is known by now: it is waited for, or that takes too long
      } catch (RefusedException e) {
        if (reopenings == MOST_REOPENINGS
            || !(e.refusal() instanceof Refusal.CircuitOpen open)
            || !mayWait(open.triedAgainIn())) {
          throw e;
        }
        reopenings++;
        turn.queue();
        gate.time().sleep(open.triedAgainIn());
      }
    }
  }

  /** Waits without a permit; whoever cancels the run wakes it. */
  private void sitOut(
      Duration wait, Turn turn, BiFunction<String, Instant, PutOffException> tooLong)
      throws InterruptedException {
    if (!wait.isPositive()) {
      return;
    }
    if (!mayWait(wait)) {
      throw tooLong.apply(turn.stream(), after(wait));
    }
    turn.queue();
    gate.time().sleep(wait);
  }

  private Instant after(Duration wait) {
    return gate.time().instant().plus(wait);
  }

  /** Whether the run has a retry left; then it is spent. */
  private boolean mayRetry() {
    return run.retryBudget().map(RetryBudget::tryWithdraw).orElse(true);
  }

  private boolean mayWait(Duration wait) {
    long now = gate.time().nanos();
    return wait.compareTo(run.longestHold().orElse(Ask.FOREVER)) <= 0
        && Time.after(now, wait) < run.budget().deadline(now);
  }

  private Exchange gatedExchange(WebRequest request, Turn turn, boolean mayRenew, OwnWaits waits)
      throws ProviderException, IOException, InterruptedException {
    Call<Exchange, Exception> call = permit -> attempt(permit, request, turn, mayRenew, waits);
    try {
      return gate.call(run, READS, call);
    } catch (ProviderException | IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) { // a call names one type, and attempts throw two
      throw new IllegalStateException("an attempt throws nothing else", e);
    }
  }

  private Call.Reply<Exchange> attempt(
      Permit permit, WebRequest request, Turn turn, boolean mayRenew, OwnWaits waits)
      throws ProviderException, IOException, InterruptedException {
    WebRequest signed = signed(request); // first: it may take a while
    takeTurn(permit, turn);
    Time time = gate.time();
    long sent = time.nanos();
    WebAnswer answer;
    try {
      answer = transport.send(signed);
    } catch (AnswerTooLargeException e) {
      throw ProviderException.unexpected(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      lane.settled(Signals.failed(e), sent);
      settleIfLast(permit, Signals.failed(e), turn);
      throw e;
    }
    Answer read =
        Answer.of(answer.status(), answer.headers().map(), time.instant())
            .withRoundTrip(Duration.ofNanos(Math.max(0, time.nanos() - sent)))
            .withBody(beginning(answer));
    Reading reading = provider.signals().read(read);
    Signal signal = reading.signal();
    if (signal instanceof Signal.Throttled throttled && OwnWaits.areFor(reading.reach())) {
      return throttledAlone(answer, throttled, reading.reach(), turn, waits);
    }
    if (signal instanceof Signal.Throttled throttled && reading.reach() == Reach.IP) {
      holds.holdAll(throttled.retryAfter().orElseGet(holds::bareWait));
    }
    if (Exchange.isUnauthorized(signal) && !(mayRenew && provider.authorization().refused())) {
      // Whoever is not accepted with a fresh proof will not be by asking again.
      signal = Signal.stopped(Signal.Stopped.Reason.AUTH_FAILURE);
    }
    lane.settled(signal, sent);
    settleIfLast(permit, signal, turn);
    return new Call.Reply<>(new Exchange(answer, signal, Duration.ZERO), signal);
  }

  private WebRequest signed(WebRequest request)
      throws ProviderException, IOException, InterruptedException {
    long sent = gate.time().nanos();
    try {
      return provider.authorization().sign(request);
    } catch (NoProofException e) {
      lane.settled(e.signal(), sent);
      throw e;
    }
  }

  /** Gives the permit back unless the request may be sent by now: nothing is counted then. */
  private void takeTurn(Permit permit, Turn turn) throws InterruptedException {
    boolean come = false;
    try {
      if (holds.heed(turn.stream())) {
        throw new HeldMeanwhileException();
      }
      turn.come();
      come = true;
    } finally {
      if (!come) {
        permit.abandon();
      }
    }
  }

  /** A run that is cancelled waits for no other attempt; what the answer told still counts. */
  private static void settleIfLast(Permit permit, Signal signal, Turn turn)
      throws InterruptedException {
    boolean tried =
        switch (signal) {
          case Signal.Throttled throttled -> true;
          case Signal.Transient failure -> true;
          case Signal.Success success -> false;
          case Signal.Answered answered -> false;
          case Signal.Rejected rejected -> false;
          case Signal.Stopped stopped -> false;
          case Signal.Cancelled cancelled -> false;
        };
    if (tried && !turn.queueAgain()) {
      permit.settle(signal);
      throw new InterruptedException("the run is cancelled");
    }
  }

  /** Neither the lane's hold, nor its pace, nor its circuit is concerned. */
  private Call.Reply<Exchange> throttledAlone(
      WebAnswer answer, Signal.Throttled throttled, Reach reach, Turn turn, OwnWaits waits) {
    Duration wait = waits.met(throttled);
    lane.pressedAlone();
    if (reach != Reach.OBJECT) {
      holds.hold(turn.stream(), wait, HoldCause.of(throttled));
    }
    log.warn(
        "throttled lane={} stream={} reach={} wait={}", lane.name(), turn.stream(), reach, wait);
    return new Call.Reply<>(new Exchange(answer, throttled, wait), OwnWaits.forLane(throttled));
  }

  private static String beginning(WebAnswer answer) {
    byte[] body = answer.body();
    return new String(body, 0, Math.min(body.length, BODY_READ), StandardCharsets.UTF_8);
  }
}
