package dev.sluice.collect.yaml.text;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/** One side of a comparison. */
sealed interface Operand {

  JsonNode value(Facts facts);

  Set<String> paths();

  /** Something that is looked up. */
  record Path(String path) implements Operand {
    @Override
    public JsonNode value(Facts facts) {
      return facts.find(path);
    }

    @Override
    public Set<String> paths() {
      return Set.of(path);
    }
  }

  /** Something that is written there. */
  record Literal(JsonNode node) implements Operand {
    @Override
    public JsonNode value(Facts facts) {
      return node;
    }

    @Override
    public Set<String> paths() {
      return Set.of();
    }
  }
}
