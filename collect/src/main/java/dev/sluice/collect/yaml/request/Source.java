package dev.sluice.collect.yaml.request;

import dev.sluice.collect.connector.ProviderException;
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

  /**
   * What stands there; empty if nothing does, or null, false, or an empty text.
   *
   * @throws ProviderException if it is nothing to ask with: taken for the end of a list, it would
   *     lose all that follows
   */
  Optional<String> find(Page page) throws ProviderException;

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
    public Optional<String> find(Page page) throws ProviderException {
      JsonNode node = path.first(page.body());
      if ((node.isContainer() && !node.isEmpty()) || (node.isBoolean() && node.booleanValue())) {
        throw ProviderException.unexpected(
            "what stands at %s in an answer is %s, but a text or a number is expected; check the path"
                .formatted(
                    path, node.isObject() ? "an object" : node.isArray() ? "a list" : "true"));
      }
      return node.isNull() || node.isMissingNode() || node.isBoolean() || node.isContainer()
          ? Optional.empty()
          : Optional.of(node.asString()).filter(value -> !value.isBlank());
    }
  }
}
