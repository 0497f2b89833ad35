package dev.sluice.collect.connector;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * The keys of the details that were read together. A key is one within its stream, whatever record
 * the details belong to: where two of these have different details with the same key, one would
 * take the other's place in a table, and nobody would notice. Not thread-safe.
 */
public final class DetailKeys {
  private final Map<String, Map<String, Seen>> seen = new HashMap<>();

  /**
   * Of whom a key was read.
   *
   * @param content a hash: details that two records share are the same with both
   */
  private record Seen(ObjectNode parent, int content) {}

  /**
   * Takes the keys of one record's details.
   *
   * @param parent what was {@linkplain DetailStream#remembered remembered} of it
   * @throws ProviderException if another record has other details with one of the keys
   */
  public void take(StreamShape shape, ObjectNode parent, List<CollectedRecord> details)
      throws ProviderException {
    if (shape.key().isEmpty()) {
      return;
    }
    Map<String, Seen> ofStream = seen.computeIfAbsent(shape.name(), name -> new HashMap<>());
    for (CollectedRecord detail : details) {
      Seen other = ofStream.get(detail.key());
      int content = detail.body().hashCode();
      if (other != null && other.content != content && !other.parent.equals(parent)) {
        throw ProviderException.unexpected(same(shape, detail.key(), parent));
      }
    }
    for (CollectedRecord detail : details) {
      ofStream.put(detail.key(), new Seen(parent, detail.body().hashCode()));
    }
  }

  private static String same(StreamShape shape, String key, ObjectNode parent) {
    String member = parent.propertyNames().stream().findFirst().orElse("id");
    return "two records have different %s with the key '%s', and one would replace the other; let key name a member of the record that they belong to as well: add: {parent_%s: \"{parent.%s}\"} and key: [parent_%s, %s]"
        .formatted(shape.name(), key, member, member, member, String.join(", ", shape.key()));
  }
}
