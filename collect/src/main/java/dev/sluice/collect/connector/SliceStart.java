package dev.sluice.collect.connector;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.bookmark.Mode;
import java.time.Instant;
import java.util.Optional;

/**
 * Where a slice begins. Immutable.
 *
 * @param split which part of the stream; empty if it has none
 * @param mode which end of it
 * @param cursor where the slice before it ended; empty at the beginning
 * @param horizon where catch-up ends and steady work begins; empty if the stream knows no catch-up
 * @param now the time, for slices that end at the present
 * @param shrink how often the slice was found to be too large; each time it should be half as large
 */
public record SliceStart(
    String split,
    Mode mode,
    Optional<String> cursor,
    Optional<String> horizon,
    Instant now,
    int shrink) {
  public SliceStart {
    requireNonNull(split, "split");
    requireNonNull(mode, "mode");
    requireNonNull(cursor, "cursor");
    requireNonNull(horizon, "horizon");
    requireNonNull(now, "now");
  }

  /** The same, half as large. */
  SliceStart halved() {
    return new SliceStart(split, mode, cursor, horizon, now, shrink + 1);
  }
}
