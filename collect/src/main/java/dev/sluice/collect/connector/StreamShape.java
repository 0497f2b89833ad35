package dev.sluice.collect.connector;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * What a sink has to know of a stream. Immutable.
 *
 * @param name unique within its connector
 * @param key the members that tell records apart; empty if nothing does
 * @param cursor the member that grows when a record changes; without one, a later fetch is newer
 */
public record StreamShape(String name, List<String> key, Optional<String> cursor) {
  public StreamShape {
    requireNonNull(name, "name");
    key = List.copyOf(key);
    requireNonNull(cursor, "cursor");
  }
}
