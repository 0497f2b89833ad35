package dev.sluice.dataverse.pinning;

import java.net.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** The cookie by which a load balancer knows which web server gave an answer. */
final class AffinityCookie {
  private static final String NAME = "ARRAffinity=";

  private AffinityCookie() {}

  /**
   * What asks for the server that gave an answer with these headers; null if they do not say. Of
   * several the last counts, as for a browser.
   */
  static @Nullable String of(HttpHeaders headers) {
    String cookie = null;
    for (String value : headers.allValues("Set-Cookie")) {
      if (value.startsWith(NAME)) {
        int end = value.indexOf(';');
        cookie = (end < 0 ? value : value.substring(0, end)).strip();
      }
    }
    return cookie == null || cookie.length() == NAME.length() ? null : cookie;
  }
}
