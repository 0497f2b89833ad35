package dev.sluice.gate.wire;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A request before it is sent. Prints no header.
 *
 * @param method in capitals
 * @param headers names and values in turn
 * @param body what it carries; empty for none. Not copied: nobody changes it
 * @param timeout how long to wait for the whole answer
 */
@SuppressWarnings("ArrayRecordComponent") // a body is megabytes, and compared by nobody
public record WebRequest(
    String method, URI uri, List<String> headers, byte[] body, Duration timeout) {
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7E\\t]*");

  public WebRequest {
    if (headers.size() % 2 != 0) {
      throw new IllegalArgumentException("a header without a value: " + headers.size());
    }
    headers = List.copyOf(headers);
  }

  /** Whether a header can have this name: a token of RFC 9110. */
  public static boolean isHeaderName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Whether a header can have this value and arrive as it was written: ASCII, and no controls. */
  public static boolean isHeaderValue(String value) {
    return VALUE.matcher(value).matches();
  }

  /** Without headers, which hold tokens. */
  @Override
  public String toString() {
    return method + " " + uri;
  }
}
