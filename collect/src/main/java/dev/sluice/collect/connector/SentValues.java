package dev.sluice.collect.connector;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.gate.wire.WebRequest;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request carried that may be a secret: providers, and proxies before them, echo what they
 * were sent, and an echo must not reach a message. Taken from the request itself, because a token
 * that somebody issued stands in no file.
 */
final class SentValues {
  /** Shorter ones are in every text by chance. */
  private static final int SHORTEST = 4;

  /** What these say is no secret, and in many titles. */
  private static final Set<String> PLAIN =
      Set.of("accept", "accept-language", "content-type", "user-agent");

  private static final Set<String> SCHEMES = Set.of("Basic", "Bearer", "Token");

  private final List<String> values;

  private SentValues(List<String> values) {
    this.values = values;
  }

  /** Those of a request that is signed. */
  static SentValues of(WebRequest request) {
    Set<String> found = new TreeSet<>();
    for (int i = 0; i < request.headers().size(); i += 2) {
      if (!PLAIN.contains(request.headers().get(i).toLowerCase(Locale.ROOT))) {
        addHeader(found, request.headers().get(i + 1));
      }
    }
    String query = request.uri().getRawQuery();
    for (String pair : query == null ? new String[0] : query.split("&", -1)) {
      String value = pair.substring(pair.indexOf('=') + 1);
      found.add(value);
      found.add(decoded(value));
    }
    List<String> longestFirst = new ArrayList<>(found);
    longestFirst.removeIf(value -> value.length() < SHORTEST || SCHEMES.contains(value));
    longestFirst.sort(Comparator.comparingInt(String::length).reversed());
    return new SentValues(longestFirst);
  }

  private static void addHeader(Set<String> found, String value) {
    found.add(value);
    for (String word : value.split("\\s+", -1)) { // "Bearer abc" is echoed as "abc"
      found.add(word);
      String plain = unpacked(word);
      found.add(plain);
      found.addAll(List.of(plain.split(":", 2))); // user and password
    }
  }

  /** What {@code Basic} packs; empty if it is not packed so. */
  private static String unpacked(String word) {
    try {
      return new String(Base64.getDecoder().decode(word), UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value, UTF_8);
    } catch (IllegalArgumentException e) {
      return value;
    }
  }

  /** The text with {@code ***} in the place of each. */
  String hiddenIn(String text) {
    String hidden = text;
    for (String value : values) {
      hidden =
          Pattern.compile(Pattern.quote(value), Pattern.CASE_INSENSITIVE)
              .matcher(hidden)
              .replaceAll(Matcher.quoteReplacement("***"));
    }
    return hidden;
  }

  @Override
  public String toString() {
    return values.size() + " values";
  }
}
