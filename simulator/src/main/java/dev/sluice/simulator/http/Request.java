package dev.sluice.simulator.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request as it came.
 *
 * @param method in capitals
 * @param target path and query, still encoded, starting with a slash
 * @param headers its header fields
 * @param body what it carries; empty without one. Not copied: nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent") // a body is megabytes, and compared by nobody
public record Request(String method, String target, Headers headers, byte[] body) {
  private static final byte[] NOTHING = new byte[0];

  public Request {
    if (!target.startsWith("/")) {
      throw new IllegalArgumentException("target is '" + target + "', but must start with a slash");
    }
  }

  /** A request without a body. */
  public static Request of(String method, String target, Headers headers) {
    return new Request(method, target, headers, NOTHING);
  }

  /** A request with a text, sent as UTF-8. */
  public static Request of(String method, String target, Headers headers, String body) {
    return new Request(method, target, headers, body.getBytes(StandardCharsets.UTF_8));
  }

  /** The target up to its question mark, encoded. */
  public String path() {
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  /** The target after its question mark, encoded; null without one. */
  public @Nullable String query() {
    int mark = target.indexOf('?');
    return mark < 0 ? null : target.substring(mark + 1);
  }
}
