package dev.sluice.collect.yaml.text;

import dev.sluice.collect.select.JsonPath;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a condition is asked about. */
@FunctionalInterface
public interface Facts {

  /** What a path of names, or a JSON path, leads to; a missing node if to nothing. */
  JsonNode find(String path);

  /** The members of a record, by their names with points between. */
  static Facts of(JsonNode record) {
    return path ->
        path.startsWith("$")
            ? JsonPath.parse(path).first(record)
            : JsonPath.members(List.of(path.split("\\.", -1))).first(record);
  }
}
