package dev.sluice.collect.run;

import dev.sluice.collect.connector.PageForPeople;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.gate.Permit;
import dev.sluice.control.retry.RetryOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.time.Duration;

/** The requests of one worker of a run: it can be woken, and its attempts are counted. */
final class Asker implements Requests {
  private final GatedRequests requests;
  private final Cancellation cancellation;
  private final Cancellation.Seat seat;
  private final Time time;
  private String stream = "";
  private RetryOptions retries = RetryOptions.DEFAULTS.whenRepeatable();
  private boolean suspect;
  private boolean page;
  private boolean failedAgain;
  private long sent;

  Asker(GatedRequests requests, Cancellation cancellation, Cancellation.Seat seat, Time time) {
    this.requests = requests;
    this.cancellation = cancellation;
    this.seat = seat;
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
   * @param known whether what is asked for is known to fail: another failure says nothing about the
   *     provider
   */
  void trying(int attempts, boolean known) {
    retries = new RetryOptions(retries.maxThrottleRetries(), attempts, true);
    suspect = known;
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
   * @param signal what it means for everybody else
   */
  Signal meaning(Signal signal, WebAnswer answer) {
    page =
        signal instanceof Signal.Throttled throttled
            && throttled.retryAfter().isEmpty()
            && PageForPeople.isOne(answer);
    failedAgain = suspect && (page || signal instanceof Signal.Transient);
    return failedAgain ? new Signal.Rejected(Signal.Rejected.Kind.INVALID, signal.quota()) : signal;
  }

  /** Whether the last answer was another failure of what is known to fail. */
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
    cancellation.queue(seat);
    try {
      return requests.send(request, this);
    } finally {
      cancellation.leave(seat);
    }
  }

  /** Waits; whoever cancels the run wakes it. */
  void pause(Duration length) throws InterruptedException {
    cancellation.queue(seat);
    try {
      time.sleep(length);
    } finally {
      cancellation.leave(seat);
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
      sent++;
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
  }

  /** How many attempts were made; for the worker itself. */
  long sent() {
    return sent;
  }
}
