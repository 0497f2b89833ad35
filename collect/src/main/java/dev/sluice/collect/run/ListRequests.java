package dev.sluice.collect.run;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.control.retry.RetryOptions;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;

/**
 * The requests of a list: without its answer nothing else of the stream can be had, so one that is
 * out of attempts is tried again every minute for a while. Used by one worker.
 */
final class ListRequests extends StreamRequests {
  static final Duration PAUSE = Duration.ofSeconds(60);
  static final int MOST_PAUSES = 8;

  private final RunContext context;

  ListRequests(RunContext context, Asker asker) {
    super(asker, context.lane().traffic());
    this.context = context;
  }

  @Override
  <T> T untilServed(WebRequest request, Reading<T> reading)
      throws ProviderException, IOException, InterruptedException {
    long sentBefore = asker.sent();
    asker.trying(RetryOptions.DEFAULTS.maxAttempts(), false, () -> asker.sent() == sentBefore + 1);
    for (int pauses = 0; ; pauses++) {
      try {
        return call(request, reading);
      } catch (IOException e) {
        if (pauses == MOST_PAUSES || isWrongAddress(e) || !context.mayWait(PAUSE)) {
          throw e;
        }
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
