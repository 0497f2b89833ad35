package dev.sluice.collect.yaml.request;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.select.JsonPath;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The members that tell records apart. Immutable.
 *
 * @param members with points between where they lie deeper; empty if nothing tells them apart
 */
public record RecordKey(List<String> members) {
  public RecordKey {
    members = List.copyOf(members);
  }

  /**
   * The key of a record: the value itself, or of several a JSON array of them, so that no two
   * records share one by chance.
   */
  public String of(ObjectNode record) throws ProviderException {
    ArrayNode values = JsonNodeFactory.instance.arrayNode();
    for (String member : members) {
      JsonNode value = JsonPath.members(List.of(member.split("\\.", -1))).first(record);
      if (!value.isValueNode() || value.isNull()) {
        throw ProviderException.unexpected(
            "a record has no %s, which is its key".formatted(member));
      }
      values.add(value);
    }
    return switch (values.size()) {
      case 0 -> "";
      case 1 -> values.get(0).asString();
      default -> values.toString();
    };
  }
}
