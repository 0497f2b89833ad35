package dev.sluice.runs.bookmark;

import java.time.Instant;
import java.util.Optional;

/**
 * How far a track has come: everything before it is durable. Immutable.
 *
 * @param cursor where the next slice begins, as the connector wrote it; empty for the beginning
 * @param mark what the sink needs to know to go on from here, as it wrote it
 * @param finished whether the track has nothing left for good: a catch-up that met its horizon
 * @param shrink how often its slices were found to be too large for a run and halved
 * @param committed when it was moved here
 * @param anew whether it was reset and has not moved since: then whatever a sink still holds of the
 *     track is of an earlier time, and no reason to move
 */
public record Bookmark(
    Track track,
    Optional<String> cursor,
    Optional<String> mark,
    boolean finished,
    int shrink,
    Instant committed,
    boolean anew) {}
