package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fixed parts of a stream: of several dimensions, every combination. A part is called by its
 * values with commas between, which no value has. Immutable.
 */
final class SplitRule {
  private static final String BETWEEN = ",";

  private final Map<String, List<Template>> dimensions;

  /**
   * Parts of these dimensions.
   *
   * @param dimensions by what templates call them, in order: each value a part, or a configured
   *     list of them
   */
  SplitRule(Map<String, List<Template>> dimensions) {
    this.dimensions = new LinkedHashMap<>(dimensions);
  }

  /** What templates call its dimensions. */
  Set<String> names() {
    return dimensions.keySet();
  }

  List<String> parts(Names names) throws ProviderException {
    List<String> parts = List.of("");
    boolean first = true;
    for (List<Template> values : dimensions.values()) {
      List<String> longer = new ArrayList<>();
      for (String part : parts) {
        for (String value : elements(values, names)) {
          longer.add(first ? value : part + BETWEEN + value);
        }
      }
      parts = longer;
      first = false;
    }
    return parts;
  }

  private static Set<String> elements(List<Template> values, Names names) throws ProviderException {
    Set<String> elements = new LinkedHashSet<>();
    for (Template value : values) {
      elements.addAll(ConfigRules.elements(value.render(names)));
    }
    return elements;
  }

  /** The names within a part. */
  Names within(Names names, String part) {
    List<String> values = List.of(part.split(BETWEEN, -1));
    Map<String, String> split = new LinkedHashMap<>();
    int next = 0;
    for (String name : dimensions.keySet()) {
      // A part of an earlier version of the file may have fewer.
      split.put(name, next < values.size() ? values.get(next) : "");
      next++;
    }
    return names.withSplit(split);
  }
}
