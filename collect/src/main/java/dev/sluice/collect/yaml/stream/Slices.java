package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.ReadAgainException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.yaml.text.Names;
import java.io.IOException;
import java.util.Optional;

/** In which pieces a stream is read. Keeps nothing between them. */
interface Slices {

  /** Reads one whole. */
  SliceEnd read(SliceStart start, Names names, Requests requests, Records records)
      throws ProviderException, ReadAgainException, IOException, InterruptedException;

  /**
   * Looks at where a slice is to begin.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  void check(SliceStart start);

  /** Where the walk through pages began that a cursor is in the middle of, if it is. */
  default Optional<String> beginningOf(Optional<String> cursor) {
    return cursor;
  }

  /** Whether the one that begins here can be made smaller. */
  default boolean canShrink(SliceStart start) {
    return false;
  }
}
