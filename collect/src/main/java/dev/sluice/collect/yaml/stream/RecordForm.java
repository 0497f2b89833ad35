package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.request.RecordKey;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.collect.yaml.text.Facts;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What becomes of a record on its way out. Immutable.
 *
 * @param key may name members that are added: what is unique within a parent alone can be told
 *     apart with the parent's
 * @param dropIf which records are left out
 * @param add members that every record gets
 * @param hide members that no record keeps, with points between where they lie deeper
 */
record RecordForm(
    RecordKey key,
    Optional<CursorRule> cursor,
    Optional<Condition> dropIf,
    Map<String, Template> add,
    List<String> hide) {

  /** What tells the records of one answer apart: its own members, for nothing is added there. */
  RecordKey keyInAnswers() {
    return new RecordKey(
        key.members().stream()
            .filter(member -> !add.containsKey(member.replaceFirst("\\..*", "")))
            .toList());
  }

  /** The record with what is added; key and cursor are read from it. */
  ObjectNode completed(ObjectNode record, Names names) throws ProviderException {
    if (add.isEmpty()) {
      return record;
    }
    ObjectNode complete = record.deepCopy();
    for (Map.Entry<String, Template> member : add.entrySet()) {
      complete.set(member.getKey(), member.getValue().renderNode(names));
    }
    return complete;
  }

  /**
   * The record as it is collected; empty if it is left out.
   *
   * @param record as it came
   * @param complete the same with what is added
   */
  Optional<CollectedRecord> collected(ObjectNode record, ObjectNode complete)
      throws ProviderException {
    if (dropIf.isPresent() && dropIf.get().holds(Facts.of(record))) {
      return Optional.empty();
    }
    String place = "";
    if (cursor.isPresent()) {
      place = cursor.get().type().sortable(cursor.get().value(complete));
    }
    return Optional.of(new CollectedRecord(key.of(complete), place, shown(complete)));
  }

  private ObjectNode shown(ObjectNode complete) {
    if (hide.isEmpty()) {
      return complete;
    }
    ObjectNode body = complete.deepCopy();
    hide.forEach(path -> remove(body, path));
    return body;
  }

  private static void remove(ObjectNode body, String path) {
    int point = path.indexOf('.');
    if (point < 0) {
      JsonNode unused = body.remove(path);
      return;
    }
    JsonNode inner = body.get(path.substring(0, point));
    if (inner instanceof ObjectNode object) {
      remove(object, path.substring(point + 1));
    } else if (inner != null && inner.isArray()) {
      for (JsonNode element : inner) {
        if (element instanceof ObjectNode object) {
          remove(object, path.substring(point + 1));
        }
      }
    }
  }
}
