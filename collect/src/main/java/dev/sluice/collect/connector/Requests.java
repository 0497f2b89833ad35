package dev.sluice.collect.connector;

import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;

/**
 * How a connector asks its provider: signed, through the gate, at the provider's pace, with the
 * run's retries, within the run's envelope.
 */
@FunctionalInterface
public interface Requests {

  /**
   * Asks, and tries again where that may help.
   *
   * @param request without proof of who asks
   * @return a success (2xx), or 304 for whoever asked with a condition
   * @throws ProviderException if the answer is final and no success
   * @throws dev.sluice.gate.RefusedException if the run may not go on, or the provider is to be
   *     left alone: let it pass through
   * @throws IOException if no answer came, and attempts are out
   */
  WebAnswer send(WebRequest request) throws ProviderException, IOException, InterruptedException;
}
