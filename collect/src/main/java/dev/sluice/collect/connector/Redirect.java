package dev.sluice.collect.connector;

import dev.sluice.gate.wire.WebAnswer;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/** An answer that sends elsewhere. None is followed: the credential would go along. */
public final class Redirect {
  /** Longer words may have been made by a machine, and are nobody's business. */
  private static final Pattern LONG_WORD = Pattern.compile("[^/]{25,}");

  private static final int LONGEST_PATH = 60;

  private Redirect() {}

  /**
   * What is said of an answer that is one; empty if it is none. It is safe to show: of the address
   * host and path, without its query.
   */
  public static Optional<String> in(WebAnswer answer) {
    if (answer.status() < 300 || answer.status() >= 400 || answer.status() == 304) {
      return Optional.empty();
    }
    return Optional.of(
        "it answered with status %d, a redirect%s; redirects are not followed: change provider.base if the host is another, or the stream's get or post if the path is"
            .formatted(
                answer.status(),
                answer.headers().firstValue("Location").map(Redirect::place).orElse("")));
  }

  private static String place(String location) {
    try {
      URI target = new URI(location.strip());
      String host = target.getHost() == null ? "" : target.getHost();
      String path = target.getRawPath() == null ? "" : target.getRawPath();
      path = LONG_WORD.matcher(path).replaceAll("…");
      String shown = host + path.substring(0, Math.min(path.length(), LONGEST_PATH));
      return shown.isEmpty() ? "" : " to " + shown;
    } catch (URISyntaxException e) {
      return "";
    }
  }
}
