package dev.sluice.collect.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.BrokenAnswerException;
import dev.sluice.collect.connector.PageForPeople;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.control.retry.RetryOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.ServiceProtectionException;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The requests of one worker of a run: it can be woken, and its attempts are counted. */
final class Asker implements Requests {
  /**
   * A request that is throttled without a told wait finds out again and again whether the provider
   * is open, with pauses that double up to a minute. Two calls reach two minutes.
   */
  private static final int MAX_THROTTLED_CALLS = 2;

  private final GatedRequests requests;
  private final Cancellation cancellation;
  private final Cancellation.Seat seat;
  private final LaneUse lane;
  private final Time time;
  private String stream = "";
  private RetryOptions retries = RetryOptions.DEFAULTS.whenRepeatable();
  private boolean knownToFail;
  private BooleanSupplier shortensTimeout = () -> false;
  private long sentAt;
  private boolean page;
  private boolean failedAgain;
  private boolean waiting;
  private long sent;
  private Answered<?> answered = new Answered<>(answer -> answer);

  Asker(
      GatedRequests requests,
      Cancellation cancellation,
      Cancellation.Seat seat,
      LaneUse lane,
      Time time) {
    this.requests = requests;
    this.cancellation = cancellation;
    this.seat = seat;
    this.lane = lane;
    this.time = time;
  }

  /** Says which task asks here. */
  void workedBy(Time.Task worker) {
    seat.takenBy(worker);
  }

  /** Says for which stream it asks from now on. */
  void on(String streamName) {
    stream = streamName;
  }

  /**
   * Says how it asks from now on.
   *
   * @param attempts how many of a request may be lost to failures
   * @param known whether what is asked for is known to fail: as long as the provider serves others,
   *     another failure says nothing about it
   * @param shortTimeout whether an attempt is given up that takes much longer than others did
   */
  void trying(int attempts, boolean known, BooleanSupplier shortTimeout) {
    retries = new RetryOptions(retries.maxThrottleRetries(), attempts, true);
    knownToFail = known;
    shortensTimeout = shortTimeout;
  }

  /** A request that is about to be sent, with the time that is waited for its answer. */
  WebRequest limited(WebRequest request) {
    sentAt = time.nanos();
    Duration shorter = lane.traffic().timeout(stream);
    return shortensTimeout.getAsBoolean() && shorter.compareTo(request.timeout()) < 0
        ? new WebRequest(
            request.method(), request.uri(), request.headers(), request.body(), shorter)
        : request;
  }

  /** For which stream it asks. */
  String stream() {
    return stream;
  }

  /** How often a request is tried. */
  RetryOptions retries() {
    return retries;
  }

  /**
   * What its answer means, for whoever asked.
   *
   * @param told what it means for everybody else
   */
  Signal meaning(Signal told, WebAnswer answer) {
    if (told instanceof Signal.Success) {
      lane.traffic().took(stream, time.nanos() - sentAt);
    }
    Signal signal =
        told instanceof Signal.Success && !answered.read(answer)
            ? new Signal.Transient(Signal.Transient.Kind.BODY_CUT_OFF, told.quota())
            : told;
    page =
        signal instanceof Signal.Throttled throttled
            && throttled.retryAfter().isEmpty()
            && answer.status() != 429
            && PageForPeople.isOne(answer);
    return judged(signal);
  }

  /** What it means, for whoever asked, that no answer came. */
  Signal meaning(IOException failure) {
    page = false;
    return judged(Signals.failed(failure));
  }

  private Signal judged(Signal signal) {
    failedAgain = knownToFail && (page || isAboutRecord(signal)) && lane.isServing();
    if (failedAgain) {
      lane.traffic().failedAgain();
    }
    return failedAgain ? new Signal.Rejected(Signal.Rejected.Kind.INVALID, signal.quota()) : signal;
  }

