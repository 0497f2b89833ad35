package dev.sluice.collect.yaml.request;

/**
 * Where in a request a value goes: {@code query since} or {@code header X-Since}.
 *
 * @param name of the parameter or header
 */
public record Spot(Kind kind, String name) {

  /**
   * Reads a spot.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  public static Spot parse(String text) {
    String[] words = text.strip().split("\\s+", -1);
    if (words.length == 2 && words[0].equals("query")) {
      return new Spot(Kind.QUERY, words[1]);
    }
    if (words.length == 2 && words[0].equals("header")) {
      return new Spot(Kind.HEADER, words[1]);
    }
    throw new IllegalArgumentException(
        "but a place such as 'query since' or 'header X-Since' is expected");
  }

  /** In which part of the request. */
  public enum Kind {
    /** Behind the question mark. */
    QUERY,
    /** A header. */
    HEADER
  }
}
