package dev.sluice.gate.wire;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * A request before it is sent.
 *
 * @param method in capitals
 * @param headers names and values in turn
 * @param body what it carries; empty for none. Not copied: nobody changes it
 * @param timeout how long to wait for the whole answer
 */
@SuppressWarnings("ArrayRecordComponent") // a body is megabytes, and compared by nobody
public record WebRequest(
    String method, URI uri, List<String> headers, byte[] body, Duration timeout) {
  public WebRequest {
    if (headers.size() % 2 != 0) {
      throw new IllegalArgumentException("a header without a value: " + headers.size());
    }
    headers = List.copyOf(headers);
  }
}
