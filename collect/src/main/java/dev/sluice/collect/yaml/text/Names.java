package dev.sluice.collect.yaml.text;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.select.JsonPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the names in a template stand for. Immutable; prints without values, because some are
 * secrets.
 */
public final class Names {
  private final Map<String, String> config;
  private final Map<String, String> split;
  private final @Nullable ObjectNode parent;

  private Names(
      Map<String, String> config, Map<String, String> split, @Nullable ObjectNode parent) {
    this.config = config;
    this.split = split;
    this.parent = parent;
  }

  /** What was configured. */
  public static Names of(Map<String, String> config) {
    return new Names(Map.copyOf(config), Map.of(), null);
  }

  /** The same within a part of a stream. */
  public Names withSplit(Map<String, String> values) {
    return new Names(config, Map.copyOf(values), parent);
  }

  /** The same for the details of a record. */
  public Names withParent(ObjectNode record) {
    return new Names(config, split, requireNonNull(record, "record"));
  }

  /** What a reference stands for; empty if there is no such thing. */
  Optional<String> text(Template.Reference reference) {
    return switch (reference.scope()) {
      case CONFIG -> Optional.ofNullable(config.get(reference.name()));
      case SPLIT -> Optional.ofNullable(split.get(reference.name()));
      case PARENT -> {
        JsonNode value = node(reference);
        yield value.isValueNode() && !value.isNull()
            ? Optional.of(value.asString())
            : Optional.empty();
      }
    };
  }

  /** The member of the parent that a reference stands for; missing if there is none. */
  JsonNode node(Template.Reference reference) {
    return parent == null
        ? MissingNode.getInstance()
        : JsonPath.members(List.of(reference.name().split("\\.", -1))).first(parent);
  }

  @Override
  public String toString() {
    return "names";
  }
}
