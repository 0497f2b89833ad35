package dev.sluice.runs.bookmark;

import static java.util.Objects.requireNonNull;

/**
 * What a bookmark is of, and what a lease is taken for: one part of one stream in one mode.
 * Immutable.
 *
 * @param collection what a user set up and named
 * @param stream one kind of record
 * @param split which fixed part of the stream; empty if it has none
 * @param mode which end
 */
public record Track(String collection, String stream, String split, Mode mode) {
  /** What recovery works on in place of a stream; none can have this name. */
  private static final String RECOVERY = "+gaps";

  public Track {
    requireNonNull(collection, "collection");
    requireNonNull(stream, "stream");
    requireNonNull(split, "split");
    requireNonNull(mode, "mode");
  }

  /** What recovery of a collection's missing details works on. */
  public static Track recovery(String collection) {
    return new Track(collection, RECOVERY, "", Mode.STEADY);
  }

  /** Whether it is that of recovery, which is no stream's. */
  public boolean isRecovery() {
    return stream.equals(RECOVERY);
  }

  /** Under which name its lease is taken. */
  public String leaseName() {
    return String.join(" ", "collect", collection, stream, split, mode.wireName());
  }

  /** For people: the stream, with its split and mode where they tell something. */
  @Override
  public String toString() {
    return stream
        + (split.isEmpty() ? "" : "[" + split + "]")
        + (mode == Mode.CATCH_UP ? " (catch-up)" : "");
  }
}
