package dev.sluice.runs.reset;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.bookmark.Track;
import java.util.Optional;

/**
 * What of a collection is meant. Immutable.
 *
 * @param collection what a user set up and named
 * @param stream one of its lists; empty for all, and for what recovery works on
 * @param split one part of the stream; empty for all
 */
public record Scope(String collection, Optional<String> stream, Optional<String> split) {
  public Scope {
    requireNonNull(collection, "collection");
    requireNonNull(stream, "stream");
    requireNonNull(split, "split");
    if (split.isPresent() && stream.isEmpty()) {
      throw new IllegalArgumentException(
          "a split is part of a stream: '%s' is named without one".formatted(split.get()));
    }
  }

  boolean has(Track track) {
    return track.collection().equals(collection)
        && stream.map(track.stream()::equals).orElse(true)
        && split.map(track.split()::equals).orElse(true);
  }
}
