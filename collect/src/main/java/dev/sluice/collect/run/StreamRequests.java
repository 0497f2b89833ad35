package dev.sluice.collect.run;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;

/**
 * The requests of a stream: how often one was retried is counted, and whether the stream is served
 * at all is noted. Used by one worker.
 */
abstract class StreamRequests implements Requests {
  final Asker asker;
  final Traffic traffic;

  StreamRequests(Asker asker, Traffic traffic) {
    this.asker = asker;
    this.traffic = traffic;
  }

  @Override
  public final WebAnswer send(WebRequest request)
      throws ProviderException, IOException, InterruptedException {
    return send(request, answer -> answer);
  }

  @Override
  public final <T> T send(WebRequest request, Reading<T> reading)
      throws ProviderException, IOException, InterruptedException {
    long before = asker.sent();
    try {
      return untilServed(request, reading);
    } finally {
      traffic.retried(asker.sent() - before - 1);
    }
  }

  /** Makes as many calls as the stream's kind allows. */
  abstract <T> T untilServed(WebRequest request, Reading<T> reading)
      throws ProviderException, IOException, InterruptedException;

  /**
   * Makes one call.
   *
   * @throws StreamFailsException if the stream had no success for too long
   */
  final <T> T call(WebRequest request, Reading<T> reading)
      throws ProviderException, IOException, InterruptedException {
    String stream = asker.stream();
    traffic.requireServed(stream);
    long openings = traffic.openings();
    try {
      T answer = asker.send(request, reading);
      traffic.served(stream);
      return answer;
    } catch (IOException e) {
      if (!asker.failedAgain()) {
        traffic.notServed(stream, openings);
      }
      throw e;
    } catch (RefusedException e) {
      traffic.notServed(stream, openings);
      traffic.requireServed(stream);
      throw e;
    }
  }
}
