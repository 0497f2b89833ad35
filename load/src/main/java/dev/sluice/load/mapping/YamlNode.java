package dev.sluice.load.mapping;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** A piece of YAML that knows its line. */
sealed interface YamlNode {

  /** Where it starts, from 1; of a member, where its name stands. */
  int line();

  /** What it is, for people. */
  String kind();

  /** A single value; null for none. */
  record Leaf(int line, @Nullable String text) implements YamlNode {
    @Override
    public String kind() {
      return text == null ? "empty" : "'" + text + "'";
    }
  }

  /** Names and values in their order. */
  record Branch(int line, Map<String, YamlNode> members) implements YamlNode {
    @Override
    public String kind() {
      return "a group of settings";
    }
  }

  /** A list. */
  record Sequence(int line, List<YamlNode> items) implements YamlNode {
    @Override
    public String kind() {
      return items.isEmpty() ? "an empty list" : "a list";
    }
  }

  /**
   * Reads a text.
   *
   * @throws MappingException if it is no YAML, or has a name twice
   */
  static YamlNode parse(String file, String text) throws MappingException {
    try (JsonParser parser =
        YAMLFactory.builder().build().createParser(ObjectReadContext.empty(), text)) {
      JsonToken first = parser.nextToken();
      return first == null ? new Leaf(1, null) : read(file, parser, 1);
    } catch (JacksonException e) {
      throw new MappingException(
          List.of(
              "%s:%d: no YAML: %s"
                  .formatted(
                      file,
                      Math.max(1, e.getLocation() == null ? 1 : e.getLocation().getLineNr()),
                      e.getOriginalMessage())));
    }
  }

  private static YamlNode read(String file, JsonParser parser, int line) throws MappingException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_ARRAY) {
      List<YamlNode> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(read(file, parser, parser.currentTokenLocation().getLineNr()));
      }
      return new Sequence(line, items);
    }
    if (token != JsonToken.START_OBJECT) {
      return new Leaf(line, token == JsonToken.VALUE_NULL ? null : parser.getString());
    }
    Map<String, YamlNode> members = new LinkedHashMap<>();
    for (String name; (name = parser.nextName()) != null; ) {
      int at = parser.currentTokenLocation().getLineNr();
      parser.nextToken();
      if (members.put(name, read(file, parser, at)) != null) {
        throw new MappingException(
            List.of("%s:%d: %s is there twice; once is expected".formatted(file, at, name)));
      }
    }
    return new Branch(line, members);
  }
}
