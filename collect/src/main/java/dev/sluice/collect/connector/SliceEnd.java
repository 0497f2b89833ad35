package dev.sluice.collect.connector;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Where a slice ended. Immutable.
 *
 * @param cursor where the next one begins; empty for the beginning, as after a whole snapshot
 * @param more whether there is a next one now. A catch-up without more is finished for good
 */
public record SliceEnd(Optional<String> cursor, boolean more) {
  public SliceEnd {
    requireNonNull(cursor, "cursor");
  }

  /** The next slice begins here. */
  public static SliceEnd at(String cursor, boolean more) {
    return new SliceEnd(Optional.of(cursor), more);
  }
}
