package dev.sluice.dataverse.wire;

import java.io.IOException;

/**
 * Carries a request to the service and its answer back: the one way out of this module.
 * Thread-safe.
 */
@FunctionalInterface
public interface Transport {

  /**
   * Sends once, without retries.
   *
   * @throws IOException if no whole answer came. A {@link java.net.ConnectException} or {@link
   *     java.net.http.HttpConnectTimeoutException} says that the service has not seen the request;
   *     after any other its outcome is unknown
   */
  WebAnswer send(WebRequest request) throws IOException, InterruptedException;
}
