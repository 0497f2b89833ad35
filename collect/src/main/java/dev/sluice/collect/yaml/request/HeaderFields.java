package dev.sluice.collect.yaml.request;

import dev.sluice.config.Section;
import dev.sluice.gate.wire.WebRequest;
import java.util.Locale;
import java.util.Set;

/**
 * Which headers a request can carry: what the client does not set itself (java.net.http refuses
 * those), with a name that is one, and a value that arrives as it was written.
 */
public final class HeaderFields {
  /** What can stand in a value, for messages. */
  public static final String ALLOWED = "letters, digits, signs and spaces of ASCII alone";

  private static final Set<String> SET_BY_THE_CLIENT =
      Set.of("connection", "content-length", "expect", "host", "upgrade");

  private HeaderFields() {}

  /** Notes what is wrong with a header that stands under its name; never quotes its value. */
  public static void check(Section headers, String name) {
    String wrong = wrongName(name);
    if (!wrong.isEmpty()) {
      headers.mistake(name, wrong);
    } else if (headers.text(name).filter(text -> !isValue(text)).isPresent()) {
      headers.mistake(
          name, "has characters that no header can carry; %s can stand there".formatted(ALLOWED));
    }
  }

  /** What is wrong with a name; empty if nothing is. */
  public static String wrongName(String name) {
    if (SET_BY_THE_CLIENT.contains(name.toLowerCase(Locale.ROOT))) {
      return "is a header that the client sets itself; leave it out";
    }
    return WebRequest.isHeaderName(name)
        ? ""
        : "is no name of a header, which has letters, digits and - alone";
  }

  /** Whether a value can be sent as it is. */
  static boolean isValue(String value) {
    return WebRequest.isHeaderValue(value);
  }
}
