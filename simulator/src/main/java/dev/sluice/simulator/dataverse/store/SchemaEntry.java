package dev.sluice.simulator.dataverse.store;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The properties of an object in a schema file: read by name, and refused with the place and the
 * reason if they are not what they should be.
 *
 * @param source the file
 * @param what whose properties they are, for messages
 * @param node where they stand
 */
record SchemaEntry(String source, String what, JsonNode node) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  SchemaEntry {
    if (!node.isObject()) {
      throw new IllegalArgumentException(
          "%s: %s is %s, but must be an object".formatted(source, what, node));
    }
  }

  /** The same under a better name. */
  SchemaEntry called(String name) {
    return new SchemaEntry(source, name, node);
  }

  /** Refuses properties that mean nothing: mostly a slip of the pen. */
  void only(List<String> known) {
    for (String property : node.propertyNames()) {
      if (!known.contains(property)) {
        throw wrong("there is no '%s'; there are %s".formatted(property, String.join(", ", known)));
      }
    }
  }

  boolean has(String property) {
    return node.has(property);
  }

  String text(String property) {
    JsonNode value = node.get(property);
    if (value == null || !value.isString() || value.asString().isEmpty()) {
      throw new IllegalArgumentException(
          "%s: %s needs a text named '%s'".formatted(source, what, property));
    }
    return value.asString();
  }

  String text(String property, String otherwise) {
    JsonNode value = node.get(property);
    if (value == null) {
      return otherwise;
    }
    if (!value.isString()) {
      throw wrong("%s is %s, but must be a text".formatted(property, value));
    }
    return value.asString();
  }

  String name(String property) {
    String name = text(property);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "%s: %s is named '%s', but names are letters, digits and _, a letter first"
              .formatted(source, what, name));
    }
    return name;
  }

  List<String> names(String property) {
    List<String> names = texts(property);
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        throw wrong(
            "%s holds '%s', but names are letters, digits and _, a letter first"
                .formatted(property, name));
      }
    }
    return names;
  }

  String name(String property, String otherwise) {
    String name = text(property, otherwise);
    if (!NAME.matcher(name).matches()) {
      throw wrong(
          "%s is named '%s', but names are letters, digits and _, a letter first"
              .formatted(property, name));
    }
    return name;
  }

  boolean truth(String property, boolean otherwise) {
    JsonNode value = node.get(property);
    if (value == null) {
      return otherwise;
    }
    if (!value.isBoolean()) {
      throw wrong("%s is %s, but must be true or false".formatted(property, value));
    }
    return value.asBoolean();
  }

  int whole(String property, int least, int most, int otherwise) {
    JsonNode value = node.get(property);
    if (value == null) {
      return otherwise;
    }
    if (!value.isIntegralNumber()) {
      throw wrong("%s is %s, but must be a whole number".formatted(property, value));
    }
    if (!value.canConvertToInt() || value.asInt() < least || value.asInt() > most) {
      throw wrong("%s is %s, but must be %d to %d".formatted(property, value, least, most));
    }
    return value.asInt();
  }

  BigDecimal number(String property) {
    JsonNode value = Objects.requireNonNull(node.get(property));
    if (!value.isNumber()) {
      throw wrong("%s is %s, but must be a number".formatted(property, value));
    }
    return value.decimalValue();
  }

  Iterable<JsonNode> list(String property) {
    JsonNode value = node.get(property);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      throw wrong("%s is %s, but must be a list".formatted(property, value));
    }
    return value;
  }

  List<String> texts(String property) {
    List<String> texts = new ArrayList<>();
    for (JsonNode value : list(property)) {
      if (!value.isString()) {
        throw wrong("%s holds %s, but must hold texts".formatted(property, value));
      }
      texts.add(value.asString());
    }
    return texts;
  }

  IllegalArgumentException wrong(String message) {
    return new IllegalArgumentException("%s: %s: %s".formatted(source, what, message));
  }
}
