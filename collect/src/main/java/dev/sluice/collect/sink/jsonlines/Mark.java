package dev.sluice.collect.sink.jsonlines;

import dev.sluice.collect.sink.SinkErrors;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * How much of which files is committed, as it is kept with the bookmark. Files that have their
 * final name are left out of the next mark: it is never longer than a track has streams.
 *
 * @param lengths in bytes, by the file's final name
 */
record Mark(Map<String, Long> lengths) {
  static final Mark NONE = new Mark(Map.of());

  private static final JsonMapper JSON = JsonMapper.shared();

  Mark {
    lengths = Collections.unmodifiableMap(new LinkedHashMap<>(lengths));
  }

  static Mark parse(String text) throws IOException {
    Map<String, Long> lengths = new LinkedHashMap<>();
    JsonNode tree;
    try {
      tree = JSON.readTree(text);
    } catch (JacksonException e) {
      throw SinkErrors.notOurMark("a JSON Lines sink", text);
    }
    if (!tree.isObject()) {
      throw SinkErrors.notOurMark("a JSON Lines sink", text);
    }
    for (Map.Entry<String, JsonNode> each : tree.properties()) {
      // A name leads nowhere else, whatever somebody wrote into the store.
      if (!each.getValue().canConvertToLong() || each.getKey().matches(".*[/\\\\].*")) {
        throw SinkErrors.notOurMark("a JSON Lines sink", text);
      }
      lengths.put(each.getKey(), each.getValue().longValue());
    }
    return new Mark(lengths);
  }

  @Override
  public String toString() {
    ObjectNode tree = JSON.createObjectNode();
    lengths.forEach(tree::put);
    return tree.toString();
  }
}
