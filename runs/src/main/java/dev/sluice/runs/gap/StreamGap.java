package dev.sluice.runs.gap;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.run.Reason;
import java.time.Instant;
import java.util.Optional;

/**
 * A track that stopped before its end. Immutable.
 *
 * @param cursor where it stopped; empty for the beginning
 * @param reason why
 * @param detail what exactly happened, for people; empty if there is nothing to add
 * @param since when it stopped at this cursor for the first time
 * @param due when it may be tried again
 * @param run which run stopped there last
 */
public record StreamGap(
    Track track,
    Optional<String> cursor,
    Reason reason,
    String detail,
    Instant since,
    Instant due,
    long run) {
  public StreamGap {
    requireNonNull(track, "track");
    requireNonNull(cursor, "cursor");
    requireNonNull(reason, "reason");
    requireNonNull(detail, "detail");
    requireNonNull(since, "since");
    requireNonNull(due, "due");
  }
}
