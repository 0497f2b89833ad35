package dev.sluice.collect.yaml.request;

import dev.sluice.collect.select.JsonPath;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Where in an answer a value stands: {@code body $.next_cursor} or {@code header X-Next}. */
public sealed interface Source {

  /**
   * Reads a source.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  static Source parse(String text) {
    String[] words = text.strip().split("\\s+", -1);
    if (words.length == 2 && words[0].equals("header")) {
      return new Header(words[1]);
    }
    if (words.length == 2 && words[0].equals("body")) {
      return new Body(JsonPath.parse(words[1]));
    }
    if (words.length == 1 && words[0].startsWith("$")) {
      return new Body(JsonPath.parse(words[0]));
    }
    throw new IllegalArgumentException(
        "but a place such as 'body $.next' or 'header X-Next' is expected");
  }

  /** What stands there; empty if nothing does, or null, or an empty text. */
  Optional<String> find(Page page);

  /** A header's first line. */
  record Header(String name) implements Source {
    @Override
    public Optional<String> find(Page page) {
      return page.headers().firstValue(name).filter(value -> !value.isBlank());
    }
  }

  /** A member of the body. */
  record Body(JsonPath path) implements Source {
    @Override
    public Optional<String> find(Page page) {
      JsonNode node = path.first(page.body());
      return node.isValueNode() && !node.isNull() && !node.isMissingNode()
          ? Optional.of(node.asString()).filter(value -> !value.isBlank() && !node.isBoolean())
          : Optional.empty();
    }
  }
}
