package dev.sluice.collect.run;

import dev.sluice.collect.connector.NoProofException;
import dev.sluice.collect.connector.Provider;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Redirect;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Call;
import dev.sluice.gate.HoldCause;
import dev.sluice.gate.Permit;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Reading;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.AnswerTooLargeException;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** A request of a worker and its last answer: what the gate sends, as often as it has to. */
final class Exchange implements Call<WebAnswer, Exception> {
  private static final int BODY_READ = 64 * 1024;

  private final Provider provider;
  private final Transport transport;
  private final Time time;
  private final LaneUse lane;
  private final WebRequest request;
  private final Asker asker;
  private WebRequest signed;
  private Signal signal = Signal.CANCELLED;
  private int bareThrottles; // about less than the lane

  Exchange(
      Provider provider,
      Transport transport,
      Time time,
      LaneUse lane,
      WebRequest request,
      Asker asker) {
    this.provider = provider;
    this.transport = transport;
    this.time = time;
    this.lane = lane;
    this.request = request;
    this.signed = request;
    this.asker = asker;
  }

  /** Without a proof nothing was sent; a proof that is refused will not be given later either. */
  Signal meaning(Exception failure) {
    if (failure instanceof NoProofException unissued) {
      return unissued.signal();
    }
    if (!(failure instanceof ProviderException refused)) {
      return asker.failedAgain() ? signal : Signals.failed(failure);
    }
    return refused.reason() == Reason.Failure.AUTH_FAILURE
        ? Signal.stopped(Signal.Stopped.Reason.AUTH_FAILURE)
        : Signal.rejected(Signal.Rejected.Kind.INVALID);
  }

  @Override
  public Reply<WebAnswer> send(Permit permit)
      throws ProviderException, IOException, InterruptedException {
    sign(); // first: it may take a while
    if (isHeld(permit)) {
      return Reply.notYet();
    }
    asker.turn(permit);
    long sent = time.nanos();
    WebAnswer answer;
    try {
      answer = transport.send(asker.limited(signed));
    } catch (AnswerTooLargeException e) {
      throw ProviderException.unexpected(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      signal = asker.meaning(e);
      settled(sent);
      throw e;
    }
    Reading reading = read(answer, Duration.ofNanos(Math.max(0, time.nanos() - sent)));
    signal = asker.meaning(reading.signal(), answer);
    if (signal instanceof Signal.Throttled throttled && isAlone(reading.reach())) {
      signal = throttledAlone(throttled, reading.reach());
    } else {
      if (signal instanceof Signal.Throttled throttled && reading.reach() == Reach.IP) {
        lane.holds().holdAll(throttled.retryAfter().orElseGet(lane.holds()::bareWait));
      }
      settled(sent);
    }
    return new Reply<>(answer, signal).reaching(reading.reach());
  }

  /** Whether its stream is held; a store that does not answer is no fault of the provider. */
  private boolean isHeld(Permit permit) {
    try {
      return lane.holds().heed(asker.stream());
    } catch (StoreException e) {
      permit.abandon();
      throw e;
    }
  }

  private void settled(long sent) {
    lane.settled(signal, sent);
    asker.settled(signal);
  }

  private void sign() throws ProviderException, IOException, InterruptedException {
    long sent = time.nanos();
    try {
      signed = provider.authorization().sign(request);
    } catch (NoProofException e) {
      signal = e.signal();
      settled(sent);
      throw e;
    }
  }

  private Reading read(WebAnswer answer, Duration roundTrip) {
    byte[] body = answer.body();
    String beginning =
        new String(body, 0, Math.min(body.length, BODY_READ), StandardCharsets.UTF_8);
    return provider
        .signals()
        .read(
            Answer.of(answer.status(), answer.headers().map(), time.instant())
                .withRoundTrip(roundTrip)
                .withBody(beginning));
  }

  /**
   * Whether a throttle is about less than a lane. A pool is not: which streams draw on it nobody
   * here knows.
   */
  private static boolean isAlone(Reach reach) {
    return reach == Reach.OBJECT || reach == Reach.ROUTE;
  }

  /**
   * A throttle that concerns neither the lane's hold, nor its pace, nor its circuit.
   *
   * @return the same with a wait: doubled every time as long as the provider does not tell one
   */
  private Signal throttledAlone(Signal.Throttled throttled, Reach reach) {
    Duration wait =
        throttled
            .retryAfter()
            .orElseGet(
                () -> lane.holds().bareWait().multipliedBy(1L << Math.min(bareThrottles++, 16)));
    lane.pressedAlone(throttled);
    asker.settled(throttled);
    if (reach == Reach.ROUTE) {
      lane.holds().hold(asker.stream(), wait, HoldCause.of(throttled));
      lane.traffic().waits().hold(wait, HoldCause.of(throttled));
    }
    return new Signal.Throttled(
        Optional.of(wait), throttled.facet(), throttled.code(), throttled.quota());
  }

  @Override
  public boolean renew() {
    return provider.authorization().refused(signed);
  }

  /** A run that is cancelled waits for no other attempt; what the last answer told still counts. */
  @Override
  public void retrying() throws InterruptedException {
    asker.queue();
  }

  /**
   * The last answer, if the provider served it.
   *
   * @throws ProviderException if it will not, whoever asks again
   * @throws IOException if it did not, and might later
   */
  WebAnswer served(WebAnswer answer) throws ProviderException, IOException {
    return switch (signal) {
      case Signal.Success success -> answer;
      case Signal.Rejected rejected when asker.failedAgain() -> throw failing(answer);
      case Signal.Rejected rejected -> throw refused(rejected.kind(), answer);
      case Signal.Stopped stopped -> throw stopped(stopped.reason(), answer);
      case Signal.Transient failure -> throw failing(answer);
      case Signal.Answered answered -> throw refused(Signal.Rejected.Kind.INVALID, answer);
      case Signal.Throttled throttled -> throw failing(answer);
      case Signal.Cancelled cancelled -> throw failing(answer);
    };
  }

  private static ProviderException refused(Signal.Rejected.Kind kind, WebAnswer answer) {
    return switch (kind) {
      case UNAUTHORIZED -> stopped(Signal.Stopped.Reason.AUTH_FAILURE, answer);
      case FORBIDDEN -> refused(Reason.Failure.FORBIDDEN, answer);
      case NOT_FOUND, GONE -> refused(Reason.Failure.NOT_FOUND, answer);
      case INVALID -> refused(Reason.Failure.INVALID, answer);
    };
  }

  private static ProviderException refused(Reason.Failure reason, WebAnswer answer) {
    return new ProviderException(
        reason,
        answer.status(),
        Redirect.in(answer).orElse("it answered with status " + answer.status()));
  }

  private static ProviderException stopped(Signal.Stopped.Reason reason, WebAnswer answer) {
    return new ProviderException(
        Reason.of(reason),
        answer.status(),
        "it answered with status %d; nothing more is sent until somebody has acted and reopened"
                .formatted(answer.status())
            + " the lane");
  }

  private static IOException failing(WebAnswer answer) {
    return new IOException("it kept answering with status " + answer.status());
  }
}
