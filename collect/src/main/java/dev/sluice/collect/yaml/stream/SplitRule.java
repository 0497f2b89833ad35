package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import java.util.ArrayList;
import java.util.List;

/**
 * The fixed parts of a stream. Immutable.
 *
 * @param name what templates call the part
 * @param values each a part, or a configured list of them
 */
record SplitRule(String name, List<Template> values) {
  SplitRule {
    values = List.copyOf(values);
  }

  List<String> parts(Names names) throws ProviderException {
    List<String> parts = new ArrayList<>();
    for (Template value : values) {
      for (String part : ConfigRules.elements(value.render(names))) {
        if (!parts.contains(part)) {
          parts.add(part);
        }
      }
    }
    return parts;
  }
}
