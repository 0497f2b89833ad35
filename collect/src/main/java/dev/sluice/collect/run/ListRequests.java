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

  ListRequests(RunContext context, Asker asker) {
    this.context = context;
    this.asker = asker;
  }

  @Override
  public WebAnswer send(WebRequest request)
      throws ProviderException, IOException, InterruptedException {
    return send(request, answer -> answer);
  }

  @Override
  public <T> T send(WebRequest request, Reading<T> reading)
      throws ProviderException, IOException, InterruptedException {
    LaneUse lane = context.lane();
    long sentBefore = asker.sent();
    asker.trying(RetryOptions.DEFAULTS.maxAttempts(), false, () -> asker.sent() == sentBefore + 1);
    for (int pauses = 0; ; pauses++) {
      lane.requireServed(asker.stream());
      long openings = lane.openings();
      try {
        T answer = asker.send(request, reading);
        lane.served(asker.stream());
        return answer;
      } catch (IOException e) {
        lane.notServed(asker.stream(), openings);
        if (pauses == MOST_PAUSES || isWrongAddress(e) || !context.mayWait(PAUSE)) {
          throw e;
        }
      } catch (RefusedException e) {
        lane.notServed(asker.stream(), openings);
        lane.requireServed(asker.stream());
        throw e;
      }
      asker.pause(PAUSE);
      asker.trying(1, false, () -> false);
    }
  }

  /** Whoever was never reached in this run may not be where the connector says. */
  private boolean isWrongAddress(IOException e) {
    return e instanceof ConnectException && context.lane().successes() == 0;
  }
}
