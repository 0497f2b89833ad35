package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.PlainText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The member that grows when a record changes. Immutable.
 *
 * @param field its name, with points between where it lies deeper
 * @param ask where a request says from which value on; empty if it cannot
 * @param overlap how far before the last value steady work starts again, for records that show up
 *     late
 */
record CursorRule(String field, CursorType type, Optional<Spot> ask, Optional<Duration> overlap) {

  /**
   * A record's value, as it came.
   *
   * @throws ProviderException if it has none, or one of another type than declared
   */
  String value(ObjectNode record) throws ProviderException {
    JsonNode node = in(record);
    if (!node.isValueNode() || node.isNull() || node.isMissingNode()) {
      throw ProviderException.unexpected(
          "a record has no %s, which is the stream's cursor".formatted(field));
    }
    String raw = PlainText.of(node);
    try {
      String unused = type.sortable(raw);
    } catch (IllegalArgumentException e) {
      throw ProviderException.unexpected(
          "%s of a record is %s; check cursor.as".formatted(field, e.getMessage()));
    }
    return raw;
  }

  /** What a record has in its place. */
  JsonNode in(ObjectNode record) {
    return JsonPath.members(List.of(field.split("\\.", -1))).first(record);
  }

  /** Whether a value is of a time that is still to come. */
  boolean isAhead(String value, Instant now) {
    return type.isTime() && type.instant(value).isAfter(now);
  }

  /** The later of two values. */
  String later(String one, String other) {
    return type.compare(one, other) >= 0 ? one : other;
  }
}
