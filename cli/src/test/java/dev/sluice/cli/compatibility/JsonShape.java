package dev.sluice.cli.compatibility;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * What an answer for programs looks like: the paths of its members and the types of their values.
 * Where a value is one of the product's own words, it is a part of the shape.
 */
final class JsonShape {
  /** Members whose values are words of the product. */
  private static final Set<String> WORDS =
      Set.of("outcome", "reason", "state", "mode", "kind", "operation", "boundBy", "code", "bulk");

  /** Members whose own members are called by data, or are there or not by chance. */
  private static final Set<String> NAMED_BY_DATA =
      Set.of("waitedMs", "idleSeconds", "repeated", "throttles", "options");

  private JsonShape() {}

  static String of(JsonNode json) {
    Set<String> lines = new TreeSet<>();
    add("", "", json, lines);
    return lines.stream().collect(Collectors.joining("\n", "", "\n"));
  }

  private static void add(String path, String name, JsonNode node, Set<String> lines) {
    if (node.isObject() && NAMED_BY_DATA.contains(name)) {
      lines.add(path + ": members of any name");
    } else if (node.isObject()) {
      if (node.isEmpty()) {
        lines.add(path + ": {}");
      }
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        String key = member.getKey();
        add(path.isEmpty() ? key : path + "." + key, key, member.getValue(), lines);
      }
    } else if (node.isArray()) {
      if (node.isEmpty()) {
        lines.add(path + "[]");
      }
      for (JsonNode element : node) {
        add(path + "[]", name, element, lines);
      }
    } else {
      lines.add(path + ": " + value(name, node));
    }
  }

  private static String value(String name, JsonNode node) {
    if (node.isString()) {
      return WORDS.contains(name) ? "'" + node.asString() + "'" : "text";
    }
    if (node.isNumber()) {
      return node.isIntegralNumber() ? "whole number" : "number";
    }
    return node.isBoolean() ? "true or false" : "null";
  }
}
