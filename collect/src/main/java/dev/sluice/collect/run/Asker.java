package dev.sluice.collect.run;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;

/** The requests of one worker of a run: it can be woken, and its attempts are counted. */
final class Asker implements Requests, Turn {
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

  @Override
  public String stream() {
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

  @Override
  public void come() throws InterruptedException {
    cancellation.turn(seat);
    sent++;
  }

  @Override
  public boolean queueAgain() {
    return cancellation.queueAgain(seat);
  }

  @Override
  public void queue() throws InterruptedException {
    cancellation.queue(seat);
  }

  /** How many attempts were made; for the worker itself. */
  long sent() {
    return sent;
  }
}
