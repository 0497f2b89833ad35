package dev.sluice.simulator.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * An answer.
 *
 * @param status the HTTP status
 * @param headers its header fields, without those that frame the message
 * @param body what it carries; empty for none. Not copied: nobody changes it
 * @param bodyTime over how long the body dribbles out after the header; zero for at once. A caller
 *     in process waits that long by itself
 */
@SuppressWarnings("ArrayRecordComponent") // a body is megabytes, and compared by nobody
public record Response(int status, Headers headers, byte[] body, Duration bodyTime)
    implements Reply {
  private static final byte[] NOTHING = new byte[0];

  public Response {
    if (status < 100 || status > 599) {
      throw new IllegalArgumentException("status is " + status + ", but must be 100 to 599");
    }
    if (bodyTime.isNegative()) {
      throw new IllegalArgumentException("bodyTime is " + bodyTime + ", but must not be negative");
    }
  }

  /** An answer without a body. */
  public static Response of(int status, Headers headers) {
    return new Response(status, headers, NOTHING, Duration.ZERO);
  }

  /** An answer that carries this. */
  public static Response of(int status, Headers headers, byte[] body) {
    return new Response(status, headers, body, Duration.ZERO);
  }

  /** An answer that carries this text, as UTF-8. */
  public static Response of(int status, Headers headers, String body) {
    return of(status, headers, body.getBytes(StandardCharsets.UTF_8));
  }

  /** The same with a body that takes its time. */
  public Response slowly(Duration time) {
    return new Response(status, headers, body, time);
  }

  /** The body as text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
