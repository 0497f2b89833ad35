package dev.sluice.collect.run;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.control.retry.RetryOptions;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;

/**
 * The requests of a list: without its answer nothing else of the stream can be had, so one that is
 * out of attempts is tried again every minute for a while. Used by one worker.
 */
final class ListRequests implements Requests {
  static final Duration PAUSE = Duration.ofSeconds(60);
  static final int MOST_PAUSES = 8;

  private final RunContext context;
  private final Asker asker;
  private final Traffic traffic;

  ListRequests(RunContext context, Asker asker) {
    this.context = context;
    this.asker = asker;
    this.traffic = context.lane().traffic();
  }

  @Override
  public WebAnswer send(WebRequest request)
      throws ProviderException, IOException, InterruptedException {
    return send(request, answer -> answer);
  }

  @Override
  public <T> T send(WebRequest request, Reading<T> reading)
      throws ProviderException, IOException, InterruptedException {
    long before = asker.sent();
    try {
      return untilServed(request, reading);
    } finally {
      traffic.retried(asker.sent() - before - 1);
    }
  }

  private <T> T untilServed(WebRequest request, Reading<T> reading)
      throws ProviderException, IOException, InterruptedException {
    long sentBefore = asker.sent();
    asker.trying(RetryOptions.DEFAULTS.maxAttempts(), false, () -> asker.sent() == sentBefore + 1);
    for (int pauses = 0; ; pauses++) {
      traffic.requireServed(asker.stream());
      long openings = traffic.openings();
      try {
        T answer = asker.send(request, reading);
        traffic.served(asker.stream());
        return answer;
      } catch (IOException e) {
        traffic.notServed(asker.stream(), openings);
        if (pauses == MOST_PAUSES || isWrongAddress(e) || !context.mayWait(PAUSE)) {
          throw e;
        }
      } catch (RefusedException e) {
        traffic.notServed(asker.stream(), openings);
        traffic.requireServed(asker.stream());
        throw e;
      }
      asker.pause(PAUSE);
      asker.trying(1, false, () -> false);
    }
  }

  /** Whoever was never reached in this run may not be where the connector says. */
  private boolean isWrongAddress(IOException e) {
    return e instanceof ConnectException && traffic.successes() == 0;
  }
}
