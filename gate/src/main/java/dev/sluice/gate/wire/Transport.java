package dev.sluice.gate.wire;

import java.io.IOException;

/** Carries a request to a service and its answer back. Thread-safe. */
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
