package dev.sluice.collect.yaml.request;

import dev.sluice.collect.select.JsonPath;
import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.StringNode;

/**
 * Where in a request a value goes: {@code query since}, {@code header X-Since} or {@code body
 * $.since}.
 *
 * @param name of the parameter or header, or the path in the body
 * @param number whether a body has it as a number
 */
public record Spot(Kind kind, String name, boolean number) {

  /**
   * Reads a spot.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  public static Spot parse(String text) {
    String[] words = text.strip().split("\\s+", -1);
    if (words.length == 2 && words[0].equals("query")) {
      return new Spot(Kind.QUERY, words[1], false);
    }
    if (words.length == 2 && words[0].equals("header")) {
      String wrong = HeaderFields.wrongName(words[1]);
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException("but %s %s".formatted(words[1], wrong));
      }
      return new Spot(Kind.HEADER, words[1], false);
    }
    if (words.length == 2 && words[0].equals("body")) {
      return new Spot(Kind.BODY, JsonPath.parse(words[1]).toString(), false);
    }
    throw new IllegalArgumentException(
        "but a place such as 'query since', 'header X-Since' or 'body $.since' is expected");
  }

  /** The same for values that are numbers. */
  public Spot forNumbers() {
    return new Spot(kind, name, true);
  }

  /** The path in the body; for spots that are there. */
  JsonPath place() {
    return JsonPath.parse(name);
  }

  /** A value as a body has it. */
  JsonNode json(String value) {
    return number ? DecimalNode.valueOf(new BigDecimal(value)) : StringNode.valueOf(value);
  }

  /** In which part of the request. */
  public enum Kind {
    /** Behind the question mark. */
    QUERY,
    /** A header. */
    HEADER,
    /** The JSON that it carries. */
    BODY
  }
}
