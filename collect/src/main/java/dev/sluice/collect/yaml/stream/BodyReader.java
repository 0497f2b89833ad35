package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.request.BodyForm;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.collect.yaml.text.Template.Scope;
import dev.sluice.config.Node;
import dev.sluice.config.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Reads {@code body} of a stream: YAML becomes JSON as it stands, numbers as numbers, and texts are
 * templates. Used once.
 */
final class BodyReader {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final ConfigRules config;
  private final Scope[] scopes;
  private final List<BodyForm.Hole> holes = new ArrayList<>();

  BodyReader(ConfigRules config, Scope... scopes) {
    this.config = config;
    this.scopes = scopes.clone();
  }

  /** What stands under a key; empty if nothing does. */
  Optional<BodyForm> read(Section stream, String key) {
    return stream
        .section(key)
        .map(section -> new BodyForm(object(section, JsonPath.root()), holes));
  }

  private ObjectNode object(Section section, JsonPath place) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (String name : section.names()) {
      section
          .node(name)
          .ifPresent(node -> object.set(name, value(section, name, node, place.member(name))));
    }
    return object;
  }

  private JsonNode value(Section section, String key, Node node, JsonPath place) {
    return switch (node) {
      case Node.Nothing nothing -> NullNode.getInstance();
      case Node.Mapping mapping ->
          object(Section.of(mapping, section.at(key), section.reading()), place);
      case Node.Sequence sequence -> {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (Node item : sequence.items()) {
          list.add(value(section, key, item, place.element(list.size())));
        }
        yield list;
      }
      case Node.Scalar scalar ->
          scalar.number() ? number(section, key, scalar.text()) : text(section, key, scalar, place);
    };
  }

  private static JsonNode number(Section section, String key, String text) {
    return section
        .parse(
            key,
            text,
            written -> {
              try {
                return JSON.readTree(written);
              } catch (JacksonException e) {
                throw new IllegalArgumentException(
                    "but a number as JSON has it, true or false is expected; a text needs quotes",
                    e);
              }
            })
        .orElse(NullNode.getInstance());
  }

  private JsonNode text(Section section, String key, Node.Scalar scalar, JsonPath place) {
    config
        .templateAmongBraces(section, key, scalar.text(), scopes)
        .filter(template -> !template.references().isEmpty())
        .ifPresent(template -> holes.add(new BodyForm.Hole(place, template, isNumber(template))));
    return StringNode.valueOf(scalar.text());
  }

  private boolean isNumber(Template template) {
    return template
        .onlyReference()
        .filter(reference -> reference.scope() == Scope.CONFIG && config.isNumber(reference.name()))
        .isPresent();
  }
}