  /** Whether a failure may be that of a single record. */
  private static boolean isAboutRecord(Signal signal) {
    return signal instanceof Signal.Transient failure
        && failure.kind() != Signal.Transient.Kind.UNAVAILABLE
        && failure.kind() != Signal.Transient.Kind.NOT_SENT;
  }

  /** An attempt has ended so. */
  void settled(Signal signal) {
    lane.traffic().noteHealth(stream, signal, knownToFail);
  }

  /**
   * Whether the last attempt was another failure of what is known to fail, of a provider that
   * serves others.
   */
  boolean failedAgain() {
    return failedAgain;
  }

  /** Whether the last answer was a page of HTML that told no wait. */
  boolean gotPage() {
    return page;
  }

  @Override
  public WebAnswer send(WebRequest request)
      throws ProviderException, IOException, InterruptedException {
    return send(request, answer -> answer);
  }

  @Override
  public <T> T send(WebRequest request, Reading<T> reading)
      throws ProviderException, IOException, InterruptedException {
    Answered<T> expected = new Answered<>(reading);
    answered = expected;
    page = false;
    failedAgain = false;
    queue();
    try {
      sendUntilOpen(request);
    } catch (IOException e) {
      expected.failIfBroken();
      throw e;
    } catch (RefusedException e) {
      if (e.refusal() instanceof Refusal.CircuitOpen) {
        expected.failIfBroken();
      }
      throw e;
    } finally {
      leave();
    }
    return expected.value();
  }

  private void sendUntilOpen(WebRequest request)
      throws ProviderException, IOException, InterruptedException {
    for (int call = 1; ; call++) {
      try {
        WebAnswer unused = requests.send(request, this);
        return;
      } catch (ServiceProtectionException e) {
        if (call == MAX_THROTTLED_CALLS || page || e.retryAfter().isPositive()) {
          throw e;
        }
        queue(); // so that whoever cancels the run wakes it
      }
    }
  }

  /** What is read from the last answer to a request. */
  private static final class Answered<T> {
    private final Reading<T> reading;
    private @Nullable T value;
    private @Nullable ProviderException refused;
    private @Nullable BrokenAnswerException broken;

    Answered(Reading<T> reading) {
      this.reading = reading;
    }

    /** Reads an answer; whether it could be read, or will never be. */
    boolean read(WebAnswer answer) {
      try {
        value = reading.of(answer);
      } catch (ProviderException e) {
        refused = e;
      } catch (BrokenAnswerException e) {
        broken = e;
      }
      return broken == null;
    }

    T value() throws ProviderException {
      if (refused != null) {
        throw refused;
      }
      return requireNonNull(value);
    }

    /** There is no further attempt: an answer that stayed broken is not what was declared. */
    void failIfBroken() throws ProviderException {
      if (broken != null) {
        throw broken.inVain();
      }
    }
  }

  /** Waits; whoever cancels the run wakes it. */
  void pause(Duration length) throws InterruptedException {
    lane.traffic().waits().pause(length);
    queue();
    try {
      time.sleep(length);
    } finally {
      leave();
    }
  }

  /**
   * An attempt is about to be made.
   *
   * @throws InterruptedException if it must not be: then its permit goes back unused
   */
  void turn(Permit permit) throws InterruptedException {
    try {
      cancellation.turn(seat);
      waits(false);
      sent++;
      answered.broken = null;
    } catch (InterruptedException e) {
      permit.abandon();
      throw e;
    }
  }

  /**
   * The next attempt may have to wait: whoever cancels the run wakes it.
   *
   * @throws InterruptedException if nobody wants to wait for it
   */
  void queue() throws InterruptedException {
    cancellation.queue(seat);
    waits(true);
  }

  private void leave() {
    cancellation.leave(seat);
    waits(false);
  }

  private void waits(boolean now) {
    if (now && !waiting) {
      lane.traffic().waits().begin();
    } else if (!now && waiting) {
      lane.traffic().waits().end();
    }
    waiting = now;
  }

  /** How many attempts were made; for the worker itself. */
  long sent() {
    return sent;
  }
}
