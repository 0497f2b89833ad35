package dev.sluice.collect.connector;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A kind of record that a provider lists. Thread-safe: it keeps nothing between slices. */
public interface ListStream {

  /** What sinks have to know of it. */
  StreamShape shape();

  /** Its fixed parts, each with bookmarks of its own; one empty name if it has none. */
  default List<String> splits() {
    return List.of("");
  }

  /**
   * Where catch-up ends and steady work begins if this is the first run of all; empty if the stream
   * is read from its beginning by steady work alone.
   */
  default Optional<String> horizon(Instant now) {
    return Optional.empty();
  }

  /** How old its newest records may be. */
  Duration interval();

  /** What is fetched for each of its records. */
  default List<DetailStream> details() {
    return List.of();
  }

  /** Where the walk through pages began that a cursor is in the middle of, if it is. */
  default Optional<String> beginningOf(Optional<String> cursor) {
    return cursor;
  }

  /** Whether the slice that begins here can be read in smaller ones ({@link SliceStart#shrink}). */
  default boolean canShrink(SliceStart start) {
    return false;
  }

  /**
   * Reads one slice whole: as many requests as it takes, its records in order.
   *
   * @return where the next one begins
   * @throws ProviderException if the provider's answer ends it
   * @throws ReadAgainException if the records handed on so far are void
   * @throws IOException if no answer came, or a record could not be kept
   */
  SliceEnd read(SliceStart start, Requests requests, Records records)
      throws ProviderException, ReadAgainException, IOException, InterruptedException;
}
