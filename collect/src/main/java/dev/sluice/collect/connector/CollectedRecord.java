package dev.sluice.collect.connector;

import static java.util.Objects.requireNonNull;

import tools.jackson.databind.node.ObjectNode;

/**
 * One record as it was collected. Nobody changes its body.
 *
 * @param key tells it from other records of its stream; empty if the stream has no key
 * @param cursor the value of the stream's cursor, comparable as text within the stream; empty if it
 *     has none
 * @param body its members
 */
public record CollectedRecord(String key, String cursor, ObjectNode body) {
  public CollectedRecord {
    requireNonNull(key, "key");
    requireNonNull(cursor, "cursor");
    requireNonNull(body, "body");
  }
}
