package dev.sluice.collect.run;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.gate.Permit;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;

/** The requests of one worker of a run: it can be woken, and its attempts are counted. */
final class Asker implements Requests {
  private final GatedRequests requests;
  private final Cancellation cancellation;
  private final Cancellation.Seat seat;
  private String stream = "";
  private long sent;

  Asker(GatedRequests requests, Cancellation cancellation, Cancellation.Seat seat) {
    this.requests = requests;
    this.cancellation = cancellation;
    this.seat = seat;
  }

  /** Says which task asks here. */
  void workedBy(Time.Task worker) {
    seat.takenBy(worker);
  }

  /** Says for which stream it asks from now on. */
  void on(String streamName) {
    stream = streamName;
  }

  /** For which stream it asks. */
  String stream() {
    return stream;
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
