package dev.sluice.gate.wire;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;

/**
 * An answer that came back whole.
 *
 * @param body what it carries; empty for none. Not copied: nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent") // a body is megabytes, and compared by nobody
public record WebAnswer(int status, HttpHeaders headers, byte[] body) {

  /** Whether the status is 200 to 299. */
  public boolean succeeded() {
    return status >= 200 && status < 300;
  }

  /** The body as UTF-8. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
