package dev.sluice.collect.yaml.request;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A page as it came. Nobody changes what it holds.
 *
 * @param uri where it was asked for
 * @param records what it lists, in order
 * @param keys of the records, in the same order; empty if the stream has no key
 * @param print a number that pages share which have the same records in the same state, in whatever
 *     order; {@link #NO_PRINT} if that cannot be told
 */
public record Page(
    URI uri,
    HttpHeaders headers,
    JsonNode body,
    List<ObjectNode> records,
    List<String> keys,
    long print) {
  /** Nothing tells its records apart, or it has none. */
  public static final long NO_PRINT = 0;

  public Page {
    records = List.copyOf(records);
    keys = List.copyOf(keys);
  }
}
