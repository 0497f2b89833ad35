package dev.sluice.collect.yaml.request;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON that a request carries. Immutable.
 *
 * @param shape as it is written, with anything where something is filled in
 * @param holes where something is filled in
 */
public record BodyForm(ObjectNode shape, List<Hole> holes) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** An object without members. */
  public static final BodyForm EMPTY =
      new BodyForm(JsonNodeFactory.instance.objectNode(), List.of());

  public BodyForm {
    shape = shape.deepCopy();
    holes = List.copyOf(holes);
  }

  /**
   * A place that is filled in.
   *
   * @param number whether what is filled in is a number
   */
  public record Hole(JsonPath place, Template template, boolean number) {
    JsonNode value(Names names) throws ProviderException {
      return number
          ? DecimalNode.valueOf(new BigDecimal(template.render(names)))
          : template.renderNode(names);
    }
  }

  /** Whether something can be asked for at a spot. */
  public boolean has(Spot spot) {
    return spot.place().put(shape.deepCopy(), NullNode.getInstance());
  }

  /** What it is filled in from. */
  public List<Template> templates() {
    return holes.stream().map(Hole::template).toList();
  }

  /** As it is sent, with these values set besides where they are for a body. */
  byte[] written(Names names, Map<Spot, String> asked) throws ProviderException {
    ObjectNode body = shape.deepCopy();
    for (Hole hole : holes) {
      put(body, hole.place(), hole.value(names));
    }
    asked.forEach(
        (spot, value) -> {
          if (spot.kind() == Spot.Kind.BODY) {
            put(body, spot.place(), spot.json(value));
          }
        });
    return JSON.writeValueAsBytes(body);
  }

  private static void put(ObjectNode body, JsonPath place, JsonNode value) {
    if (!place.put(body, value)) {
      throw new IllegalStateException("%s was there when the file was read".formatted(place));
    }
  }
}
