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

  /**
   * Reads an answer.
   *
   * @param <T> what is read from it
   */
  @FunctionalInterface
  interface Reading<T> {
    /**
     * What the answer says.
     *
     * @throws BrokenAnswerException if it cannot be read, and another attempt may help
     * @throws ProviderException if another attempt does not help
     */
    T of(WebAnswer answer) throws BrokenAnswerException, ProviderException;
  }

  /**
   * The same for an answer that has to be read: one that is broken is asked for again, where that
   * is possible, like one that was cut short.
   *
   * @throws ProviderException as {@link #send(WebRequest)}, or if the answer stayed broken
   */
  default <T> T send(WebRequest request, Reading<T> reading)
      throws ProviderException, IOException, InterruptedException {
    try {
      return reading.of(send(request));
    } catch (BrokenAnswerException e) {
      throw e.inVain();
    }
  }
}
